import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  type ConditionFacts,
  conditions,
  type UpdateCondition,
  unmetCondition,
} from '../../../../src/carts/firmware/conditions.js';
import { CAPS } from '../../../../src/carts/serial/codec/codec.js';

const READY: ConditionFacts = {
  driver: 'cgw1',
  isSimulated: false,
  hasImage: true,
  isProgramInstalled: true,
  isConfigured: false,
  caps: CAPS.battery | CAPS.estopInput,
  baudRate: 115_200,
  isMoving: false,
  isStopped: false,
  motorsOn: false,
};

const unmet = (facts: Partial<ConditionFacts>): UpdateCondition | undefined =>
  unmetCondition(conditions({ ...READY, ...facts }))?.need;

test('all conditions are met for a stationary cart whose motors are off', () => {
  assert.equal(unmet({}), undefined);
  assert.equal(unmet({ caps: undefined }), undefined);
});

const CASES: readonly [UpdateCondition, Partial<ConditionFacts>][] = [
  ['driver', { driver: 'roboclaw' }],
  ['real', { isSimulated: true }],
  ['image', { hasImage: false }],
  ['program', { isProgramInstalled: false }],
  ['standing', { isMoving: true }],
  ['safe', { motorsOn: true }],
  ['configuration', { caps: CAPS.protectiveField }],
  ['configuration', { caps: CAPS.odometry }],
  ['configuration', { baudRate: 38_400 }],
];

for (const [need, facts] of CASES) {
  test(`${JSON.stringify(facts)} does not meet the condition ${need}`, () =>
    assert.equal(unmet(facts), need));
}

test('an active E-stop meets the condition that the motors are off', () => {
  assert.equal(unmet({ motorsOn: true, isStopped: true }), undefined);
});

test('firmware built with a custom configuration is suitable for every cart', () => {
  assert.equal(unmet({ caps: CAPS.protectiveField, baudRate: 38_400, isConfigured: true }), undefined);
});

test.run();
