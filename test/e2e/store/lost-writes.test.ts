import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { FRAME_BYTES, flipByte } from '../../unit/store/recovery/crash-image.js';
import { ADMINISTRATOR_ENV, loggedIn } from './administrator.js';

const HTML = { accept: 'text/html' };

// Fault case 74
test('reports lost writes on the page, in the API and in the log, and disables payments until an administrator acknowledges the loss', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  const data = join(gateway.dir, 'data');
  try {
    const before = await loggedIn(gateway);
    assert.equal((await before('PUT', '/beacon/kept-1', { description: 'one' })).status, 200);
    assert.equal((await before('POST', '/backups')).status, 201);
    assert.equal((await before('PUT', '/beacon/lost-1', { description: 'two' })).status, 200);
    await gateway.kill('SIGKILL');
    flipByte(join(data, 'cartwright.db-wal'), -FRAME_BYTES / 2);
    await gateway.spawn(ADMINISTRATOR_ENV);

    const request = await loggedIn(gateway);
    const health = (await request('GET', '/health')).json();
    const { lostWrites } = health.store as { lostWrites?: { count: number; kept: string; code: string } };
    assert.equal(lostWrites?.code, 'STORE_LOST_WRITES');
    assert.ok(lostWrites.count >= 1);
    assert.match(String(health.faults), /STORE_LOST_WRITES/);
    assert.equal(health.status, 'degraded');
    assert.ok(existsSync(join(data, `${lostWrites.kept}-wal`)));
    const logged = gateway.log.filter(({ event }) => event === 'store.writes_lost');
    assert.deepEqual(
      logged.map(({ count }) => count),
      [lostWrites.count],
    );
    const page = (await request('GET', '/system', undefined, HTML)).text;
    assert.match(page, /acknowledged writes? (was|were) lost/);
    assert.match(page, /action="\/backups\/acknowledge-loss"/);

    const payment = { value: 10 };
    const refused = await request('POST', '/payments', payment);
    assert.deepEqual([refused.status, refused.json().code], [503, 'PAYMENTS_OFF']);
    assert.match(String(refused.json().message), /acknowledged writes were lost/);

    const { json, status } = await request('POST', '/backups/acknowledge-loss');
    assert.deepEqual([status, json().count], [200, lostWrites.count]);
    const after = (await request('GET', '/health')).json();
    assert.doesNotMatch(String(after.faults), /STORE_LOST_WRITES|payments/);
    assert.equal((await request('POST', '/payments', payment)).status, 201);
    const { entries } = (await request('GET', '/history?outcome=confirmed')).json();
    assert.deepEqual(
      (entries as { kind: string; person: string }[]).map(({ kind, person }) => [kind, person]),
      [['loss.acknowledged', 'anna']],
    );
    assert.doesNotMatch((await request('GET', '/system', undefined, HTML)).text, /acknowledge-loss/);
  } finally {
    await gateway.close();
  }
});

test.run();
