import { Deframer, encodeFrame, type Frame } from '../codec/codec.js';
import { frameOfLine, lineOf } from '../codec/json-frames.js';
import { encodeLine, LineReader } from '../codec/json-lines.js';

/** How frames are dressed on the wire. */
export interface Dialect {
  /** Frames carry a session, so that leftovers of another process are told apart. */
  readonly hasSessions: boolean;
  /** Sent first, so that what already stands on the line spoils nothing. */
  readonly opening: Uint8Array;
  encode(frame: Frame): Uint8Array;
  /** Takes received bytes in any pieces; `onBroken` is called for every piece that is no frame. */
  decoder(onFrame: (frame: Frame) => void, onBroken: () => void): (bytes: Uint8Array) => void;
}

export const cgw1: Dialect = {
  hasSessions: true,
  opening: Uint8Array.of(0),
  encode: encodeFrame,
  decoder(onFrame, onBroken) {
    const deframer = new Deframer(onFrame, onBroken);
    return (bytes) => deframer.push(bytes);
  },
};

/** The same frames, one JSON object a line. */
export function jsonLines({ requireChecksum }: { requireChecksum: boolean }): Dialect {
  return {
    hasSessions: false,
    opening: new TextEncoder().encode('\n'),
    encode: (frame) => encodeLine(lineOf(frame), { checksum: true }),
    decoder(onFrame, onBroken) {
      const onLine = (object: unknown): void => {
        const frame = frameOfLine(object);
        if (frame) onFrame(frame);
        else onBroken();
      };
      const reader = new LineReader(onLine, { requireChecksum });
      return (bytes) => {
        const before = reader.counters.checksum;
        reader.push(bytes);
        // Boot banners are no fault; a broken checksum is.
        for (let count = before; count < reader.counters.checksum; count++) onBroken();
      };
    },
  };
}
