import assert from 'node:assert/strict';
import { test } from 'uvu';
import { convexHull, encloses } from '../../../src/shared/convex-hull.js';
import { randomFrom } from '../../helpers/random.js';

test('the hull contains the outer corners, counterclockwise', () => {
  const points = [
    [0, 0],
    [400, 200],
    [-200, 200],
    [400, -200],
    [-200, -200],
    [400, 0],
    [100, 50],
  ] as const;
  assert.deepEqual(convexHull(points), [
    [-200, -200],
    [400, -200],
    [400, 200],
    [-200, 200],
  ]);
});

test('the hull of points on one line has fewer than three corners', () => {
  for (const points of [
    [[0, 0]],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [100, 100],
      [50, 50],
    ],
  ] as [number, number][][])
    assert.ok(convexHull(points).length < 3);
});

test('the hull encloses all points', () => {
  const random = randomFrom(7);
  for (let round = 0; round < 200; round++) {
    const points = Array.from({ length: 12 }, () => [random() * 100, random() * 100] as const);
    const hull = convexHull(points);
    assert.ok(points.every((point) => encloses(hull, point)));
    assert.ok(!encloses(hull, [101, 50]));
  }
});

test.run();
