import type { Cancel } from './clock.js';

/**
 * An open byte connection to a controller. Every connection is a new object with no state from the previous
 * one.
 */
export interface ByteLink {
  /**
   * Passes the bytes to the device immediately, or throws `SERIAL_DOWN`. Nothing is queued for a later
   * connection.
   */
  write(bytes: Uint8Array): void;
  onBytes(listener: (bytes: Uint8Array) => void): Cancel;
  /** Calls the listener once. `cause` is absent if `close` was called. */
  onClose(listener: (cause?: Error) => void): Cancel;
  close(): Promise<void>;
}

export interface ByteLinkOpener {
  /** The device path, for display. */
  readonly path: string;
  readonly simulated: boolean;
  /** Opens a new connection with empty buffers. Rejects with an error that names the path and the cause. */
  open(): Promise<ByteLink>;
}
