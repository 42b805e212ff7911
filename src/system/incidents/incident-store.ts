import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, removeFile, writeFileAtomic } from '../../shared/files.js';
import { SerialQueue } from '../../shared/queues.js';
import { systemMessage } from '../messages.js';
import { expendable, incidentFor, type Recorded } from './incidents.js';
import { type RecordingContent, writeRecording } from './recording-file.js';

/** What stopped the cart; `at` in ms since 1970 UTC. */
export interface IncidentSummary {
  cause: string;
  at: number;
  /** Whether it belongs to the incident of the newest recording; undefined when only the times can tell. */
  continues: boolean | undefined;
  stops: readonly { time: string; cause: string; text: string }[];
}

/** A box on the disk. */
export interface StoredIncident {
  name: string;
  bytes: number;
  cause: string;
  /** ms since 1970 UTC, by the clock of then. */
  at: number;
  /** Number of the first recording of the same incident. */
  incident: number;
  /** Kept until an administrator unpins it. */
  pinned: boolean;
}

/** Version 0.1 wrote names without `-of-`: such a recording is the first of its incident. */
const NAME = /^black-box-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([a-z-]+?)(?:-of-(\d{6,}))?\.zip$/;
const UNFINISHED = '.part';
/** An empty file beside a pinned recording. */
const PIN = '.pin';
const MAX_PINS = 10;
/** The database comes first: it stops to save below half of this. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** The frozen boxes, each one ZIP file without secrets. `incidents.ts` decides which of them stay. */
export class IncidentStore {
  readonly #dir: string;
  readonly #turns = new SerialQueue();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Newest first, by their number: a Pi's clock may have been wrong. */
  async list(): Promise<StoredIncident[]> {
    const found = await this.#recorded();
    const sizes = await Promise.all(found.map(({ name }) => this.#sizeOf(name)));
    return found.flatMap(({ name, cause, at, incident, pinned }, index) => {
      const bytes = sizes[index];
      return bytes === undefined ? [] : [{ name, cause, at, bytes, incident, pinned }];
    });
  }

  /** By their names alone, newest first. */
  async #recorded(): Promise<(Recorded & { cause: string })[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const pins = new Set(names.filter((name) => name.endsWith(PIN)));
    const found = names.flatMap((name) => {
      const [, number, year, month, day, hour, minute, second, cause, incident = number] =
        NAME.exec(name) ?? [];
      if (!number || !cause) return [];
      return [
        {
          ...{ name, cause, number: Number(number), incident: Number(incident) },
          pinned: pins.has(`${name}${PIN}`),
          at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
        },
      ];
    });
    return found.sort((a, b) => b.number - a.number);
  }

  /**
   * Keeps a recording until `unpin`; resolves when a restart keeps it, too. Rejects with `NOT_FOUND`, and with `CONFLICT`
   * when ten are pinned.
   */
  pin(name: string): Promise<void> {
    return this.#turns.take(async () => {
      const path = await this.pathOf(name);
      const pinned = (await this.#recorded()).filter((box) => box.pinned);
      if (pinned.some((box) => box.name === name)) return;
      if (pinned.length >= MAX_PINS) {
        throw new GatewayError('CONFLICT', systemMessage('too-many-pinned', { limit: MAX_PINS }), {
          ...{ limit: MAX_PINS, unit: 'recordings', hint: systemMessage('too-many-pinned-hint') },
        });
      }
      await writeFileAtomic(`${path}${PIN}`, '');
    });
  }

  /** Lets a recording be removed again, with the next one that is written at the earliest. Rejects with `NOT_FOUND`. */
  unpin(name: string): Promise<void> {
    return this.#turns.take(async () => removeFile(`${await this.pathOf(name)}${PIN}`));
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

  /** Writes a box, then removes those that are not needed. Rejects with the file system's error; then none is lost. */
  put(summary: IncidentSummary, content: RecordingContent): Promise<StoredIncident> {
    return this.#turns.take(() => this.#put(summary, content));
  }

  async #put(summary: IncidentSummary, content: RecordingContent): Promise<StoredIncident> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#refuseWhenTight();
    const boxes = await this.#recorded();
    const number = (boxes[0]?.number ?? 0) + 1;
    const joined = incidentFor(summary, boxes);
    const stamp = new Date(summary.at).toISOString().replace(/[-:]|\.\d+/g, '');
    const of = joined === undefined ? '' : `-of-${padded(joined)}`;
    const name = `black-box-${padded(number)}-${stamp}-${summary.cause}${of}.zip`;
    const temp = join(this.#dir, `${name}${UNFINISHED}`);
    try {
      await writeRecording(temp, content, new Date(summary.at));
      await rename(temp, join(this.#dir, name));
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
    await this.#sweep(summary.at);
    const { size: bytes } = await stat(join(this.#dir, name));
    return { name, bytes, cause: summary.cause, at: summary.at, incident: joined ?? number, pinned: false };
  }

  async #sweep(now: number): Promise<void> {
    const cutOff = (await readdir(this.#dir)).filter((name) => name.endsWith(UNFINISHED));
    const gone = [...expendable(await this.#recorded(), now), ...cutOff];
    await Promise.all(gone.map((name) => rm(join(this.#dir, name), { force: true })));
  }

  async #refuseWhenTight(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dir);
    if (bavail * bsize >= RESERVE_BYTES) return;
    throw new GatewayError('STORE_FULL', systemMessage('no-room'), {
      ...{ limit: RESERVE_BYTES, unit: 'bytes free' },
    });
  }
}

const padded = (number: number): string => String(number).padStart(6, '0');
