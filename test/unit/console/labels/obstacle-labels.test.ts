import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { FieldView } from '../../../../src/carts/protective-field/model.js';
import { namedFaults, obstacleLabel } from '../../../../src/console/labels/obstacle-labels.js';
import { textOf } from '../../../../src/shared/messages/message.js';

function fieldOf(ranges: Record<number, number | null>, more: Partial<FieldView> = {}): FieldView {
  const sensors = Object.entries(ranges).map(([angle, rangeMm]) => ({
    angleDeg: Number(angle),
    fieldOfViewDeg: 27,
    maxRangeMm: 3000,
    rangeMm,
    valid: true,
  }));
  return { sensors, bumpers: [], blocked: [], ageS: 0, ...more };
}

test('labels the nearest obstacle with its distance and side', () => {
  assert.equal(obstacleLabel({ field: fieldOf({ 0: 320, 180: 900 }) }), '0.32 m in front');
  assert.equal(obstacleLabel({ field: fieldOf({ 0: 950, 180: 900 }) }), '0.90 m at the rear');
  assert.equal(obstacleLabel({ field: fieldOf({ 90: 200, 0: null }) }), '0.20 m on the left');
  assert.equal(obstacleLabel({ field: fieldOf({ [-90]: 200 }) }), '0.20 m on the right');
  assert.equal(obstacleLabel({ field: fieldOf({ 0: null }) }), 'none in range');
});

test('labels an unknown distance with a dash', () => {
  const invalid = fieldOf({ 0: 320 });
  for (const sensor of invalid.sensors) sensor.valid = false;
  assert.equal(obstacleLabel({}), '–');
  assert.equal(obstacleLabel({ field: fieldOf({ 0: 320 }, { ageS: 1 }) }), '–');
  assert.equal(obstacleLabel({ field: fieldOf({}) }), '–');
  assert.equal(obstacleLabel({ field: invalid }), '–');
});

test("shows the obstacle that blocks the cart instead of the controller's fault", () => {
  const faults = [{ path: 'carts/1', message: 'obstacle' }];
  const texts = (field: FieldView | undefined): string[] =>
    namedFaults({ faults, ...(field ? { field } : {}) }).map(textOf);
  assert.deepEqual(texts(fieldOf({ 0: 320, 180: 200 }, { blocked: ['forward', 'turning'] })), [
    'obstacle 320 mm ahead',
  ]);
  assert.deepEqual(texts(fieldOf({ 0: 320, 180: 200 }, { blocked: ['backward'] })), [
    'obstacle 200 mm behind',
  ]);
  assert.deepEqual(texts(fieldOf({ 90: 150 }, { blocked: ['turning'] })), ['obstacle 150 mm to the left']);
  assert.deepEqual(texts(fieldOf({ 0: 320 }, { bumpers: ['rearLeft'], blocked: ['backward'] })), [
    'a rear bumper is pressed',
  ]);
  assert.deepEqual(texts(fieldOf({ 0: 320 }, { blocked: ['forward'], ageS: 2 })), ['obstacle']);
  assert.deepEqual(texts(undefined), ['obstacle']);
});

test.run();
