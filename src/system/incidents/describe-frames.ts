import { Deframer, type Frame } from '../../carts/index.js';
import type { Settings } from '../../settings/index.js';
import type { TimedBytes } from './black-box.js';

/** Returns one line per frame on the serial line: time, direction, fields and bytes in hexadecimal. */
export function* describeFrames(
  chunks: Iterable<TimedBytes>,
  dialect: Settings['serial']['driver'],
): Iterable<string> {
  if (dialect === 'roboclaw' || dialect === 'sabertooth') return yield* describePackets(chunks);
  const end = dialect === 'cgw1' ? 0x00 : 0x0a;
  const describe = dialect === 'cgw1' ? describeCgw1 : describeText;
  const pending = { out: Buffer.alloc(0), in: Buffer.alloc(0) };
  for (const { direction, time, bytes } of chunks) {
    let rest = Buffer.concat([pending[direction], bytes]);
    for (let at = rest.indexOf(end); at >= 0; at = rest.indexOf(end)) {
      const frame = rest.subarray(0, at + 1);
      rest = rest.subarray(at + 1);
      if (frame.length > 1)
        yield `${time} ${direction.padEnd(3)} ${describe(frame)}  ${frame.toString('hex')}`;
    }
    pending[direction] = rest.length > 1024 ? Buffer.alloc(0) : rest;
  }
}

/** Returns one line per chunk, because the data of a board with a packet protocol has no delimiters. */
function* describePackets(chunks: Iterable<TimedBytes>): Iterable<string> {
  for (const { direction, time, bytes } of chunks)
    yield `${time} ${direction.padEnd(3)} ${Buffer.from(bytes).toString('hex')}`;
}

function describeCgw1(bytes: Uint8Array): string {
  let text = '?';
  new Deframer(
    (frame: Frame) => {
      const { type, ...fields } = frame;
      text = [type, ...Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
    },
    (cause) => {
      text = `damaged (${cause})`;
    },
  ).push(bytes);
  return text;
}

function describeText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]/g, '');
}
