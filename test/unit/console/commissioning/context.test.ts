import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  type CommissioningSettings,
  commissioningOrders,
} from '../../../../src/console/commissioning/context.js';
import { maskedSettings } from '../../app/api/samples.js';

const SETTINGS = maskedSettings() as unknown as CommissioningSettings;
const changed = (changes: object): CommissioningSettings => ({ ...SETTINGS, ...changes });
const units = (distance: string, angle: string, mode = 'direct') => ({ units: { mode, distance, angle } });

test('converts 100 mm, 30° and the first value above the limit to the configured units', () => {
  for (const [distance, angle, ids] of [
    ['mm', 'deg', [100, 30, 10_001]],
    ['cm', 'ddeg', [10, 300, 1001]],
    ['dm', 'cdeg', [1, 3000, 101]],
    ['m', 'deg', [1, 30, 11]],
  ] as const) {
    const { short, turn, tooLong } = commissioningOrders(changed(units(distance, angle)));
    assert.deepEqual([short?.id, turn?.id, tooLong?.id], ids, distance);
  }
});

test('does not offer a short move when a single unit of distance exceeds the limit', () => {
  const limits = { ...SETTINGS.limits, maxDistanceMm: 500 };
  assert.equal(commissioningOrders(changed({ ...units('m', 'deg'), limits })).short, undefined);
});

test('uses the smallest preset, and does not offer a command that exceeds the limit', () => {
  const presets = { distance: { 1: 500, 2: 150, 3: -100 }, angle: { 7: 90, 8: 45 } };
  const orders = commissioningOrders(changed({ ...units('mm', 'deg', 'table'), presets }));
  assert.deepEqual(orders.short, { id: 2, amount: 150 });
  assert.deepEqual([orders.turn?.id, orders.long?.id, orders.tooLong], [8, 1, undefined]);
});

test('commissioning never drives faster than the lower of 100 mm/s and the speed limit', () => {
  assert.equal(commissioningOrders(SETTINGS).maxSpeed, 100);
  assert.equal(
    commissioningOrders(changed({ limits: { ...SETTINGS.limits, maxSpeedMmps: 40 } })).maxSpeed,
    40,
  );
});

test.run();
