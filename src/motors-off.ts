import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisMachine } from './compose/hardware.js';
import { switchMotorsOff } from './compose/pins.js';
import { loadConfig } from './config.js';
import { readDocument } from './settings/document.js';
import type { Settings } from './settings/schema.js';
import { messageOf } from './util/errors.js';
import { isJsonObject, parseJson } from './util/json.js';

/**
 * Switches the output off that enables the motors, and does nothing else. systemd runs it whenever the gateway has
 * ended: one that was killed could not do it itself.
 */
async function motorsOff(): Promise<void> {
  await switchMotorsOff(settingsOf(loadConfig(process.env, process.cwd())), thisMachine());
}

/** As they lie on the disk; those of the first start while there are none. */
function settingsOf({ dataDir, settings: initial }: ReturnType<typeof loadConfig>): Settings {
  try {
    const written = parseJson(readFileSync(join(dataDir, 'variables.json'), 'utf8'));
    return readDocument(isJsonObject(written) ? written : initial).settings;
  } catch {
    return readDocument(initial).settings;
  }
}

motorsOff().catch((error: unknown) => {
  process.stderr.write(`the motor enable could not be switched off: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
