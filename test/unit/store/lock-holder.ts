import { messageOf } from '../../../src/shared/errors.js';
import { lockDataDirectory } from '../../../src/store/directory-lock.js';
import { RecordingLog } from '../../helpers/recording-log.js';

/** directory-lock.test.ts runs this program. It locks a directory, prints the outcome and waits to be killed. */
const log = new RecordingLog();
const [dir = ''] = process.argv.slice(2);
const outcome = (error: string): string =>
  JSON.stringify({ error, warnings: log.lines.map(({ event, fields }) => `${event}: ${fields?.reason}`) });
try {
  lockDataDirectory(dir, { log });
  process.stdout.write(`${outcome('')}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${outcome(messageOf(error))}\n`);
}
