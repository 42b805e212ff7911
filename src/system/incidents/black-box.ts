import { fileErrorReason } from '../../shared/files.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { type Entry, TimeWindowBuffer } from '../trends/time-window-buffer.js';
import { IncidentStore, type IncidentSummary } from './incident-store.js';
import { IncidentWatch } from './incidents.js';

/** Bytes on the line to the controller, as they went. */
interface LineBytes {
  way: 'out' | 'in';
  bytes: Uint8Array;
}

/** Why a box was kept. */
type IncidentCause = 'estop' | 'protective-stop' | 'link-loss';

/** What the box asks of the rest of the gateway. None of it may take long. */
export interface RecordingSources {
  /** How the cart and its links are now. */
  sample(): { moving: boolean };
  /** What the controller and the gateway said to each other, one line each; asked for when a box is written. */
  describeFrames(frames: Iterable<TimedBytes>): Iterable<string>;
  /** Who and what this is: version, settings without secrets. */
  about(): object;
  /** The newest lines of the log, without secrets. */
  logLines(): Iterable<object>;
}

export interface TimedBytes extends LineBytes {
  /** ISO 8601. */
  time: string;
}

const WINDOW_MS = 600_000;
/** What follows a stop belongs to it. */
const AFTERMATH_MS = 2000;
const SAMPLE_MS = 200;
/** A cart at rest is looked at once a second. */
const REST_EVERY = 5;
const STILL_EVERY_MS = 1000;
const MIB = 1024 * 1024;
/** Together 23 MB: a Pi may have 512. */
const MOST = { commands: MIB, frames: 4 * MIB, samples: 2 * MIB, stills: 16 * MIB };
/** What an entry costs beside its content, roughly. */
const ENTRY_BYTES = 100;
const COMMAND_BYTES = 1200;

/**
 * The last ten minutes of everything, in bounded memory: commands, bytes on the line, telemetry, quality of the links,
 * and a picture a second while the camera runs. A stop freezes it into a file; recording goes on meanwhile.
 */
