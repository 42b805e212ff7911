import { ipPrefixOf } from '../../shared/addresses.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log, LogFields } from '../../shared/ports/log.js';

const WINDOW_MS = 60_000;
/** Sources of one event that are counted separately. */
const MAX_SOURCES = 20;
const FURTHER = 'further sources';

interface Repeats {
  count: number;
  fields: LogFields;
  cancel: Cancel;
}

/**
 * Keeps warnings that another machine can cause at will from filling the log. The first one of an event and a source passes
 * at once; its repetitions become one line a minute with their number. The source is the address in the field `from`,
 * `address` or `ip`; a line without one passes.
 */
export class LogRepeats {
  readonly #log: Log;
  readonly #clock: Clock;
  /** By event, then by source. */
  readonly #open = new Map<string, Map<string, Repeats>>();

  constructor({ log, clock }: { log: Log; clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  get log(): Log {
    const log = this.#log;
    return {
      debug: (event, fields) => log.debug(event, fields),
      info: (event, fields) => log.info(event, fields),
      warn: (event, fields) => this.#warn(event, fields),
      error: (event, fields) => log.error(event, fields),
    };
  }

  /** Writes what is counted, and ends. */
  close(): void {
    for (const [event, sources] of this.#open) {
      for (const repeats of sources.values()) {
        repeats.cancel();
        this.#sum(event, repeats);
      }
    }
    this.#open.clear();
  }

  #warn(event: string, fields: LogFields = {}): void {
    const address = [fields.from, fields.address, fields.ip].find((value) => typeof value === 'string');
    if (typeof address !== 'string') return this.#log.warn(event, fields);
    const sources = this.#open.get(event) ?? new Map<string, Repeats>();
    this.#open.set(event, sources);
    const household = ipPrefixOf(address);
    const isKnown = sources.has(household) || sources.size < MAX_SOURCES;
    const source = isKnown ? household : FURTHER;
    const repeats = sources.get(source);
    if (repeats) {
      repeats.count += 1;
      repeats.fields = isKnown ? fields : { from: FURTHER };
      return;
    }
    this.#log.warn(event, fields);
    sources.set(source, { count: 0, fields, cancel: this.#later(event, source) });
  }

  #later(event: string, source: string): Cancel {
    return this.#clock.after(WINDOW_MS, () => {
      const sources = this.#open.get(event);
      const repeats = sources?.get(source);
      if (!sources || !repeats) return;
      if (repeats.count === 0) return void sources.delete(source);
      this.#sum(event, repeats);
      repeats.count = 0;
      repeats.cancel = this.#later(event, source);
    });
  }

  #sum(event: string, { count, fields }: Repeats): void {
    if (count > 0) this.#log.warn(event, { ...fields, repeated: count, withinS: WINDOW_MS / 1000 });
  }
}
