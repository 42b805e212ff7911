import assert from 'node:assert/strict';
import { test } from 'uvu';
import { fieldArcs } from '../../../../src/carts/protective-field/arcs.js';
import type { FieldView } from '../../../../src/carts/protective-field/model.js';

const sensor = (angleDeg: number, rangeMm: number | null, valid = true): FieldView['sensors'][number] => ({
  angleDeg,
  rangeMm,
  valid,
  fieldOfViewDeg: 30,
  maxRangeMm: 2500,
});

const fieldOf = (more: Partial<FieldView>): FieldView => ({
  sensors: [],
  bumpers: [],
  blocked: [],
  ageS: 0,
  ...more,
});

test('an arc has the direction, width and range of its sensor', () => {
  assert.deepEqual(fieldArcs(fieldOf({ sensors: [sensor(180, 700)] })), [
    { angleDeg: 180, widthDeg: 30, rangeMm: 700, isBlocked: false },
  ]);
});

test("sensors with the same direction share the nearest obstacle's arc", () => {
  const sensors = [sensor(0, 900), sensor(0, 400), sensor(0, 600), sensor(20, 800)];
  const arcs = fieldArcs(fieldOf({ sensors }));
  assert.deepEqual(
    arcs.map(({ angleDeg, rangeMm }) => [angleDeg, rangeMm]),
    [
      [0, 400],
      [20, 800],
    ],
  );
});

test('a sensor without an obstacle or a valid measurement does not have an arc', () => {
  assert.deepEqual(fieldArcs(fieldOf({ sensors: [sensor(0, null), sensor(180, 300, false)] })), []);
});

test('only arcs in a blocked direction and pressed bumpers are marked as blocked', () => {
  const sensors = [sensor(0, 200), sensor(180, 700)];
  const arcs = fieldArcs(fieldOf({ sensors, bumpers: ['rearLeft'], blocked: ['forward'] }));
  assert.deepEqual(
    arcs.map(({ angleDeg, rangeMm, isBlocked }) => [angleDeg, rangeMm, isBlocked]),
    [
      [0, 200, true],
      [180, 700, false],
      [135, 0, true],
    ],
  );
});

test.run();
