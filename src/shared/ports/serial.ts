import type { Cancel } from './clock.js';

/** A connection to a controller. Each connection is a new object with no earlier state. */
export interface ByteLink {
  /** Writes the bytes immediately, or throws `SERIAL_DOWN`. Nothing is queued for a later connection. */
  write(bytes: Uint8Array): void;
  onBytes(listener: (bytes: Uint8Array) => void): Cancel;
  /** Calls the listener once, when the connection closes. `cause` is absent if `close` was called. */
  onClose(listener: (cause?: Error) => void): Cancel;
  close(): Promise<void>;
}

export interface ByteLinkOpener {
  readonly path: string;
  readonly simulated: boolean;
  /** Opens a connection with empty buffers. Rejects with an error that names the path and the cause. */
  open(): Promise<ByteLink>;
}
