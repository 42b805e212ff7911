import {
  fieldsText,
  isAtLeastLevel,
  LOG_LEVELS,
  type LogLevel,
  type LogThreshold,
} from '../../shared/log.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log, LogFields } from '../../shared/ports/log.js';

export interface LogLine {
  /** Starts at 1 when the process starts. */
  id: number;
  /** ISO 8601. */
  time: string;
  level: LogLevel;
  event: string;
  text: string;
}

export interface LogQuery {
  /** Selects only lines whose ID is higher than this. */
  after?: number;
  level?: LogLevel;
  /** Selects only lines that contain all of these words, in any order; not case-sensitive. */
  find?: string;
  limit?: number;
}

/** Number of lines that can be searched. */
export const RING_LINES = 1000;
/** Maximum text length per line, which limits the ring to 2 MB. */
const MAX_TEXT = 2000;

export class LogRing {
  readonly #clock: Clock;
  readonly #threshold: LogThreshold;
  readonly #lines: LogLine[] = [];
  #newest = 0;

  constructor({ clock, threshold }: { clock: Clock; threshold: LogThreshold }) {
    this.#clock = clock;
    this.#threshold = threshold;
  }

  /** ID of the latest line; 0 if there are no lines. */
  get newest(): number {
    return this.#newest;
  }

  /** Returns a log that writes to `log` and to this ring. */
  wrap(log: Log): Log {
    const at = (level: LogLevel) => (event: string, fields?: LogFields) => {
      log[level](event, fields);
      if (isAtLeastLevel(level, this.#threshold.level)) this.#store(level, event, fields);
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  /** Returns the latest matching lines, oldest first. */
  lines({ after = 0, level = LOG_LEVELS[0], find = '', limit = 200 }: LogQuery = {}): LogLine[] {
    const words = find.toLowerCase().split(/\s+/);
    const matches = (line: LogLine): boolean =>
      line.id > after &&
      isAtLeastLevel(line.level, level) &&
      words.every((word) => searchable(line).includes(word));
    return this.#lines.filter(matches).slice(-limit);
  }

  #store(level: LogLevel, event: string, fields: LogFields = {}): void {
    const time = new Date(this.#clock.wallTime()).toISOString();
    this.#newest += 1;
    this.#lines.push({ id: this.#newest, time, level, event, text: textOf(fields) });
    if (this.#lines.length > RING_LINES) this.#lines.shift();
  }
}

/** Adds the event with verbs in their base form: `access.logged_in` also matches `log in` and `login`. */
function searchable({ event, text }: LogLine): string {
  const stems = event.split(/[._]/).map((word) => word.replace(/(?:([bdgmnprt])\1|(.))ed$/, '$1$2'));
  return `${event} ${stems.join(' ')} ${stems.join('')} ${text}`.toLowerCase();
}

function textOf(fields: LogFields): string {
  const text = fieldsText(fields);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
