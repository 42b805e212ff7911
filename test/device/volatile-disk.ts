import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { randomFrom } from '../helpers/random.js';
import { ByteReader, handshake, NbdCommand, type NbdRequest, readRequests, reply } from './nbd.js';

const BLOCK = 4096;
const SECTOR = 512;

export interface VolatileDiskOptions {
  image: string;
  socket: string;
  /** True if the disk acknowledges flushes without performing them, like a faulty SD card. */
  lies?: boolean;
}

/**
 * A disk that loses unflushed writes in a power cut. Killing QEMU is a weaker test, because the page cache of
 * its disk file survives.
 */
export class VolatileDisk {
  readonly #cache = new Map<number, Buffer>();
  readonly #image: number;
  readonly #bytes: number;
  readonly #lies: boolean;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  flushes = 0;

  private constructor({ image, lies = false }: VolatileDiskOptions) {
    this.#image = openSync(image, 'r+');
    this.#bytes = fstatSync(this.#image).size;
    this.#lies = lies;
    this.#server = createServer((socket) => void this.#serve(socket));
  }

  static async open(options: VolatileDiskOptions): Promise<VolatileDisk> {
    const disk = new VolatileDisk(options);
    disk.#server.listen(options.socket);
    await once(disk.#server, 'listening');
    return disk;
  }

  /** Number of blocks with unflushed writes. */
  get unflushed(): number {
    return this.#cache.size;
  }

  /**
   * Cuts the power. All unflushed writes are lost or, if `tornBySeed` is given, a random half of the
   * unflushed sectors is stored, which tears pages.
   */
  async cut(tornBySeed?: number): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    if (tornBySeed !== undefined) this.#tear(tornBySeed);
    this.#cache.clear();
    closeSync(this.#image);
  }

  #tear(seed: number): void {
    const random = randomFrom(seed);
    for (const [block, data] of this.#cache) {
      for (let at = 0; at < BLOCK; at += SECTOR) {
        if (random() < 0.5) writeSync(this.#image, data, at, SECTOR, block * BLOCK + at);
      }
    }
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    try {
      const reader = new ByteReader(socket);
      await handshake(socket, reader, this.#bytes);
      for await (const request of readRequests(reader)) {
        reply(socket, request, this.#answer(request));
      }
    } catch {
      // The machine disconnected during a request.
    }
    socket.destroy();
  }

  #answer({ command, offset, length, data, fua }: NbdRequest): Buffer | undefined {
    if (command === NbdCommand.read) return this.#read(offset, length);
    if (command === NbdCommand.write) {
      this.#write(offset, data);
      if (fua && !this.#lies) this.#commit(blocksOf(offset, length));
    }
    if (command === NbdCommand.flush) {
      this.flushes += 1;
      if (!this.#lies) this.#commit([...this.#cache.keys()]);
    }
    return undefined;
  }

  #read(offset: number, length: number): Buffer {
    const data = Buffer.allocUnsafe(length);
    readSync(this.#image, data, 0, length, offset);
    for (const block of blocksOf(offset, length)) {
      // copy() clips data only at the end of the target; at the start, the source offset must be adjusted.
      const start = block * BLOCK - offset;
      this.#cache.get(block)?.copy(data, Math.max(start, 0), Math.max(-start, 0));
    }
    return data;
  }

  #write(offset: number, data: Buffer): void {
    for (const block of blocksOf(offset, data.length)) {
      let cached = this.#cache.get(block);
      if (!cached) {
        cached = Buffer.alloc(BLOCK);
        readSync(this.#image, cached, 0, BLOCK, block * BLOCK);
        this.#cache.set(block, cached);
      }
      const start = block * BLOCK - offset;
      data.copy(cached, Math.max(-start, 0), Math.max(start, 0));
    }
  }

  #commit(blocks: Iterable<number>): void {
    for (const block of blocks) {
      const data = this.#cache.get(block);
      if (data) writeSync(this.#image, data, 0, BLOCK, block * BLOCK);
      this.#cache.delete(block);
    }
  }
}

function blocksOf(offset: number, length: number): number[] {
  const first = Math.floor(offset / BLOCK);
  const last = Math.floor((offset + length - 1) / BLOCK);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
