import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, removeFile, syncDirectory, writeFileAtomic } from '../../shared/files.js';
import { SerialQueue } from '../../shared/queues.js';
import { systemMessage } from '../messages.js';
import { expendable, incidentFor, type Recording } from './incidents.js';
import { type RecordingContent, writeRecording } from './recording-file.js';

export interface IncidentSummary {
  cause: string;
  /** Unix time in ms. */
  at: number;
  /** True if the stop belongs to the latest incident; undefined if the recordings' times must be compared. */
  continues: boolean | undefined;
  /** `text` is the actor's name. Recordings of version 0.2 do not contain the actor. */
  stops: readonly { time: string; cause: string; text: string; actor: Omit<Actor, 'name'> }[];
}

export interface StoredIncident {
  name: string;
  bytes: number;
  cause: string;
  /** Wall-clock time as Unix time in ms; the clock may have been wrong. */
  at: number;
  /** Sequence number of the incident's first recording. */
  incident: number;
  /** Pinned recordings are kept until an administrator unpins them. */
  pinned: boolean;
}

/**
 * A name without an `-of-` part belongs to an incident's first recording, or to a recording made by version
 * 0.1.
 */
const NAME = /^black-box-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([a-z-]+?)(?:-of-(\d{6,}))?\.zip$/;
const UNFINISHED = '.part';
/** Suffix of the empty file that marks a pinned recording. */
const PIN = '.pin';
const MAX_PINS = 10;
/** With less free disk space, no recording is written, because half of this space is reserved for the database. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Stores each recording as a ZIP file without secrets. `incidents.ts` selects the recordings to remove. */
export class IncidentStore {
  readonly #dir: string;
  readonly #queue = new SerialQueue();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Returns the recordings, sorted by number with the newest first, because the clock may have been wrong. */
  async list(): Promise<StoredIncident[]> {
    const found = await this.#recordings();
    const sizes = await Promise.all(found.map(({ name }) => this.#sizeOf(name)));
    return found.flatMap(({ name, cause, at, incident, pinned }, index) => {
      const bytes = sizes[index];
      return bytes === undefined ? [] : [{ name, cause, at, bytes, incident, pinned }];
    });
  }

  async #recordings(): Promise<(Recording & { cause: string })[]> {
    const names = await readdir(this.#dir).catch(() => []);
    const pins = new Set(names.filter((name) => name.endsWith(PIN)));
    const found = names.flatMap((name) => {
      const [, number, year, month, day, hour, minute, second, cause, incident = number] =
        NAME.exec(name) ?? [];
      if (!number || !cause) return [];
      return [
        {
          name,
          cause,
          number: Number(number),
          incident: Number(incident),
          pinned: pins.has(`${name}${PIN}`),
          at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
        },
      ];
    });
    return found.sort((a, b) => b.number - a.number);
  }

  /** Resolves when the pin is on disk. Rejects with `NOT_FOUND`, or `CONFLICT` if ten recordings are pinned. */
  pin(name: string): Promise<void> {
    return this.#queue.take(async () => {
      const path = await this.pathOf(name);
      const pinned = (await this.#recordings()).filter((recording) => recording.pinned);
      if (pinned.some((recording) => recording.name === name)) return;
      if (pinned.length >= MAX_PINS) {
        throw new GatewayError('CONFLICT', systemMessage('too-many-pinned', { limit: MAX_PINS }), {
          limit: MAX_PINS,
          unit: 'recordings',
          hint: systemMessage('too-many-pinned-hint'),
        });
      }
      await writeFileAtomic(`${path}${PIN}`, '');
    });
  }

  /** Allows the gateway to remove the recording automatically. Rejects with `NOT_FOUND`. */
  unpin(name: string): Promise<void> {
    return this.#queue.take(async () => removeFile(`${await this.pathOf(name)}${PIN}`));
  }

  /** Returns undefined if the file has been removed in the meantime. */
  async #sizeOf(name: string): Promise<number | undefined> {
    try {
      return (await stat(join(this.#dir, name))).size;
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Rejects with `NOT_FOUND`. */
  async pathOf(name: string): Promise<string> {
    const recordings = await this.list();
    if (recordings.some((recording) => recording.name === name)) return join(this.#dir, name);
    throw new GatewayError('NOT_FOUND', `recording ${name} not found`, { field: 'name' });
  }

  /** Writes a recording, then removes expendable ones. If writing fails, removes nothing and rejects. */
  put(summary: IncidentSummary, content: RecordingContent): Promise<StoredIncident> {
    return this.#queue.take(() => this.#put(summary, content));
  }

  async #put(summary: IncidentSummary, content: RecordingContent): Promise<StoredIncident> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    await this.#requireFreeSpace();
    const recordings = await this.#recordings();
    const number = (recordings[0]?.number ?? 0) + 1;
    const joined = incidentFor(summary, recordings);
    const stamp = new Date(summary.at).toISOString().replace(/[-:]|\.\d+/g, '');
    const of = joined === undefined ? '' : `-of-${padded(joined)}`;
    const name = `black-box-${padded(number)}-${stamp}-${summary.cause}${of}.zip`;
    const temp = join(this.#dir, `${name}${UNFINISHED}`);
    try {
      await writeRecording(temp, content, new Date(summary.at));
      await rename(temp, join(this.#dir, name));
      await syncDirectory(this.#dir);
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
    await this.#removeOld(summary.at);
    const { size: bytes } = await stat(join(this.#dir, name));
    return { name, bytes, cause: summary.cause, at: summary.at, incident: joined ?? number, pinned: false };
  }

  async #removeOld(now: number): Promise<void> {
    const unfinished = (await readdir(this.#dir)).filter((name) => name.endsWith(UNFINISHED));
    const removed = [...expendable(await this.#recordings(), now), ...unfinished];
    await Promise.all(removed.map((name) => rm(join(this.#dir, name), { force: true })));
  }

  async #requireFreeSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#dir);
    if (bavail * bsize >= RESERVE_BYTES) return;
    throw new GatewayError('STORE_FULL', systemMessage('disk-low'), {
      limit: RESERVE_BYTES,
      unit: 'bytes free',
    });
  }
}

const padded = (number: number): string => String(number).padStart(6, '0');
