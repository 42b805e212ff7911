import type { Text } from '../messages/message.js';
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

/** Boards with different boot loaders. `nano-old` is a Nano with the boot loader ATmegaBOOT. */
export const BOARDS = ['uno', 'nano-old', 'mega'] as const;
export type Board = (typeof BOARDS)[number];

export interface FlashJob {
  board: Board;
  /** Path of the serial device. */
  path: string;
  /** Programs in Intel HEX format, written and verified one after the other. */
  sections: readonly string[];
}

export interface FlashProgress {
  step: 'write' | 'verify';
  /** Index in `FlashJob.sections`. */
  section: number;
  percent: number;
}

/** `stopped` means that `stop()` ended the program. */
export type FlashEnd = { outcome: 'flashed' | 'stopped' } | { outcome: 'failed'; reason: Text; hint: Text };

/** Writes programs to the motor controller's flash memory through the board's boot loader. */
export interface Flasher {
  /** Returns true if the program that this adapter uses is installed. */
  isInstalled(): boolean;
  /** Writes the sections and compares each with the memory. Never rejects. */
  flash(job: FlashJob, onProgress: (progress: FlashProgress) => void): Promise<FlashEnd>;
  /** Kills a running program. Resolves when the program has ended. */
  stop(): Promise<void>;
  /** Kills a program that a killed gateway has left running. Resolves with false if there was none. */
  clear(): Promise<boolean>;
}
