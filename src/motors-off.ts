import { join } from 'node:path';
import { gpioNote } from './compose/gpio-note.js';
import { thisMachine } from './compose/hardware.js';
import { switchMotorsOff } from './compose/pins.js';
import { type Config, loadConfig } from './config.js';
import { readDocument } from './settings/document.js';
import { FILE_NAME } from './settings/file.js';
import type { Settings } from './settings/schema.js';
import { readVersion } from './settings/version.js';
import { messageOf } from './util/errors.js';

/**
 * Switches the output off that enables the motors, and does nothing else. systemd runs it whenever the gateway has
 * ended: one that was killed could not do it itself.
 */
async function motorsOff(): Promise<void> {
  await switchMotorsOff(await settingsInForce(loadConfig(process.env, process.cwd())), thisMachine());
}

/** With the pins that the gateway noted to be in use; without a note, as the disk tells them, or the first start. */
async function settingsInForce({ dataDir, settings: initial }: Config): Promise<Settings> {
  const file = join(dataDir, FILE_NAME);
  for (const path of [gpioNote(process.env), file, `${file}.bak`]) {
    const found = path === undefined ? undefined : await readVersion(path);
    if (found?.raw) return readDocument(found.raw).settings;
  }
  return readDocument(initial).settings;
}

motorsOff().catch((error: unknown) => {
  process.stderr.write(`the motor enable could not be switched off: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
