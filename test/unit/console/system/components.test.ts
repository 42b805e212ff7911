import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { restartText } from '../../../../src/console/settings/restart-text.js';
import { componentsOf, summaryOf } from '../../../../src/console/system/components.js';
import type { Health } from '../../../../src/system/http/health-routes.js';
import { cart, LATCHED, layout } from '../../app/api/samples.js';

const READY = { state: 'READY', reason: '', simulated: true } as unknown as NonNullable<CartView['link']>;

function partsOf(
  carts: CartView[],
  controllerLosses = 0,
  restartNeeded = '',
  more: Partial<Health> = {},
  restore?: object,
) {
  const { store, ...health } = more;
  const input = {
    health: {
      mode: 'full',
      overview: layout(carts),
      faulty: [],
      settingsFaults: [],
      uptimeS: 1,
      ...health,
      store: {
        healthy: true,
        reason: '',
        notices: [],
        information: [],
        metrics: { freeBytes: -1 },
        ...store,
      },
    },
    tls: { state: 'none', port: null, fault: '' },
    controllerLosses,
    restartNeeded,
    restore,
    nowMs: 0,
  };
  return componentsOf(input as unknown as Parameters<typeof componentsOf>[0]);
}

const own = cart(1, { link: READY });
const find = (parts: ReturnType<typeof partsOf>, name: string) => parts.find(({ key }) => key === name);

test('a connected controller needs attention if its connection was lost repeatedly in the last hour', () => {
  assert.equal(summaryOf(partsOf([own], 2)).tone, 'quiet');
  const parts = partsOf([own], 10);
  const controller = find(parts, 'controller');
  assert.equal(controller?.tone, 'warn');
  assert.match(controller?.reason ?? '', /10/);
  assert.notEqual(controller?.action, '');
  assert.equal(summaryOf(parts).tone, 'warn');
});

test('a scheduled gateway backup is listed as a component only while it needs attention', () => {
  assert.equal(find(partsOf([own]), 'gateway-backup'), undefined);
  const faulty = [{ part: 'gateway-backup', text: 'the scheduled gateway backup is overdue' }];
  const row = find(partsOf([own], 0, '', { faulty }), 'gateway-backup');
  assert.deepEqual([row?.tone, row?.reason], ['warn', 'The scheduled gateway backup is overdue']);
  assert.equal(row?.href, '#gateway-backups');
});

for (const [step, text] of Object.entries({
  staged: 'waiting for a restart',
  trial: 'being checked',
  waiting: 'waiting for confirmation',
  returning: 'waiting for a restart',
})) {
  test(`a restore that is ${step} needs attention`, () => {
    const row = find(partsOf([own], 0, '', {}, { step }), 'restore');
    assert.deepEqual([row?.tone, row?.text, row?.href], ['warn', text, '#gateway-backups']);
  });
}

test('the summary mentions a scheduled restore if there are no faults', () => {
  const scheduled = (losses: number) => summaryOf(partsOf([own], losses), { isRestoreScheduled: true });
  assert.equal(scheduled(0).text, 'Restore scheduled for the next restart');
  assert.equal(scheduled(0).tone, 'warn');
  assert.equal(scheduled(10).text, '1 item needs attention');
});

test('one row covers all carts with a latched stop', () => {
  const parts = partsOf([1, 2, 3].map((id) => cart(id, { link: READY, safety: LATCHED })));
  const stopped = parts.filter(({ tone }) => tone === 'stop');
  assert.deepEqual(
    stopped.map(({ key }) => key),
    ['estop'],
  );
  assert.match(stopped[0]?.text ?? '', /3/);
});

test('the healthy components include the other carts of a small fleet', () => {
  const parts = partsOf([own, cart(2), cart(3, { online: false, reason: 'it is switched off' })]);
  const others = find(parts, 'others');
  assert.match(others?.text ?? '', /^1 \D+2/);
  assert.equal(summaryOf(parts).tone, 'quiet');
  assert.equal(find(partsOf([own]), 'others'), undefined);
});

test('other carts are marked as healthy only if all of them are ready', () => {
  const toneOf = (...others: CartView[]) => find(partsOf([own, ...others]), 'others')?.tone;
  const off = { online: false, reason: 'it is switched off' };
  assert.equal(toneOf(cart(2), cart(3)), 'quiet');
  assert.equal(toneOf(cart(2), cart(3, off)), 'unknown');
  assert.equal(toneOf(cart(2, off), cart(3, off)), 'unknown');
  assert.equal(summaryOf(partsOf([own, cart(2, off)])).tone, 'quiet');
});

test('the settings need attention after a change that requires a restart, until the restart', () => {
  const settings = (restartNeeded: string) => find(partsOf([own], 0, restartNeeded), 'settings');
  assert.equal(settings('')?.tone, 'quiet');
  const pending = settings(restartText(['gateway', 'mqtt.root']));
  assert.equal(pending?.text, 'restart needed');
  assert.equal(pending?.reason, 'Takes effect after a restart: This gateway, MQTT server.');
  assert.match(pending?.action ?? '', /Restart the gateway/);
});

test('the database is shown as healthy after a restore, with the restore as the reason', () => {
  const store = { information: ['Restored from b.db on 4 May, as requested by anna.'] };
  const parts = partsOf([own], 0, '', { store } as unknown as Partial<Health>);
  const database = find(parts, 'database');
  assert.deepEqual([database?.tone, database?.text], ['quiet', 'healthy']);
  assert.match(database?.reason ?? '', /Restored from b\.db on 4 May/);
  assert.equal(summaryOf(parts).tone, 'quiet');
});

test('disabled payments are reported as a separate fault', () => {
  const faulty = [{ part: 'payments', text: 'payments are disabled: the database was restored' }];
  const parts = partsOf([own], 0, '', { faulty });
  const payments = find(parts, 'payments');
  assert.deepEqual([payments?.tone, payments?.text], ['warn', 'disabled']);
  assert.match(payments?.reason ?? '', /the database was restored/);
  assert.match(payments?.action ?? '', /confirm/);
  assert.equal(find(parts, 'database')?.tone, 'quiet');
  assert.equal(find(partsOf([own]), 'payments'), undefined);
});

test.run();
