import { ipPrefixOf } from '../../shared/addresses.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log, LogFields } from '../../shared/ports/log.js';

const WINDOW_MS = 60_000;
/** Maximum number of sources per event that are counted separately. */
const MAX_SOURCES = 20;
const OTHER_SOURCES = 'other sources';

interface Repeats {
  count: number;
  fields: LogFields;
  cancel: Cancel;
}

/**
 * Limits repeated warnings, so that another machine cannot fill the log. The first warning for each event and
 * source is logged immediately, and repetitions are summarised once a minute. The source is the IP prefix in
 * `from`, `address` or `ip`; warnings without these fields are not limited.
 */
export class LogRepeats {
  readonly #log: Log;
  readonly #clock: Clock;
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

  close(): void {
    for (const [event, sources] of this.#open) {
      for (const repeats of sources.values()) {
        repeats.cancel();
        this.#logSummary(event, repeats);
      }
    }
    this.#open.clear();
  }

  #warn(event: string, fields: LogFields = {}): void {
    const address = [fields.from, fields.address, fields.ip].find((value) => typeof value === 'string');
    if (typeof address !== 'string') return this.#log.warn(event, fields);
    const sources = this.#open.get(event) ?? new Map<string, Repeats>();
    this.#open.set(event, sources);
    const prefix = ipPrefixOf(address);
    const isKnown = sources.has(prefix) || sources.size < MAX_SOURCES;
    const source = isKnown ? prefix : OTHER_SOURCES;
    const repeats = sources.get(source);
    if (repeats) {
      repeats.count += 1;
      repeats.fields = isKnown ? fields : { from: OTHER_SOURCES };
      return;
    }
    this.#log.warn(event, fields);
    sources.set(source, { count: 0, fields, cancel: this.#scheduleSummary(event, source) });
  }

  #scheduleSummary(event: string, source: string): Cancel {
    return this.#clock.after(WINDOW_MS, () => {
      const sources = this.#open.get(event);
      const repeats = sources?.get(source);
      if (!sources || !repeats) return;
      if (repeats.count === 0) return void sources.delete(source);
      this.#logSummary(event, repeats);
      repeats.count = 0;
      repeats.cancel = this.#scheduleSummary(event, source);
    });
  }

  #logSummary(event: string, { count, fields }: Repeats): void {
    if (count > 0) this.#log.warn(event, { ...fields, repeated: count, withinS: WINDOW_MS / 1000 });
  }
}
