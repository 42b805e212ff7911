import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSocket, type UnixDatagramSocket } from 'unix-dgram';

/** The socket that systemd listens on, and what was said to it, datagram by datagram. */
export class NotifySocket {
  readonly path: string;
  readonly #heard: string[] = [];
  readonly #socket: UnixDatagramSocket;
  #wake: () => void = () => {};

  private constructor(path: string) {
    this.path = path;
    this.#socket = createSocket('unix_dgram', (datagram) => {
      this.#heard.push(String(datagram));
      this.#wake();
    });
    this.#socket.bind(path);
  }

  static async open(): Promise<NotifySocket> {
    return new NotifySocket(join(await mkdtemp(join(tmpdir(), 'notify-')), 'socket'));
  }

  /** The next datagram that is as wanted, whole; those before it are forgotten. */
  async until(wanted: RegExp): Promise<string> {
    for (;;) {
      const datagram = this.#heard.shift();
      if (datagram !== undefined && wanted.test(datagram)) return datagram;
      if (datagram === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await rm(join(this.path, '..'), { recursive: true });
  }
}
