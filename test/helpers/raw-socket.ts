import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends raw bytes, for requests that no HTTP client sends. */
export class RawSocket {
  readonly socket: Socket;
  /** Everything that has come, byte for byte. */
  heard = '';
  #looks = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.heard += text;
      for (const look of this.#looks) look();
    });
    // To be cut off is what many of these ask for.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<RawSocket> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  write(bytes: string | Uint8Array): void {
    if (typeof bytes === 'string') this.socket.write(bytes, 'latin1');
    else this.socket.write(bytes);
  }

  /** Resolves when this is so of what was heard; rejects when the other end closes before. */
  until(isEnough: (heard: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isEnough(this.heard)) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      this.socket.once('close', () => reject(new Error(`closed too early: ${this.heard.slice(-500)}`)));
      look();
    });
  }

  /** Resolves with the statuses of this many answers. */
  async answers(count: number): Promise<number[]> {
    await this.until(() => this.statuses.length >= count);
    return this.statuses;
  }

  /** Resolves with all that was heard when the other end has closed. */
  async closed(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, 'close');
    return this.heard;
  }

  /** The status of each answer that was heard, in order. */
  get statuses(): number[] {
    return [...this.heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  end(): void {
    this.socket.destroy();
  }
}

/** Says one thing and hears the first answer, or all there is when the other end closes without one: empty for silence. */
export async function sendOnce(port: number, bytes: string): Promise<string> {
  const raw = await RawSocket.open(port);
  raw.write(bytes);
  await Promise.race([raw.until((heard) => heard.includes('\r\n\r\n')).catch(() => undefined), raw.closed()]);
  raw.end();
  return raw.heard;
}
