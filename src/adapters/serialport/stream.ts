import type { Duplex } from 'node:stream';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ByteLink } from '../../shared/ports/serial.js';
import { Signal } from '../../shared/signal.js';
import { portMessage } from './messages.js';

/** Maximum number of unsent bytes (90 ms at 115200 baud); beyond it, the device is not accepting data. */
const MAX_PENDING_BYTES = 1024;
/** Time limit for `close()` in ms, so that a driver that hangs does not delay shutdown. */
const CLOSE_TIMEOUT_MS = 1000;

type Done = (error?: Error | null) => void;

interface PortStream extends Duplex {
  readonly path: string;
  readonly isOpen: boolean;
  open(done: Done): void;
  flush(done: Done): void;
  close(done: Done): void;
}

export function completion(call: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });
}

export class StreamLink implements ByteLink {
  readonly #port: PortStream;
  readonly #bytes = new Signal<[Uint8Array]>();
  readonly #closed = new Signal<[Error | undefined]>();
  #open = true;
  #ended = false;
  #cause: Error | undefined;
  #closing: Promise<void> | undefined;

  /** Reads immediately, because a disconnection is detected only while the port is being read. */
  constructor(port: PortStream) {
    this.#port = port;
    port.on('data', (bytes: Buffer) => this.#bytes.emit(bytes));
    port.on('error', (error: Error) => this.#fail(error));
    port.on('close', (cause?: Error | null) => this.#end(cause ?? this.#cause));
  }

  write(bytes: Uint8Array): void {
    const port = this.#port;
    // A closed serialport queues writes until the next open, so a stale motion command could be executed.
    if (!this.#open || !port.isOpen)
      throw new GatewayError('SERIAL_DOWN', portMessage('closed', { path: port.path }));
    if (port.writableLength + bytes.length > MAX_PENDING_BYTES) {
      throw new GatewayError('SERIAL_DOWN', portMessage('stuck', { path: port.path }), {
        hint: portMessage('stuck-hint'),
      });
    }
    port.write(Buffer.from(bytes));
  }

  onBytes(listener: (bytes: Uint8Array) => void): Cancel {
    return this.#bytes.on(listener);
  }

  onClose(listener: (cause?: Error) => void): Cancel {
    return this.#closed.on(listener);
  }

  /** Always resolves, within 1 s. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  /** After an error, the device's state is unknown, so the connection ends. */
  #fail(cause: Error): void {
    this.#cause ??= cause;
    this.#closing ??= this.#shut();
  }

  async #shut(): Promise<void> {
    this.#open = false;
    if (!this.#port.isOpen) return;
    await this.#closePort();
    this.#end(this.#cause);
  }

  #closePort(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.#port.close(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }

  #end(cause: Error | undefined): void {
    this.#open = false;
    this.#closing ??= Promise.resolve();
    if (this.#ended) return;
    this.#ended = true;
    this.#closed.emit(cause);
  }
}
