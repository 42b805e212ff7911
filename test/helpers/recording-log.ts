import type { Log, LogFields } from '../../src/shared/ports/log.js';

/** An in-memory log on which a test can await an event. */
export class RecordingLog implements Log {
  readonly lines: { level: string; event: string; fields: LogFields | undefined }[] = [];
  #waiting: { event: string; resolve: () => void }[] = [];

  debug = this.#at('debug');
  info = this.#at('info');
  warn = this.#at('warn');
  error = this.#at('error');

  next(event: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ event, resolve }));
  }

  events(): string[] {
    return this.lines.map(({ event }) => event);
  }

  #at(level: string) {
    return (event: string, fields?: LogFields) => {
      this.lines.push({ level, event, fields });
      const called = this.#waiting.filter((waiting) => waiting.event === event);
      this.#waiting = this.#waiting.filter((waiting) => waiting.event !== event);
      for (const { resolve } of called) resolve();
    };
  }
}
