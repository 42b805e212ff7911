import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SettingsService } from '../../../src/settings/document/settings.js';
import { ObservableClock } from '../../helpers/observable-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';

export const idle = { isIdle: () => true };
export const moving = { isIdle: () => false };

export interface TempSettings {
  dir: string;
  clock: ObservableClock;
  log: RecordingLog;
  read: (name?: string) => string;
  json: (name?: string) => Record<string, unknown>;
  write: (text: string, name?: string) => void;
  open: (o?: { initial?: unknown; env?: NodeJS.ProcessEnv }) => Promise<SettingsService>;
}

/** Runs a test in a temporary data directory with these files. Closes all settings that the test opens. */
export function withTempSettings(files: Record<string, string>, run: (temp: TempSettings) => Promise<void>) {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-settings-'));
    const opened: SettingsService[] = [];
    const clock = new ObservableClock();
    const log = new RecordingLog();
    const read = (name = 'variables.json') => readFileSync(join(dir, name), 'utf8');
    const write = (text: string, name = 'variables.json') => {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text, { mode: 0o600 });
    };
    for (const [name, text] of Object.entries(files)) write(text, name);
    // Keeps the process running, because the file watcher alone does not.
    const alive = setInterval(() => {}, 1000);
    try {
      const open: TempSettings['open'] = async (o = {}) => {
        const settings = await SettingsService.open({ dir, clock, log, env: {}, ...o });
        opened.push(settings);
        return settings;
      };
      await run({ dir, clock, log, read, json: (name) => JSON.parse(read(name)), write, open });
    } finally {
      clearInterval(alive);
      for (const settings of opened) await settings.close();
      rmSync(dir, { recursive: true, force: true });
    }
  };
}
