import { join } from 'node:path';
import { loadConfig } from '../gateway/config.js';
import { thisMachine } from '../gateway/pins/hardware.js';
import { gpioNote, switchMotorsOff } from '../gateway/pins/pins.js';
import { readDocument } from '../settings/document/document.js';
import { FILE_NAME } from '../settings/document/file.js';
import { readVersion } from '../settings/document/version.js';
import type { Settings } from '../settings/schema/schema.js';
import { messageOf } from '../shared/errors.js';

/**
 * Switches the output off that enables the motors, and does nothing else. systemd runs it whenever the gateway has
 * ended: one that was killed could not do it itself.
 */
async function motorsOff(): Promise<void> {
  await switchMotorsOff(await settingsInForce(), thisMachine());
}

/**
 * With the pins that the gateway noted to be in use, whatever the configuration is by now; without a note, with the
 * settings on the disk, or those of the first start.
 */
async function settingsInForce(): Promise<Settings> {
  const noted = await readSettings(gpioNote(process.env));
  if (noted) return noted;
  const { dataDir, settings: initial } = loadConfig(process.env, process.cwd());
  const file = join(dataDir, FILE_NAME);
  return (await readSettings(file)) ?? (await readSettings(`${file}.bak`)) ?? readDocument(initial).settings;
}

/** The settings in a file; undefined when there are none that can be read. */
async function readSettings(path: string | undefined): Promise<Settings | undefined> {
  const found = path === undefined ? undefined : await readVersion(path);
  return found?.raw ? readDocument(found.raw).settings : undefined;
}

motorsOff().catch((error: unknown) => {
  process.stderr.write(`the motor enable could not be switched off: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
