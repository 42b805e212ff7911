import { cobsDecodeInPlace, cobsEncode } from './cobs.js';
import type { Frame } from './frames.js';
import { type DropCause, type DropHead, packRaw, parseRaw } from './raw-frame.js';

/** CGW1, the serial protocol of docs/protocol.md: frames to wire bytes and back. */

export { cobsDecode, cobsEncode } from './cobs.js';
export { crc16 } from './crc.js';
export * from './frames.js';
export type { DropCause, DropHead } from './raw-frame.js';

/** The longest frame as it stands before its delimiter: 54 bytes raw, one more through COBS. */
const MAX_STUFFED = 55;

/**
 * The wire bytes of a frame, with the 0x00 that ends it.
 * Throws a RangeError that names the field for a value outside its wire type.
 */
export function encodeFrame(frame: Frame): Uint8Array {
  const stuffed = cobsEncode(packRaw(frame));
  const wire = new Uint8Array(stuffed.length + 1);
  wire.set(stuffed);
  return wire;
}

/**
 * Finds frames in a stream of bytes, whatever the pieces it arrives in. Holds 55 bytes at most, is in step again
 * after the next 0x00, and throws for no input. A frame is handed on only when CRC, version, type, length and
 * every value are right; anything else is counted in `counters` and told to `onDrop`, with the frame's head when
 * the CRC vouches for it (causes type, length and value): those a controller answers with a NACK.
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

  /** Takes the next bytes of the stream; frames that end in them are handed on before it returns. */
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
    // Ready for the next frame before anyone is called: a listener may throw, or push.
    this.#length = 0;
    this.#overflowed = false;
    if (length === 0) return;
    const rawBytes = overflowed ? -1 : cobsDecodeInPlace(this.#buffer, length);
    if (rawBytes < 0) this.#drop(overflowed ? 'overflow' : 'cobs');
    else this.#handOn(parseRaw(this.#buffer, this.#view, rawBytes));
  }

  #handOn(result: ReturnType<typeof parseRaw>): void {
    if ('cause' in result) this.#drop(result.cause, result.head);
    else this.#onFrame(result);
  }

  #drop(cause: DropCause, head?: DropHead): void {
    this.counters[cause]++;
    this.#onDrop?.(cause, head);
  }
}

/** Bits of `HELLO_R.caps`. `simulated`: no metal behind the line, and the controller says so. */
export const CAPS = {
  closedLoopDistance: 1 << 0,
  heading: 1 << 1,
  odometry: 1 << 2,
  battery: 1 << 3,
  motorTemp: 1 << 4,
  estopInput: 1 << 5,
  brake: 1 << 6,
  simulated: 1 << 15,
} as const;

/** Bits of `STATUS.faults`. */
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
} as const;

type FaultName = keyof typeof FAULTS;

/** The names of the bits set in `STATUS.faults`, lowest first; undefined bits are passed over. */
export function faultNames(faults: number): FaultName[] {
  return (Object.keys(FAULTS) as FaultName[]).filter((name) => faults & FAULTS[name]);
}
