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
  /** Fields, formatted as `name value, name value`. */
  text: string;
}

export interface LogQuery {
  /** Selects only lines whose ID is higher than this. */
  after?: number;
  /** Minimum level. */
  level?: LogLevel;
  /** Selects only lines that contain this text; not case-sensitive. */
  find?: string;
  limit?: number;
}

/** Number of lines that can be searched. */
export const RING_LINES = 1000;
/** Maximum text length per line, which limits the ring to 2 MB. */
const MAX_TEXT = 2000;

/** The latest 1000 log lines, in memory. */
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

  /** Returns the latest matching lines (200 by default), oldest first. */
  lines({ after = 0, level = LOG_LEVELS[0], find = '', limit = 200 }: LogQuery = {}): LogLine[] {
    const text = find.toLowerCase();
    const matches = (line: LogLine): boolean =>
      line.id > after &&
      isAtLeastLevel(line.level, level) &&
      `${line.event} ${line.text}`.toLowerCase().includes(text);
    return this.#lines.filter(matches).slice(-limit);
  }

  #store(level: LogLevel, event: string, fields: LogFields = {}): void {
    const time = new Date(this.#clock.wallTime()).toISOString();
    this.#newest += 1;
    this.#lines.push({ id: this.#newest, time, level, event, text: textOf(fields) });
    if (this.#lines.length > RING_LINES) this.#lines.shift();
  }
}

function textOf(fields: LogFields): string {
  const text = fieldsText(fields);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
