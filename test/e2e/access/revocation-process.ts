import { writeSync } from 'node:fs';
import { replayAccess } from '../../../src/access/revocations/replay.js';
import { systemClock } from '../../../src/shared/clock.js';
import { openStore } from '../../../src/store/store.js';
import { quietLog } from '../../helpers/cart-harness.js';

/**
 * Revokes users and keys with even IDs, four at a time, until the process is killed. Prints each acknowledged
 * revocation synchronously.
 */
const [dir = '', highest = '0'] = process.argv.slice(2);
const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);
const store = await openStore({
  dir,
  writer: WRITER,
  clock: systemClock,
  log: quietLog,
  replay: replayAccess,
});
const ids = Array.from({ length: Number(highest) / 2 }, (_, n) => 2 * (n + 1));

async function revokeAll(): Promise<void> {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    await store.write('access.changeUser', { userId: id, disabled: true, now: Date.now() });
    writeSync(1, `user ${id}\n`);
    await store.write('access.revokeKey', { keyId: id, now: Date.now() });
    writeSync(1, `key ${id}\n`);
  }
}
await Promise.all(Array.from({ length: 4 }, revokeAll));
setInterval(() => {}, 1000);
