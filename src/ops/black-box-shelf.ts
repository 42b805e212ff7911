import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../util/errors.js';
import { fileErrorCode } from '../util/files.js';
import { redactor, redactText } from '../util/redact.js';
import { ZipWriter } from './zip.js';

/** What stopped the cart; `at` in ms since 1970 UTC. */
export interface BoxSummary {
  cause: string;
  at: number;
  stops: readonly { time: string; cause: string; text: string }[];
}

export interface BoxContent {
  about: object;
  commands: Iterable<object>;
  frames: Iterable<string>;
  samples: Iterable<{ time: string; sample: string }>;
  log: Iterable<object>;
  stills: Iterable<{ time: string; jpeg: Buffer }>;
}

/** A box on the disk. */
export interface KeptBox {
  name: string;
  bytes: number;
  cause: string;
  /** ms since 1970 UTC, by the clock of then. */
  at: number;
}

const NAME = /^black-box-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([a-z-]+)\.zip$/;
const UNFINISHED = '.part';
const KEEP = 5;
/** The database comes first: it stops to save below half of this. */
const RESERVE_BYTES = 64 * 1024 * 1024;
/** So long is worked on it at a time, however slow the machine; then others have their turn. */
const SLICE_MS = 1;

/** The frozen boxes, each one ZIP file without secrets; the newest five stay. */
export class BoxShelf {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Newest first, by their number: a Pi's clock may have been wrong. */
  async list(): Promise<KeptBox[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const found = names.flatMap((name) => {
      const [, number, year, month, day, hour, minute, second, cause] = NAME.exec(name) ?? [];
      if (!number || !cause) return [];
      return [
        {
          name,
          cause,
          number: Number(number),
          at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
        },
      ];
    });
    found.sort((a, b) => b.number - a.number);
    const sizes = await Promise.all(found.map(({ name }) => this.#sizeOf(name)));
    return found.flatMap(({ name, cause, at }, index) => {
      const bytes = sizes[index];
      return bytes === undefined ? [] : [{ name, cause, at, bytes }];
    });
  }

  /** Undefined for a box that has given way to a newer one meanwhile. */
  async #sizeOf(name: string): Promise<number | undefined> {
    try {
      return (await stat(join(this.#dir, name))).size;
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Where a box lies. Rejects with `NOT_FOUND`. */
  async pathOf(name: string): Promise<string> {
    const boxes = await this.list();
    if (boxes.some((box) => box.name === name)) return join(this.#dir, name);
    throw new GatewayError('NOT_FOUND', `there is no black box ${name}`, { field: 'name' });
  }

  /** Writes a box and removes the oldest beyond five. Rejects with the file system's error; then none is lost. */
  async put(summary: BoxSummary, content: BoxContent): Promise<KeptBox> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#refuseWhenTight();
    const [newest] = await this.list();
    const number = String(Number(NAME.exec(newest?.name ?? '')?.[1] ?? 0) + 1).padStart(6, '0');
    const stamp = new Date(summary.at).toISOString().replace(/[-:]|\.\d+/g, '');
    const name = `black-box-${number}-${stamp}-${summary.cause}.zip`;
    const temp = join(this.#dir, `${name}${UNFINISHED}`);
    try {
      await writeBox(temp, content, new Date(summary.at));
      await rename(temp, join(this.#dir, name));
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
    await this.#sweep();
    const { size: bytes } = await stat(join(this.#dir, name));
    return { name, bytes, cause: summary.cause, at: summary.at };
  }

  async #sweep(): Promise<void> {
    const boxes = await this.list();
    const cutOff = (await readdir(this.#dir)).filter((name) => name.endsWith(UNFINISHED));
    const gone = [...boxes.slice(KEEP).map(({ name }) => name), ...cutOff];
    await Promise.all(gone.map((name) => rm(join(this.#dir, name), { force: true })));
  }

  async #refuseWhenTight(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dir);
    if (bavail * bsize >= RESERVE_BYTES) return;
    throw new GatewayError('STORE_FULL', 'there is not enough free space for a black box', {
      ...{ limit: RESERVE_BYTES, unit: 'bytes free' },
    });
  }
}

async function writeBox(path: string, content: BoxContent, at: Date): Promise<void> {
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
