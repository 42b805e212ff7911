import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../settings/schema/schema.js';
import { fileErrorReason } from '../../shared/files.js';
import type { Log } from '../../shared/ports/ports.js';
import { runtimeDirectory } from '../../shared/runtime-directory.js';

/** Where the gateway notes the pins that it uses; undefined where no directory goes when it does. */
export function gpioNote(env: NodeJS.ProcessEnv): string | undefined {
  const directory = runtimeDirectory(env);
  return directory && join(directory, 'gpio.json');
}

/**
 * Notes the pins in use for whoever switches the motors off when this process no longer can: the settings may name others
 * by then, which are not taken before the next start. It is written before anything moves, and waits for no disk. One
 * that cannot be written stops nobody, since there are still the settings to go by.
 */
export function noteGpio(gpio: Settings['gpio'], log: Log, env: NodeJS.ProcessEnv = process.env): void {
  const file = gpioNote(env);
  if (file === undefined) return;
  try {
    writeFileSync(file, JSON.stringify({ gpio }));
  } catch (error) {
    log.warn('pins.not_noted', { file, reason: fileErrorReason(error) });
  }
}
