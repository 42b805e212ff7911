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

const SLICE_MS = 1;

/** Writes a ZIP file without secrets. Resolves after fsync. */
export async function writeRecording(path: string, content: RecordingContent, at: Date): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    const zip = new ZipWriter((bytes) => file.writeFile(bytes));
    const json = (value: object): string => JSON.stringify(value, redactor);
    const about = JSON.stringify(content.about, redactor, 2);
    await zip.add('README.txt', Buffer.from(README), at);
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

/** Formats lines in batches, because a recording has about 10,000 lines, and a heartbeat is due every 100 ms. */
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

const README = `Recording of the ten minutes before a stop and the two seconds after it. Times are UTC.

about.json       cause of the stop, version, and settings without passwords
commands.jsonl   every state of every command, one JSON object per line
frames.txt       serial frames: time, direction (out: to the controller), content, bytes
telemetry.jsonl  cart and connections, five times a second while moving; otherwise once a second
log.jsonl        latest log lines
stills/          camera images, fewer from earlier minutes
`;
