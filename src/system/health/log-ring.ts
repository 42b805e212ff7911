import {
  fieldsText,
  isAtLeastLevel,
  LOG_LEVELS,
  type LogLevel,
  type LogThreshold,
} from '../../shared/log.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log, LogFields } from '../../shared/ports/log.js';

/** One line of the log as people read it; without secrets. */
export interface LogLine {
  /** Counts up from 1 for as long as the process lives. */
  id: number;
  /** ISO 8601. */
  time: string;
  level: LogLevel;
  event: string;
  /** The fields, `name value, name value`. */
  text: string;
}

export interface LogQuery {
  /** Only lines after this id. */
  after?: number;
  /** This level and what is worse. */
  level?: LogLevel;
  /** Only lines that hold this text, in any case. */
  find?: string;
  limit?: number;
}

const MAX_LINES = 1000;
/** With it the whole ring stays below 2 MB. */
const MAX_TEXT = 2000;

/** The newest thousand lines of the log, in memory, for the page. What goes to standard output is not its business. */
export class LogRing {
  readonly #clock: Clock;
  readonly #threshold: LogThreshold;
  readonly #lines: LogLine[] = [];
  #newest = 0;

  /** @param threshold the least important lines that are kept. */
  constructor({ clock, threshold }: { clock: Clock; threshold: LogThreshold }) {
    this.#clock = clock;
    this.#threshold = threshold;
  }

  /** The id of the newest line; 0 before the first. */
  get newest(): number {
    return this.#newest;
  }

  /** A log that writes to `log` and keeps what it wrote. */
  around(log: Log): Log {
    const at = (level: LogLevel) => (event: string, fields?: LogFields) => {
      log[level](event, fields);
      if (isAtLeastLevel(level, this.#threshold.level)) this.#keep(level, event, fields);
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  /** The newest lines that fit, oldest first; 200 when `limit` is left out. */
  lines({ after = 0, level = LOG_LEVELS[0], find = '', limit = 200 }: LogQuery = {}): LogLine[] {
    const wanted = find.toLowerCase();
    const fits = (line: LogLine): boolean =>
      line.id > after &&
      isAtLeastLevel(line.level, level) &&
      `${line.event} ${line.text}`.toLowerCase().includes(wanted);
    return this.#lines.filter(fits).slice(-limit);
  }

  #keep(level: LogLevel, event: string, fields: LogFields = {}): void {
    const time = new Date(this.#clock.wallTime()).toISOString();
    this.#newest += 1;
    this.#lines.push({ id: this.#newest, time, level, event, text: textOf(fields) });
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

function textOf(fields: LogFields): string {
  const text = fieldsText(fields);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
