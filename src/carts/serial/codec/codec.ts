import { cobsDecodeInPlace, cobsEncode } from './cobs.js';
import type { Frame } from './frames.js';
import { type DropCause, type DropHead, packRaw, parseRaw } from './raw-frame.js';

/** CGW1, the serial protocol described in docs/protocol.md. */

export { cobsDecode, cobsEncode } from './cobs.js';
export { crc16 } from './crc.js';
export * from './frames.js';
export type { DropCause, DropHead } from './raw-frame.js';

/** Longest encoded frame, excluding the delimiter: 54 bytes raw, plus 1 byte of COBS overhead. */
const MAX_STUFFED = 55;

/** Appends the delimiter. Throws a RangeError that names the field if a value does not fit. */
export function encodeFrame(frame: Frame): Uint8Array {
  const stuffed = cobsEncode(packRaw(frame));
  const wire = new Uint8Array(stuffed.length + 1);
  wire.set(stuffed);
  return wire;
}

/**
 * Extracts frames from a byte stream that may be split anywhere. Buffers at most 55 bytes, resynchronises at
 * the next 0x00 and never throws. Counts invalid frames and reports them to `onDrop`; a controller replies
 * with a NACK if the CRC is valid.
 */
export class Deframer {
  readonly counters: Record<DropCause, number> = {
    overflow: 0,
    cobs: 0,
    crc: 0,
    length: 0,
    version: 0,
    type: 0,
    value: 0,
  };
  readonly #buffer = new Uint8Array(MAX_STUFFED);
  readonly #view = new DataView(this.#buffer.buffer);
  readonly #onFrame: (frame: Frame) => void;
  readonly #onDrop: ((cause: DropCause, head?: DropHead) => void) | undefined;
  #length = 0;
  #overflowed = false;

  constructor(onFrame: (frame: Frame) => void, onDrop?: (cause: DropCause, head?: DropHead) => void) {
    this.#onFrame = onFrame;
    this.#onDrop = onDrop;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0) this.#endFrame();
      else if (this.#length < MAX_STUFFED) this.#buffer[this.#length++] = byte;
      else this.#overflowed = true;
    }
  }

  #endFrame(): void {
    const length = this.#length;
    const overflowed = this.#overflowed;
    // The listener may throw or call `push`, so the state is reset first.
    this.#length = 0;
    this.#overflowed = false;
    if (length === 0) return;
    const rawBytes = overflowed ? -1 : cobsDecodeInPlace(this.#buffer, length);
    if (rawBytes < 0) this.#drop(overflowed ? 'overflow' : 'cobs');
    else this.#deliver(parseRaw(this.#buffer, this.#view, rawBytes));
  }

  #deliver(result: ReturnType<typeof parseRaw>): void {
    if ('cause' in result) this.#drop(result.cause, result.head);
    else this.#onFrame(result);
  }

  #drop(cause: DropCause, head?: DropHead): void {
    this.counters[cause]++;
    this.#onDrop?.(cause, head);
  }
}

/** Bits of `HELLO_R.caps`. `simulated`: the controller has no hardware. */
export const CAPS = {
  closedLoopDistance: 1 << 0,
  heading: 1 << 1,
  odometry: 1 << 2,
  battery: 1 << 3,
  motorTemp: 1 << 4,
  estopInput: 1 << 5,
  brake: 1 << 6,
  protectiveField: 1 << 7,
  simulated: 1 << 15,
} as const;

export const FAULTS = {
  undervolt: 1 << 0,
  overcurrent: 1 << 1,
  overtempM1: 1 << 2,
  overtempM2: 1 << 3,
  overtempBoard: 1 << 4,
  encoder: 1 << 5,
  stall: 1 << 6,
  watchdogReset: 1 << 7,
  brownout: 1 << 8,
  linkLost: 1 << 9,
  crcBurst: 1 << 10,
  obstacle: 1 << 11,
  sensorSilent: 1 << 12,
  estopInput: 1 << 13,
} as const;

/** Bits of `RANGES.bumpers`. */
export const BUMPERS = {
  frontLeft: 1 << 0,
  frontRight: 1 << 1,
  rearLeft: 1 << 2,
  rearRight: 1 << 3,
} as const;

/** Bits of `RANGES.blocked`: the directions in which the controller rejects motion. */
export const BLOCKED = { forward: 1 << 0, backward: 1 << 1, sensorSilent: 1 << 2, turning: 1 << 3 } as const;

type FaultName = keyof typeof FAULTS;

/** Names of the bits that are set, lowest bit first; undefined bits are ignored. */
export function faultNames(faults: number): FaultName[] {
  return (Object.keys(FAULTS) as FaultName[]).filter((name) => faults & FAULTS[name]);
}
