import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSocket, type UnixDatagramSocket } from 'unix-dgram';

export class NotifySocket {
  readonly path: string;
  readonly #received: string[] = [];
  readonly #socket: UnixDatagramSocket;
  #wake: () => void = () => {};

  private constructor(path: string) {
    this.path = path;
    this.#socket = createSocket('unix_dgram', (datagram) => {
      this.#received.push(String(datagram));
      this.#wake();
    });
    this.#socket.bind(path);
  }

  static async open(): Promise<NotifySocket> {
    return new NotifySocket(join(await mkdtemp(join(tmpdir(), 'notify-')), 'socket'));
  }

  /** Resolves with the next matching datagram; discards earlier ones. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const datagram = this.#received.shift();
      if (datagram !== undefined && pattern.test(datagram)) return datagram;
      if (datagram === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await rm(join(this.path, '..'), { recursive: true });
  }
}
