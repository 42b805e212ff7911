import { Deframer, encodeFrame, type Frame } from '../codec/codec.js';
import { frameOfLine, jsonLineOf } from '../codec/json-frames.js';
import { encodeLine, LineReader } from '../codec/json-lines.js';

export interface Dialect {
  /** True if frames contain a session number, so that frames from an earlier session can be detected. */
  readonly hasSessions: boolean;
  /** Sent before the first frame and after a pause, to terminate any incomplete frame on the line. */
  readonly opening: Uint8Array;
  /**
   * True if HELLO is repeated to a controller that sends no frames. CGW1 needs no repetition, because its
   * controllers send STATUS even without a session, and each frame triggers a HELLO. Repetition delays a Mega,
   * because its boot loader waits for 5 s of silence after receiving bytes.
   */
  readonly repeatsHello: boolean;
  encode(frame: Frame): Uint8Array;
  /** `onBroken` is called for every invalid frame. */
  decoder(onFrame: (frame: Frame) => void, onBroken: () => void): (bytes: Uint8Array) => void;
}

export const cgw1: Dialect = {
  hasSessions: true,
  opening: Uint8Array.of(0),
  repeatsHello: false,
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
    repeatsHello: true,
    encode: (frame) => encodeLine(jsonLineOf(frame), { checksum: true }),
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
