import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { PlanPoint, Zone } from '../../../../src/site/zones/zone.js';
import { zoneFault } from '../../../../src/site/zones/zone-fault.js';

const test = suite('faults of zones');

const SQUARE: PlanPoint[] = [
  [0, 0],
  [1000, 0],
  [1000, 1000],
  [0, 1000],
];

const zone = (polygon: PlanPoint[], more: Partial<Zone> = {}): Zone => ({
  id: 'z1',
  kind: 'BLOCKED',
  name: 'Stairs',
  polygon,
  ...more,
});

/** Returns a star with two vertices for each of its points. */
const star = (vertices: number): PlanPoint[] =>
  Array.from({ length: vertices }, (_, i) => {
    const [angle, radius] = [(2 * Math.PI * i) / vertices, i % 2 === 0 ? 5000 : 4000];
    return [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))];
  });

for (const [title, polygon] of [
  ['a square', SQUARE],
  ['a clockwise square', SQUARE.toReversed()],
  ['a vertex in the middle of an edge', [[0, 0], [500, 0], ...SQUARE.slice(1)]],
  ['1,000 vertices', star(1000)],
] as [string, PlanPoint[]][]) {
  test(`accepts ${title}`, () => assert.equal(zoneFault(zone(polygon)), undefined));
}

for (const [title, polygon, reason, vertex] of [
  ['two vertices', SQUARE.slice(2), 'too-few-vertices'],
  ['1,001 vertices', star(1001), 'too-many-vertices'],
  ['NaN', [...SQUARE, [Number.NaN, 500]], 'not-a-number', 4],
  ['infinity', [...SQUARE, [0, Number.POSITIVE_INFINITY]], 'not-a-number', 4],
  ['a repeated vertex', [...SQUARE.slice(0, 2), ...SQUARE.slice(1)], 'repeated-vertex', 2],
  ['the first vertex repeated at the end', [...SQUARE, [0, 0]], 'repeated-vertex', 0],
  [
    'a bow tie',
    [
      [0, 0],
      [1000, 1000],
      [1000, 0],
      [0, 1000],
    ],
    'self-intersection',
    0,
  ],
  ['an edge that returns along the edge before it', [...SQUARE, [0, 500], [0, 800]], 'self-intersection', 3],
  ['a vertex on another edge', [...SQUARE, [500, 0], [0, 200]], 'self-intersection', 0],
  [
    'a last edge that returns along the first',
    [
      [0, 0],
      [1000, 0],
      [1000, 1000],
      [500, 0],
    ],
    'self-intersection',
    0,
  ],
  [
    'a line',
    [
      [0, 0],
      [1000, 0],
      [2000, 0],
    ],
    'self-intersection',
    0,
  ],
  [
    'a crossing in a ring of 1,000 vertices',
    star(1000).with(501, [0, 0]).with(1, [0, 0]),
    'self-intersection',
    0,
  ],
] as [string, PlanPoint[], string | undefined, number?][]) {
  test(`names the reason and the vertex for ${title}`, () => {
    const { zoneId, ...fault } = zoneFault(zone(polygon)) ?? { zoneId: 'z1' };
    assert.equal(zoneId, 'z1');
    assert.deepEqual(
      fault,
      reason === undefined ? {} : vertex === undefined ? { reason } : { vertex, reason },
    );
  });
}

test('requires a speed for SPEED_LIMIT, and only for that kind', () => {
  assert.equal(zoneFault(zone(SQUARE, { kind: 'SPEED_LIMIT' }))?.reason, 'speed-missing');
  assert.equal(zoneFault(zone(SQUARE, { kind: 'SPEED_LIMIT', maxSpeedMmps: 100 })), undefined);
  assert.equal(zoneFault(zone(SQUARE, { maxSpeedMmps: 100 }))?.reason, 'speed-not-allowed');
});

test.run();
