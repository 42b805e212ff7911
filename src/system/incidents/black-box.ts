import { type Actor, actorName } from '../../shared/actor.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import { type Entry, TimeWindowBuffer } from '../trends/time-window-buffer.js';
import { IncidentStore, type IncidentSummary } from './incident-store.js';
import { IncidentWatch } from './incidents.js';

/** Bytes on the serial line; `out` means to the controller. */
interface LineBytes {
  direction: 'out' | 'in';
  bytes: Uint8Array;
}

type IncidentCause = 'estop' | 'protective-stop' | 'link-loss';

/** The functions must return quickly. */
export interface RecordingSources {
  /** Returns the state of the cart and its connections. */
  sample(): { moving: boolean };
  /** Called when a recording is written. Returns one line of text per frame. */
  describeFrames(frames: Iterable<TimedBytes>): Iterable<string>;
  /** Returns the version and the settings, without secrets. */
  about(): object;
  /** Returns the latest log lines, without secrets. */
  logLines(): Iterable<object>;
}

export interface TimedBytes extends LineBytes {
  /** ISO 8601. */
  time: string;
}

const WINDOW_MS = 600_000;
/** A recording includes this period after a stop. */
export const AFTERMATH_MS = 2000;
const SAMPLE_INTERVAL_MS = 200;
/** While the cart is at rest, only every fifth sample is stored: one per second. */
const REST_DIVISOR = 5;
/** Maximum number of stops that a recording lists. */
const MAX_CAUSES = 100;
const STILL_INTERVAL_MS = 1000;
const MIB = 1024 * 1024;
/** 23 MiB in total, because a Raspberry Pi may have only 512 MB of memory. */
const MAX_BYTES = { commands: MIB, frames: 4 * MIB, samples: 2 * MIB, stills: 16 * MIB };
/** Approximate overhead per entry, in bytes. */
const ENTRY_BYTES = 100;
const COMMAND_BYTES = 1200;

/**
 * Keeps the last ten minutes of commands, serial bytes, telemetry, connection state and images in limited
 * memory. After a stop, saves them to a file and continues recording.
 */
export class BlackBox {
  readonly incidentStore: IncidentStore;
  readonly #o: { clock: Clock; log: Log };
  readonly #commands = new TimeWindowBuffer<object>({ windowMs: WINDOW_MS, maxBytes: MAX_BYTES.commands });
  /** Frames are stored as strings, because a small Buffer would keep its 8 KiB pool in memory. */
  readonly #frames = new TimeWindowBuffer<{ direction: LineBytes['direction']; latin1: string }>({
    windowMs: WINDOW_MS,
    maxBytes: MAX_BYTES.frames,
  });
  readonly #samples = new TimeWindowBuffer<string>({ windowMs: WINDOW_MS, maxBytes: MAX_BYTES.samples });
  readonly #stills = new TimeWindowBuffer<Buffer>({
    windowMs: WINDOW_MS,
    maxBytes: MAX_BYTES.stills,
    thins: true,
  });
  readonly #writes = new SerialQueue();
  readonly #incidents = new IncidentWatch();
  #sources: RecordingSources | undefined;
  #endSampling: Cancel = () => undefined;
  #endAftermath: Cancel = () => undefined;
  #causes: { cause: IncidentCause; by: Actor; atMs: number; continues: boolean | undefined }[] = [];
  #rests = 0;
  #stillAtMs = Number.NEGATIVE_INFINITY;

  constructor({ dir, clock, log }: { dir: string; clock: Clock; log: Log }) {
    this.#o = { clock, log };
    this.incidentStore = new IncidentStore(dir);
  }

  /** Starts sampling. Bytes and commands can be added before `start` is called. */
  start(sources: RecordingSources): void {
    this.#sources = sources;
    this.#endSampling = this.#o.clock.every(SAMPLE_INTERVAL_MS, () => this.#sample(sources));
  }

  /** Approximate memory use. */
  get bytes(): number {
    const buffers = [this.#commands, this.#frames, this.#samples, this.#stills];
    return buffers.reduce((sum, buffer) => sum + buffer.bytes, 0);
  }

  addBytes(direction: LineBytes['direction'], bytes: Uint8Array): void {
    const { buffer, byteOffset, length } = bytes;
    const latin1 = Buffer.from(buffer, byteOffset, length).toString('latin1');
    this.#frames.add(this.#o.clock.now(), { direction, latin1 }, length + ENTRY_BYTES);
  }

  /** The caller must not change the object afterwards. */
  addCommand(view: object): void {
    this.#commands.add(this.#o.clock.now(), view, COMMAND_BYTES);
  }

  addStill(jpeg: Buffer): void {
    const now = this.#o.clock.now();
    if (now - this.#stillAtMs < STILL_INTERVAL_MS) return;
    this.#stillAtMs = now;
    this.#stills.add(now, Buffer.from(jpeg), jpeg.length + ENTRY_BYTES);
  }

  /** Saves a recording of the last ten minutes and the next two seconds, which may contain further stops. */
  freeze(cause: IncidentCause, by: Actor): void {
    const { clock } = this.#o;
    if (this.#causes.length >= MAX_CAUSES) return;
    const atMs = clock.now();
    this.#causes.push({ cause, by, atMs, continues: this.#incidents.stop(atMs) });
    if (this.#causes.length === 1) this.#endAftermath = clock.after(AFTERMATH_MS, () => void this.#save());
  }

  /** Stops sampling and saves a pending recording. */
  async close(): Promise<void> {
    this.#endSampling();
    this.#endAftermath();
    await this.#save();
  }

  #sample(sources: RecordingSources): void {
    const sample = sources.sample();
    this.#incidents.observe(sample.moving);
    this.#rests = sample.moving ? 0 : this.#rests + 1;
    if (this.#rests % REST_DIVISOR !== 0) return;
    const text = JSON.stringify(sample);
    this.#samples.add(this.#o.clock.now(), text, text.length + ENTRY_BYTES);
  }

  #save(): Promise<void> {
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
      stops: causes.map(({ cause, by, atMs }) => {
        const { name: _name, ...actor } = by;
        return { time: time(atMs), cause, text: actorName(by), actor };
      }),
    };
    const { describeFrames, about, logLines } = this.#sources;
    // Only the lists are copied here; their entries are formatted while the file is written.
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
        const saved = await this.incidentStore.put(summary, content);
        log.info('black_box.saved', { ...saved });
      } catch (error) {
        this.#incidents.forget();
        log.error('black_box.save_failed', { cause: first.cause, reason: fileErrorReason(error) });
      }
    });
  }
}

const bytesOf = ({
  direction,
  latin1,
}: {
  direction: LineBytes['direction'];
  latin1: string;
}): LineBytes => ({
  direction,
  bytes: Buffer.from(latin1, 'latin1'),
});

function* timed<T, U extends object>(
  entries: readonly Entry<T>[],
  time: (atMs: number) => string,
  fields: (value: T) => U,
): Generator<U & { time: string }> {
  for (const { atMs, value } of entries) yield { time: time(atMs), ...fields(value) };
}
