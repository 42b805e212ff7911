import { open } from 'node:fs/promises';
import { redactor, redactText } from '../../shared/log.js';
import { ZipWriter } from './zip.js';

export interface RecordingContent {
  about: object;
  commands: Iterable<object>;
  frames: Iterable<string>;
  samples: Iterable<{ time: string; sample: string }>;
  log: Iterable<object>;
  stills: Iterable<{ time: string; jpeg: Buffer }>;
}

/** So long is worked on it at a time, however slow the machine; then others have their turn. */
const SLICE_MS = 1;

/** Writes a recording as a ZIP file without secrets; resolves when it is on the disk. */
export async function writeRecording(path: string, content: RecordingContent, at: Date): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const zip = new ZipWriter((bytes) => file.writeFile(bytes));
    const json = (value: object): string => JSON.stringify(value, redactor);
    const about = JSON.stringify(content.about, redactor, 2);
    await zip.add('README.txt', Buffer.from(WHAT_IS_WHAT), at);
    await zip.add('about.json', Buffer.from(`${about}\n`), at);
    await zip.add('commands.jsonl', await linesOf(content.commands, json), at);
    await zip.add('frames.txt', await linesOf(content.frames, (line) => line), at);
    await zip.add('telemetry.jsonl', await linesOf(content.samples, sampleLine), at);
    await zip.add('log.jsonl', await linesOf(content.log, json), at);
    for (const { time, jpeg } of content.stills) {
      const name = `stills/${time.replaceAll(':', '-')}.jpg`;
      await zip.add(name, jpeg, new Date(time), { compress: false });
    }
    await zip.end();
    await file.sync();
  } finally {
    await file.close();
  }
}

function sampleLine({ time, sample }: { time: string; sample: string }): string {
  return redactText(`{"time":"${time}",${sample.slice(1)}`);
}

/** One text; ten minutes are some ten thousand lines, and a moving cart's heartbeat is due in between. */
async function linesOf<T>(items: Iterable<T>, line: (item: T) => string): Promise<Buffer> {
  const slices: Buffer[] = [];
  let texts: string[] = [];
  let sinceMs = performance.now();
  const take = (): void => {
    slices.push(Buffer.from(texts.map((text) => `${text}\n`).join('')));
    texts = [];
  };
  for (const item of items) {
    texts.push(line(item));
    if (performance.now() - sinceMs < SLICE_MS) continue;
    take();
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = performance.now();
  }
  take();
  return Buffer.concat(slices);
}

const WHAT_IS_WHAT = `What this gateway saw of its cart in the ten minutes before a stop. Times are UTC.

about.json       what stopped the cart, the version, and the settings without passwords
commands.jsonl   every step of every command, one JSON object a line
frames.txt       what went over the serial line: time, out to the controller or in from it, what it says, its bytes
telemetry.jsonl  the cart and its links: five times a second while it moves, else once
log.jsonl        the newest lines of the log
stills/          pictures of the camera, while it ran; the older, the fewer
`;
