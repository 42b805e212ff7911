import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

interface RawPacket {
  /** High nibble of the first byte: 1 CONNECT, 3 PUBLISH, 8 SUBSCRIBE, 12 PINGREQ, 14 DISCONNECT. */
  type: number;
  flags: number;
  body: Buffer;
  connection: number;
}

export interface RawBroker {
  port: number;
  packets: RawPacket[];
  /** Number of open connections. */
  readonly open: number;
  /** Resolves with the first matching packet, which may have been received before the call. */
  first(matches: (packet: RawPacket) => boolean): Promise<RawPacket>;
  disconnect(): void;
  close(): Promise<void>;
}

/**
 * The broker's responses, by connection number (starting at 1). By default, the responses comply with the
 * standard.
 */
export interface RawAnswers {
  /** Returns the CONNACK return code, or undefined if no CONNACK is to be sent. */
  connack?: (connection: number) => number | undefined;
  /** Returns true if the broker acknowledges QoS 1 publishes. */
  puback?: (connection: number) => boolean;
  /** Returns true if the broker acknowledges subscriptions. */
  suback?: (connection: number) => boolean;
  /** Returns true if the broker responds to pings. */
  pong?: (connection: number) => boolean;
}

/** A broker that misbehaves on demand: it can ignore requests, omit acknowledgements or drop connections. */
export async function rawBroker(answers: RawAnswers = {}): Promise<RawBroker> {
  const packets: RawPacket[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let taken = take(rest); taken; taken = take(rest)) {
        rest = taken.rest;
        const packet = { ...taken.packet, connection };
        packets.push(packet);
        answer(socket, packet, answers);
        for (const check of [...waiting]) check();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    packets,
    get open() {
      return sockets.size;
    },
    disconnect,
    first: (matches) =>
      new Promise((resolve) => {
        const check = () => {
          const found = packets.find(matches);
          if (!found) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      disconnect();
      await closed;
    },
  };
}

function take(bytes: Buffer): { packet: Omit<RawPacket, 'connection'>; rest: Buffer } | undefined {
  let length = 0;
  let at = 1;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    at += 1;
    length += (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) break;
  }
  if (bytes.length < at + length) return undefined;
  const first = bytes[0] ?? 0;
  const packet = { type: first >> 4, flags: first & 15, body: bytes.subarray(at, at + length) };
  return { packet, rest: bytes.subarray(at + length) };
}

function answer(socket: Socket, { type, flags, body, connection }: RawPacket, answers: RawAnswers): void {
  if (type === 1) {
    const code = answers.connack ? answers.connack(connection) : 0;
    if (code !== undefined) socket.write(Buffer.from([0x20, 2, 0, code]));
  } else if (type === 8 && (answers.suback?.(connection) ?? true)) {
    socket.write(Buffer.from([0x90, 3, body[0] ?? 0, body[1] ?? 0, 0]));
  } else if (type === 12 && (answers.pong?.(connection) ?? true)) {
    socket.write(Buffer.from([0xd0, 0]));
  } else if (type === 3 && (flags & 6) === 2 && (answers.puback?.(connection) ?? true)) {
    const at = 2 + body.readUInt16BE(0);
    socket.write(Buffer.from([0x40, 2, body[at] ?? 0, body[at + 1] ?? 0]));
  }
}
