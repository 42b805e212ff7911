import type { Socket } from 'node:net';

/**
 * Server for the Network Block Device protocol (doc/proto.md in the NetworkBlockDevice project). Supports
 * only what QEMU uses: the fixed newstyle handshake and simple replies.
 */
const MAGIC = 'NBDMAGIC';
const OPTION_MAGIC = 'IHAVEOPT';
const OPTION_REPLY_MAGIC = 0x3e889045565a9n;
const REPLY_MAGIC = 0x67446698;
const FIXED_NEWSTYLE = 1;
const Option = { exportName: 1, abort: 2, info: 6, go: 7 };
const Reply = { ack: 1, info: 3, unsupported: 0x80000001 };
/** Flags: HAS_FLAGS, SEND_FLUSH, SEND_FUA. */
const TRANSMISSION_FLAGS = 1 | 4 | 8;
const FUA = 1;

export const NbdCommand = { read: 0, write: 1, disconnect: 2, flush: 3 } as const;

export interface NbdRequest {
  command: number;
  /** Identifies the request; copied into the reply. */
  cookie: bigint;
  /** `offset` and `length` are in bytes. */
  offset: number;
  length: number;
  /** The data of a write request; empty for other requests. */
  data: Buffer;
  /** True if the write must reach the disk before it is acknowledged. */
  fua: boolean;
}

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  /** Rejects if the stream ends before `length` bytes have been read. */
  async take(length: number): Promise<Buffer> {
    if (this.#held.length < length) {
      const pieces = [this.#held];
      for (let have = this.#held.length; have < length; have += pieces.at(-1)?.length ?? 0) {
        const { value, done } = await this.#chunks.next();
        if (done) throw new Error('the stream has ended');
        pieces.push(value);
      }
      this.#held = Buffer.concat(pieces);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }
}

/** Performs the handshake for a single disk of `bytes` bytes. Rejects if the client disconnects. */
export async function handshake(socket: Socket, reader: ByteReader, bytes: number): Promise<void> {
  socket.write(Buffer.concat([Buffer.from(MAGIC + OPTION_MAGIC), u16(FIXED_NEWSTYLE)]));
  await reader.take(4);
  for (;;) {
    const head = await reader.take(16);
    const option = head.readUInt32BE(8);
    await reader.take(head.readUInt32BE(12));
    const answer = (kind: number, body = Buffer.alloc(0)): void => {
      const length = u32(body.length);
      socket.write(Buffer.concat([u64(OPTION_REPLY_MAGIC), u32(option), u32(kind), length, body]));
    };
    if (option === Option.abort) throw new Error('the client aborted the negotiation');
    if (option === Option.exportName) {
      socket.write(Buffer.concat([u64(BigInt(bytes)), u16(TRANSMISSION_FLAGS), Buffer.alloc(124)]));
      return;
    }
    if (option === Option.info || option === Option.go) {
      answer(Reply.info, Buffer.concat([u16(0), u64(BigInt(bytes)), u16(TRANSMISSION_FLAGS)]));
      answer(Reply.ack);
      if (option === Option.go) return;
    } else answer(Reply.unsupported);
  }
}

export async function* readRequests(reader: ByteReader): AsyncGenerator<NbdRequest> {
  for (;;) {
    const head = await reader.take(28);
    const command = head.readUInt16BE(6);
    if (command === NbdCommand.disconnect) return;
    const length = head.readUInt32BE(24);
    yield {
      command,
      cookie: head.readBigUInt64BE(8),
      offset: Number(head.readBigUInt64BE(16)),
      length,
      data: command === NbdCommand.write ? await reader.take(length) : Buffer.alloc(0),
      fua: (head.readUInt16BE(4) & FUA) !== 0,
    };
  }
}

/** Acknowledges a request. `data` is the result of a read request. */
export function reply(socket: Socket, { cookie }: NbdRequest, data: Buffer = Buffer.alloc(0)): void {
  socket.write(Buffer.concat([u32(REPLY_MAGIC), u32(0), u64(cookie), data]));
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
