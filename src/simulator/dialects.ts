import type { DropHead } from '../carts/codec.js';
import { Deframer, encodeFrame, type Frame, type NackCode } from '../carts/codec.js';

/** Bytes that were no frame; `refusal` with `head` when the sender can be told. */
export interface BrokenFrame {
  head?: { seq: number; session: number };
  refusal?: NackCode;
}

/** How frames look on the wire. */
export interface Dialect {
  /** Takes received bytes, whatever the pieces they come in. */
  push(bytes: Uint8Array): void;
  encode(frame: Frame): Uint8Array;
  /** Sent before the first frame after a start, so that what stands on the line cannot spoil it. */
  readonly opening: Uint8Array;
}

export type DialectName = 'cgw1' | 'json-lines';

export interface DialectEvents {
  onFrame: (frame: Frame) => void;
  onBroken: (broken: BrokenFrame) => void;
}

/** A fresh decoder and encoder: no half frame from before. */
export function createDialect(name: DialectName, events: DialectEvents): Dialect {
  if (name !== 'cgw1') throw new RangeError(`unknown dialect ${name}`);
  return cgw1(events);
}

const REFUSALS = { type: 'UNKNOWN_TYPE', length: 'BAD_LENGTH', value: 'RANGE' } as const;

function cgw1({ onFrame, onBroken }: DialectEvents): Dialect {
  const deframer = new Deframer(onFrame, (cause, head?: DropHead) => {
    const known = cause === 'type' || cause === 'length' || cause === 'value';
    onBroken(head && known ? { head, refusal: REFUSALS[cause] } : {});
  });
  return { push: (bytes) => deframer.push(bytes), encode: encodeFrame, opening: Uint8Array.of(0) };
}
