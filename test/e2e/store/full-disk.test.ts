import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { until } from '../../helpers/until.js';
import { canMount, withDisk } from '../../unit/store/small-disk.js';

const test = suite('a full disk');

test('the gateway blocks motion but saves the E-stop latch while the disk is full', () =>
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

if (canMount()) test.run();
else process.stdout.write('\nSKIPPED: a full disk (needs root and mount)\n');
