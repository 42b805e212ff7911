import { Deframer, encodeFrame, type Frame } from '../codec/codec.js';
import { frameOfLine, lineOf } from '../codec/json-frames.js';
import { encodeLine, LineReader } from '../codec/json-lines.js';
import type { HelloTiming } from './handshake.js';

export interface Dialect {
  /** True if frames contain a session number, so that frames from an earlier session can be detected. */
  readonly hasSessions: boolean;
  /** Sent before the first frame and after a pause, to terminate any incomplete frame on the line. */
  readonly opening: Uint8Array;
  readonly hello: HelloTiming;
  encode(frame: Frame): Uint8Array;
  /** Returns a function that decodes received bytes. `onBroken` is called for every invalid frame. */
  decoder(onFrame: (frame: Frame) => void, onBroken: () => void): (bytes: Uint8Array) => void;
}

export const cgw1: Dialect = {
  hasSessions: true,
  opening: Uint8Array.of(0),
  // A controller without a session sends STATUS, so the wait ends as soon as its firmware runs. Boot loaders
  // start the firmware after 1.4 s of silence, but a Mega's boot loader waits 5 s after each byte. Between the
  // HELLOs of two attempts, the line is silent for 6 s plus the link's reconnection delay.
  hello: { firstMs: 2000, repeats: false, timeoutMs: 6000 },
  encode: encodeFrame,
  decoder(onFrame, onBroken) {
    const deframer = new Deframer(onFrame, onBroken);
    return (bytes) => deframer.push(bytes);
  },
};

export function jsonLines({ requireChecksum }: { requireChecksum: boolean }): Dialect {
  return {
    hasSessions: false,
    opening: new TextEncoder().encode('\n'),
    hello: { firstMs: 0, repeats: true, timeoutMs: 5000 },
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
        // A line with a wrong checksum counts as an invalid frame; a boot banner does not.
        for (let count = before; count < reader.counters.checksum; count++) onBroken();
      };
    },
  };
}
