import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { until } from '../../helpers/until.js';
import { canMount, withDisk } from '../../unit/store/small-disk.js';

const test = suite('a full disk');

test('the gateway blocks motion but saves a latched stop while the disk is full', () =>
  withDisk(40 * 1024, async (disk) => {
    const gateway = await GatewayProcess.start({}, { CARTWRIGHT_DATA_DIR: disk });
    const reserve = join(disk, 'reserve');
    const filler = join(disk, 'filler');
    try {
      await gateway.untilCart(1, ({ safety }) => safety.mayMove);
      assert.throws(() => writeFileSync(filler, Buffer.alloc(64 << 20)), { code: 'ENOSPC' });
      const { safety } = await gateway.untilCart(1, (cart) => !cart.safety.mayMove);
      assert.match(textOf(safety.reason), /would be lost in a restart: the disk is full$/);
      const rejected = await gateway.move(1, 100);
      assert.deepEqual([rejected.status, rejected.body.code], [503, 'SAFETY_UNAVAILABLE']);
      const health = await gateway.call('GET', '/health');
      assert.match(String(health.body.faults), /only \d+ MiB of disk space is free/);

      assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
      assert.equal(JSON.parse(readFileSync(join(disk, 'estop.json'), 'utf8')).kind, 'REMOTE');
      assert.equal(existsSync(reserve), false);

      rmSync(filler);
      await gateway.resetCart(1);
      await until(() => existsSync(reserve));
    } finally {
      await gateway.close();
    }
  }));

test('a user can log in and stop while the disk is full, even after a restart', () =>
  withDisk(64 * 1024, async (disk) => {
    const env = {
      CARTWRIGHT_DATA_DIR: disk,
      CARTWRIGHT_AUTH: 'required',
      CARTWRIGHT_ADMIN_USER: 'anna',
      CARTWRIGHT_ADMIN_PASSWORD: 'correct horse battery',
    };
    const gateway = await GatewayProcess.start({}, env);
    try {
      assert.throws(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(96 << 20)), { code: 'ENOSPC' });
      await assertCanStop(gateway.url);
      await gateway.kill('SIGKILL');
      await gateway.spawn(env);
      await assertCanStop(gateway.url);
    } finally {
      await gateway.close();
    }
  }));

async function assertCanStop(url: string): Promise<void> {
  const send = (path: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const login = await send('/login', { username: 'anna', password: 'correct horse battery' });
  assert.equal(login.status, 201);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const path of ['/stop', '/estop'])
    assert.equal((await send(path, { cartID: 1 }, cookie)).status, 200, path);
  const page = await fetch(`${url}/`, { headers: { accept: 'text/html', cookie } });
  assert.match(await page.text(), /The gateway cannot save data\. You can view pages and stop carts\./);
}

if (canMount()) test.run();
else process.stdout.write('\nSKIPPED: a full disk (needs root and mount)\n');
