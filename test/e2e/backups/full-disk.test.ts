import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { canMount, withDisk } from '../../unit/store/small-disk.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

const test = suite('restore on a full disk');

const passphrase = 'correct horse battery staple';

type Send = Awaited<ReturnType<typeof loggedIn>>;

async function nameOf(send: Send): Promise<string> {
  const { gateway } = (await send('GET', '/variables.json')).json() as { gateway: { name: string } };
  return gateway.name;
}

test('a restore is rejected while the disk is full, and the gateway starts even if the disk fills up later', () =>
  withDisk(96 * 1024, async (disk) => {
    const env = { ...ADMINISTRATOR_ENV, CARTWRIGHT_DATA_DIR: disk };
    const gateway = await GatewayProcess.start({}, env);
    const filler = join(disk, 'filler');
    const fill = (): void =>
      assert.throws(() => writeFileSync(filler, Buffer.alloc(128 << 20)), { code: 'ENOSPC' });
    try {
      let send = await loggedIn(gateway);
      const before = await nameOf(send);
      const { name } = (await send('POST', '/gateway-backups', { passphrase })).json() as { name: string };
      assert.equal((await send('POST', '/updateJson', { gateway: { name: 'After' } })).status, 200);
      const path = `/gateway-backups/${name}/restore`;

      fill();
      const rejected = await send('POST', path, { passphrase });
      assert.equal(rejected.json().code, 'STORE_FULL', rejected.text);
      rmSync(filler);

      assert.equal((await send('POST', path, { passphrase })).status, 202);
      await gateway.kill('SIGTERM');
      fill();
      await gateway.spawn(env);
      const isRestored = gateway.log.some(({ event }) => event === 'restore.trial_started');
      rmSync(filler);
      await gateway.kill('SIGTERM');
      await gateway.spawn(env);
      send = await loggedIn(gateway);
      const now = await nameOf(send);
      assert.ok([before, 'After'].includes(now), now);
      if (isRestored) assert.equal(now, before);
    } finally {
      await gateway.close();
    }
  }));

if (canMount()) test.run();
else process.stdout.write('\nSKIPPED: restore on a full disk (needs root and mount)\n');
