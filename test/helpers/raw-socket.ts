import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection for raw bytes that an HTTP client would not send. */
export class RawSocket {
  readonly socket: Socket;
  /** All received data, one character per byte. */
  received = '';
  #checks = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.received += text;
      for (const check of this.#checks) check();
    });
    // Connection resets are expected, so errors are ignored.
    socket.on('error', () => undefined);
  }

  /** @param localAddress loopback address from which the connection is opened */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  write(bytes: string | Uint8Array): void {
    if (typeof bytes === 'string') this.socket.write(bytes, 'latin1');
    else this.socket.write(bytes);
  }

  /** Resolves when the received data matches; rejects if the connection closes first. */
  until(isEnough: (received: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (!isEnough(this.received)) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
      this.socket.once('close', () => reject(new Error(`closed too early: ${this.received.slice(-500)}`)));
      check();
    });
  }

  async answers(count: number): Promise<number[]> {
    await this.until(() => this.statuses.length >= count);
    return this.statuses;
  }

  async closed(): Promise<string> {
    // `once` would reject if the connection was reset.
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve));
    return this.received;
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  end(): void {
    this.socket.destroy();
  }
}

/**
 * Sends bytes and returns the data received until the first response header is complete or the connection
 * closes.
 */
export async function sendOnce(port: number, bytes: string): Promise<string> {
  const raw = await RawSocket.open(port);
  raw.write(bytes);
  await Promise.race([
    raw.until((received) => received.includes('\r\n\r\n')).catch(() => undefined),
    raw.closed(),
  ]);
  raw.end();
  return raw.received;
}
