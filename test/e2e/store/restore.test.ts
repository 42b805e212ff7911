import assert from 'node:assert/strict';
import { test } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { ADMINISTRATOR_ENV, loggedIn } from './administrator.js';

const HTML = { accept: 'text/html' };
const PAYMENT = { value: 10 };

interface HealthAnswer {
  status: string;
  faults: string[];
  store: { notices: string[]; information: string[]; restored?: { name: string } };
}

async function restart(gateway: GatewayProcess): Promise<void> {
  await gateway.kill('SIGTERM');
  await gateway.spawn(ADMINISTRATOR_ENV);
}

// Fault case 74
test('payments are disabled after a restore until an administrator enables them, and no further restart is needed', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    const before = await loggedIn(gateway);
    assert.equal((await before('POST', '/payments', PAYMENT)).status, 201);
    assert.equal((await before('POST', '/backups')).status, 201);
    const [{ name } = { name: '' }] = (await before('GET', '/backups')).json().backups as { name: string }[];
    assert.equal((await before('POST', `/backups/${name}/restore`)).status, 200);

    for (const what of ['the restore', 'another restart']) {
      await restart(gateway);
      const request = await loggedIn(gateway);
      const refused = await request('POST', '/payments', PAYMENT);
      assert.deepEqual([refused.status, refused.json().code], [503, 'PAYMENTS_OFF'], what);
      const { faults, store } = (await request('GET', '/health')).json() as unknown as HealthAnswer;
      assert.deepEqual([store.notices, store.restored?.name], [[], name], what);
      assert.ok(store.information[0]?.startsWith(`Restored from ${name} on `), store.information[0]);
      assert.ok(faults.includes('payments are disabled: the database was restored from a backup'), what);
      assert.doesNotMatch(faults.join(' '), /Restored from|revocation/);
      assert.equal((await request('GET', '/readyz')).status, 200);
    }

    const request = await loggedIn(gateway);
    const page = (await request('GET', '/system', undefined, HTML)).text;
    assert.match(page, /action="\/backups\/confirm-payments"/);
    const confirmed = await request('POST', '/backups/confirm-payments', undefined, HTML);
    assert.deepEqual([confirmed.status, confirmed.location], [303, '/system?done=payments-confirmed']);
    const shown = (await request('GET', confirmed.location, undefined, HTML)).text;
    assert.match(shown, /Payments confirmed/);
    assert.doesNotMatch(shown, /confirm-payments/);
    assert.equal((await request('POST', '/payments', PAYMENT)).status, 201);
    const { faults } = (await request('GET', '/health')).json() as unknown as HealthAnswer;
    assert.doesNotMatch(faults.join(' '), /payments/);
    assert.equal((await request('POST', '/backups/confirm-payments')).status, 404);

    await restart(gateway);
    const after = await loggedIn(gateway);
    assert.equal((await after('POST', '/payments', PAYMENT)).status, 201);
    const { entries } = (await after('GET', '/history?outcome=confirmed')).json();
    assert.deepEqual(
      (entries as { kind: string; person: string }[]).map(({ kind, person }) => [kind, person]),
      [['payments.confirmed', 'anna']],
    );
  } finally {
    await gateway.close();
  }
});

test.run();