export class BlackBox {
  readonly incidentStore: IncidentStore;
  readonly #o: { clock: Clock; log: Log };
  readonly #commands = new TimeWindowBuffer<object>({ windowMs: WINDOW_MS, maxBytes: MOST.commands });
  /** Bytes as text, one character each: a small buffer would keep the 8 KiB alive that it was cut from. */
  readonly #frames = new TimeWindowBuffer<{ way: LineBytes['way']; latin1: string }>({
    windowMs: WINDOW_MS,
    maxBytes: MOST.frames,
  });
  readonly #samples = new TimeWindowBuffer<string>({ windowMs: WINDOW_MS, maxBytes: MOST.samples });
  readonly #stills = new TimeWindowBuffer<Buffer>({
    windowMs: WINDOW_MS,
    maxBytes: MOST.stills,
    thins: true,
  });
  readonly #writes = new SerialQueue();
  readonly #incidents = new IncidentWatch();
  #sources: RecordingSources | undefined;
  #endSampling: Cancel = () => undefined;
  #endAftermath: Cancel = () => undefined;
  #causes: { cause: IncidentCause; text: string; atMs: number; continues: boolean | undefined }[] = [];
  #rests = 0;
  #stillAtMs = Number.NEGATIVE_INFINITY;

  /** @param dir where the frozen boxes are kept. */
  constructor({ dir, clock, log }: { dir: string; clock: Clock; log: Log }) {
    this.#o = { clock, log };
    this.incidentStore = new IncidentStore(dir);
  }

  /** Begins to look at the cart. Bytes and commands are taken from the beginning. */
  start(sources: RecordingSources): void {
    this.#sources = sources;
    this.#endSampling = this.#o.clock.every(SAMPLE_MS, () => this.#sample(sources));
  }

  /** Bytes that the box holds now. */
  get bytes(): number {
    const tracks = [this.#commands, this.#frames, this.#samples, this.#stills];
    return tracks.reduce((sum, track) => sum + track.bytes, 0);
  }

  /** Takes a copy of bytes on the line. */
  addBytes(way: LineBytes['way'], bytes: Uint8Array): void {
    const { buffer, byteOffset, length } = bytes;
    const latin1 = Buffer.from(buffer, byteOffset, length).toString('latin1');
    this.#frames.add(this.#o.clock.now(), { way, latin1 }, length + ENTRY_BYTES);
  }

  /** Takes a command as it is now; the object must not be changed any more. */
  addCommand(view: object): void {
    this.#commands.add(this.#o.clock.now(), view, COMMAND_BYTES);
  }

  /** Takes a copy of a picture, one a second. */
  addStill(jpeg: Buffer): void {
    const now = this.#o.clock.now();
    if (now - this.#stillAtMs < STILL_EVERY_MS) return;
    this.#stillAtMs = now;
    this.#stills.add(now, Buffer.from(jpeg), jpeg.length + ENTRY_BYTES);
  }

  /** Keeps the last ten minutes and the next two seconds. Stops within those two seconds are one. Returns at once. */
  freeze(cause: IncidentCause, text: string): void {
    const { clock } = this.#o;
    const atMs = clock.now();
    this.#causes.push({ cause, text, atMs, continues: this.#incidents.stop(atMs) });
    if (this.#causes.length === 1) this.#endAftermath = clock.after(AFTERMATH_MS, () => void this.#keep());
  }

  /** Writes what waits to be written, and ends. */
  async close(): Promise<void> {
    this.#endSampling();
    this.#endAftermath();
    await this.#keep();
  }

  #sample(sources: RecordingSources): void {
    const sample = sources.sample();
    this.#incidents.look(sample.moving);
    this.#rests = sample.moving ? 0 : this.#rests + 1;
    if (this.#rests % REST_EVERY !== 0) return;
    const text = JSON.stringify(sample);
    this.#samples.add(this.#o.clock.now(), text, text.length + ENTRY_BYTES);
  }

  #keep(): Promise<void> {
    const causes = this.#causes.splice(0);
    const [first] = causes;
    if (!first || !this.#sources) return this.#writes.ended();
    const { clock, log } = this.#o;
    const offsetMs = clock.wallTime() - clock.now();
    const time = (atMs: number): string => new Date(offsetMs + atMs).toISOString();
    const summary: IncidentSummary = {
      cause: first.cause,
      at: Math.round(offsetMs + first.atMs),
      continues: first.continues,
      stops: causes.map(({ cause, text, atMs }) => ({ time: time(atMs), cause, text })),
    };
    const { describeFrames, about, logLines } = this.#sources;
    // Only the lists are copied here; every line is made when its turn has come to be written.
    const content = {
      about: { ...about(), cause: summary.cause, at: summary.at, stops: summary.stops },
      commands: timed(this.#commands.entries(), time, (view) => view),
      frames: describeFrames(timed(this.#frames.entries(), time, bytesOf)),
      samples: timed(this.#samples.entries(), time, (sample) => ({ sample })),
      log: logLines(),
      stills: timed(this.#stills.entries(), time, (jpeg) => ({ jpeg })),
    };
    return this.#writes.take(async () => {
      try {
        const kept = await this.incidentStore.put(summary, content);
        log.info('black_box.saved', { ...kept });
      } catch (error) {
        this.#incidents.forget();
        log.error('black_box.save_failed', { cause: first.cause, reason: fileErrorReason(error) });
      }
    });
  }
}

const bytesOf = ({ way, latin1 }: { way: LineBytes['way']; latin1: string }): LineBytes => ({
  way,
  bytes: Buffer.from(latin1, 'latin1'),
});

function* timed<T, U extends object>(
  entries: readonly Entry<T>[],
  time: (atMs: number) => string,
  told: (value: T) => U,
): Generator<U & { time: string }> {
  for (const { atMs, value } of entries) yield { time: time(atMs), ...told(value) };
}
