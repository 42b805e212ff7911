import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { SettingsService } from '../../../src/settings/document/settings.js';
import { systemClock } from '../../../src/shared/clock.js';

/**
 * Saves `maxRangeM` and kills itself at the n-th file system call: `dying-writer.js <dir> <maxRangeM> <n>`.
 * If the n-th call is a write, the process dies halfway through the write; otherwise, before the call.
 */
const [, , dir = '', maxRangeM, dieAt] = process.argv;
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
type Step = (this: unknown, ...args: unknown[]) => Promise<unknown>;

let steps = 0;
function dying(name: string, step: Step): Step {
  return async function (this: unknown, ...args) {
    steps += 1;
    if (steps === Number(dieAt)) {
      const [content] = args;
      if (name === 'writeFile') await step.call(this, String(content).slice(0, String(content).length / 2));
      process.kill(process.pid, 'SIGKILL');
      await new Promise(nothing);
    }
    return step.apply(this, args);
  };
}

/** Replaces the named functions of `target`, if they exist, with functions that may kill the process. */
function instrument(target: object, names: string[]): void {
  for (const name of names) {
    const step: unknown = Reflect.get(target, name);
    if (typeof step === 'function') Reflect.set(target, name, dying(name, step as Step));
  }
}

const settings = await SettingsService.open({ dir, clock: systemClock, log });
const file = await fs.open(`${dir}/variables.json`);
instrument(Object.getPrototypeOf(file), [
  'writeFile',
  'write',
  'sync',
  'datasync',
  'chmod',
  'truncate',
  'close',
]);
await file.close();
steps = 0;
instrument(fs, ['open', 'stat', 'readFile', 'copyFile', 'link', 'rename', 'rm', 'unlink']);
syncBuiltinESMExports();
await settings.update({ beacons: { maxRangeM: Number(maxRangeM) } }, { isIdle: () => true });
