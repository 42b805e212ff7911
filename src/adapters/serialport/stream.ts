import type { Duplex } from 'node:stream';
import { GatewayError } from '../../shared/errors.js';
import type { ByteLink, Cancel } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';

/** More than this waiting to be sent means that the device takes nothing: 90 ms at 115200 baud, ten frames and more. */
const PENDING_MOST_BYTES = 1024;
/** A driver that hangs in close() must not hold up our own end. */
const CLOSE_MOST_MS = 1000;

type Done = (error?: Error | null) => void;

/** What serialport's streams, real and mock, have in common. */
interface PortStream extends Duplex {
  readonly path: string;
  readonly isOpen: boolean;
  open(done: Done): void;
  flush(done: Done): void;
  close(done: Done): void;
}

/** Turns a call with a callback into a promise. */
export function done(call: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });
}

/** One connection over an open serialport stream. */
export class StreamLink implements ByteLink {
  readonly #port: PortStream;
  readonly #bytes = new Signal<[Uint8Array]>();
  readonly #closed = new Signal<[Error | undefined]>();
  #open = true;
  #ended = false;
  #cause: Error | undefined;
  #closing: Promise<void> | undefined;

  /** Listens at once: a port that nobody reads does not notice that it is unplugged. */
  constructor(port: PortStream) {
    this.#port = port;
    port.on('data', (bytes: Buffer) => this.#bytes.emit(bytes));
    port.on('error', (error: Error) => this.#fail(error));
    port.on('close', (cause?: Error | null) => this.#end(cause ?? this.#cause));
  }

  write(bytes: Uint8Array): void {
    const port = this.#port;
    // A closed serialport keeps what is written and sends it after the next open: a stale move would run then.
    if (!this.#open || !port.isOpen) throw new GatewayError('SERIAL_DOWN', `${port.path} is not open`);
    if (port.writableLength + bytes.length > PENDING_MOST_BYTES) {
      throw new GatewayError('SERIAL_DOWN', `${port.path}: the line is stuck, the device takes no bytes`, {
        hint: 'Check the cable, and that flow control is off.',
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

  /** Resolves in any case, at the latest after a second. */
  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  /** The device is in an unknown state: this connection is over. */
  #fail(cause: Error): void {
    this.#cause ??= cause;
    this.#closing ??= this.#shut();
  }

  async #shut(): Promise<void> {
    this.#open = false;
    // A port that is closing already tells its own cause with its `close` event.
    if (!this.#port.isOpen) return;
    await this.#closePort();
    this.#end(this.#cause);
  }

  #closePort(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, CLOSE_MOST_MS);
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
