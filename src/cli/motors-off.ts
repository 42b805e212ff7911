import { join } from 'node:path';
import { loadConfig } from '../app/config.js';
import { thisMachine } from '../app/pins/hardware.js';
import { gpioNote, switchMotorsOff } from '../app/pins/pins.js';
import { FILE_NAME, readDocument, readVersion, type Settings } from '../settings/index.js';
import { messageOf } from '../shared/errors.js';

/** Switches the motor enable off. systemd runs this program after every exit of the gateway. */
async function motorsOff(): Promise<void> {
  await switchMotorsOff(await currentSettings(), thisMachine());
}

/**
 * Returns the settings that the running gateway has recorded. If there are none, returns the settings on disk or,
 * failing that, the initial settings.
 */
async function currentSettings(): Promise<Settings> {
  const recorded = await readSettings(gpioNote(process.env));
  if (recorded) return recorded;
  const { dataDir, settings: initial } = loadConfig(process.env, process.cwd());
  const file = join(dataDir, FILE_NAME);
  return (await readSettings(file)) ?? (await readSettings(`${file}.bak`)) ?? readDocument(initial).settings;
}

async function readSettings(path: string | undefined): Promise<Settings | undefined> {
  const found = path === undefined ? undefined : await readVersion(path);
  return found?.raw ? readDocument(found.raw).settings : undefined;
}

motorsOff().catch((error: unknown) => {
  process.stderr.write(`motor enable could not be switched off: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
