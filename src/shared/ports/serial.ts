import type { Cancel } from './clock.js';

/** One open byte connection to a controller. A new connection is a new object: nothing is carried over. */
export interface ByteLink {
  /** Hands the bytes to the device at once, or throws `SERIAL_DOWN`: nothing is kept for a later connection. */
  write(bytes: Uint8Array): void;
  onBytes(listener: (bytes: Uint8Array) => void): Cancel;
  /** Called once; `cause` is missing when we closed it ourselves. */
  onClose(listener: (cause?: Error) => void): Cancel;
  close(): Promise<void>;
}

/** Where the controller is reached. */
export interface ByteLinkOpener {
  /** The device path, for people. */
  readonly path: string;
  readonly simulated: boolean;
  /** Opens a fresh connection with empty buffers; rejects with a sentence that names the path and the cause. */
  open(): Promise<ByteLink>;
}
