import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { requireUpdatable, type UpdateConditions } from '../../../src/updates/conditions.js';
import { hasCode } from '../../helpers/has-code.js';

const test = suite('update conditions');

const PARKED: UpdateConditions = {
  isMoving: false,
  isFirmwareUpdating: false,
  isRestoreScheduled: false,
  isOnTrial: false,
  batteryMv: 24_000,
  minBatteryMv: 22_000,
};

test('permits an update if the cart is parked, with or without a battery reading', () => {
  for (const batteryMv of [24_000, 22_000, null, undefined]) requireUpdatable({ ...PARKED, batteryMv });
  requireUpdatable({ ...PARKED, batteryMv: 0, minBatteryMv: 0 });
});

const UNMET: readonly [change: Partial<UpdateConditions>, code: string][] = [
  [{ isMoving: true }, 'NOT_IDLE'],
  [{ isFirmwareUpdating: true }, 'FIRMWARE_UPDATE'],
  [{ isRestoreScheduled: true }, 'CONFLICT'],
  [{ isOnTrial: true }, 'CONFLICT'],
  [{ batteryMv: 21_999 }, 'UPDATE_BATTERY'],
];
for (const [change, code] of UNMET) {
  test(`rejects an update with ${code} if ${JSON.stringify(change)}`, () => {
    assert.throws(() => requireUpdatable({ ...PARKED, ...change }), hasCode(code));
  });
}

test.run();
