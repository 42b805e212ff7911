import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SettingsRoom } from '../../../src/settings/document/settings.js';
import type { Cancel, Log, LogFields } from '../../../src/shared/ports/ports.js';
import { FakeClock } from '../../helpers/fake-clock.js';

export const idle = { isIdle: () => true };
export const moving = { isIdle: () => false };

/** A clock that tells when somebody sets a timer: that is how a test awaits the file watch without sleeping. */
class WatchedClock extends FakeClock {
  #onTimer: () => void = () => {};

  override after(delayMs: number, run: () => void): Cancel {
    const cancel = super.after(delayMs, run);
    this.#onTimer();
    return cancel;
  }

  nextTimer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = resolve;
    });
  }
}

/** A log that is kept, with a way to await an event. */
class KeptLog implements Log {
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

export interface Place {
  dir: string;
  clock: WatchedClock;
  log: KeptLog;
  /** The file's text, by its whole name. */
  read: (name?: string) => string;
  json: (name?: string) => Record<string, unknown>;
  write: (text: string, name?: string) => void;
  open: (o?: { initial?: unknown; env?: NodeJS.ProcessEnv }) => Promise<SettingsRoom>;
}

/** Runs a test in a data directory of its own, with these files in it; rooms opened there are closed afterwards. */
export function inPlace(files: Record<string, string>, run: (place: Place) => Promise<void>) {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-settings-'));
    const rooms: SettingsRoom[] = [];
    const clock = new WatchedClock();
    const log = new KeptLog();
    const read = (name = 'variables.json') => readFileSync(join(dir, name), 'utf8');
    const write = (text: string, name = 'variables.json') => {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text, { mode: 0o600 });
    };
    for (const [name, text] of Object.entries(files)) write(text, name);
    // The watch alone does not keep a process alive.
    const alive = setInterval(() => {}, 1000);
    try {
      const open: Place['open'] = async (o = {}) => {
        const room = await SettingsRoom.open({ dir, clock, log, env: {}, ...o });
        rooms.push(room);
        return room;
      };
      await run({ dir, clock, log, read, json: (name) => JSON.parse(read(name)), write, open });
    } finally {
      clearInterval(alive);
      for (const room of rooms) await room.close();
      rmSync(dir, { recursive: true, force: true });
    }
  };
}
