import assert from 'node:assert/strict';
import { test } from 'uvu';
import { medianOf, RssiFilter } from '../../../../src/beacons/positioning/filter.js';
import { distanceOf, isRssi, pathLossM, zoneOf } from '../../../../src/beacons/positioning/ranging.js';

const OPEN = { exponent: 2, maxRangeM: 100 };

const near = (actual: number | undefined, expected: number, tolerance = 0.005): void =>
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= tolerance,
    `${actual}, expected ${expected}`,
  );

test('computes 4.47, 3.31, 2.71 or 2.11 m, depending on the exponent, from -72 dBm and a power of -59 dBm at 1 m', () => {
  for (const [exponent, metres] of [
    [2, 4.47],
    [2.5, 3.31],
    [3, 2.71],
    [4, 2.11],
  ] as const)
    near(pathLossM(-72, -59, exponent), metres);
});

test('computes 4.47 m from -72 dBm and an Eddystone power of -18 dBm, but 501 m if -18 dBm is the power at 1 m', () => {
  near(pathLossM(-72, -18, 2, '0m'), 4.47);
  near(pathLossM(-72, -18, 2), 501, 0.5);
  near(pathLossM(-72, -18, 2) / pathLossM(-72, -18, 2, '0m'), 112.2, 0.1);
});

test('a beacon whose received signal strength equals its power at 1 m is 1 m away', () => {
  assert.equal(distanceOf(-59, -59, OPEN)?.distanceM, 1);
});

test('6 dB of fading changes the distance by a factor of 2.0 at exponent 2, and less at higher exponents', () => {
  const open = distanceOf(-72, -59, OPEN);
  near(open?.minM, 4.467 / 1.995);
  near(open?.maxM, 4.467 * 1.995);
  const indoors = distanceOf(-72, -59, { ...OPEN, exponent: 3 });
  near(indoors?.maxM, 2.712 * 1.585);
});

test('the confidence is the probability that the distance is correct within a factor of two', () => {
  near(distanceOf(-72, -59, OPEN)?.confidence, 0.68);
  near(distanceOf(-72, -59, { ...OPEN, exponent: 3.5 })?.confidence, 0.92);
});

test('invalid received signal strengths, including 0 and 127, do not yield a distance', () => {
  for (const rssi of [0, 127, -128, 21, Number.NaN, Number.NEGATIVE_INFINITY]) {
    assert.equal(isRssi(rssi), false);
    assert.equal(distanceOf(rssi, -59, OPEN), null);
  }
  assert.equal(isRssi(-127), true);
});

test('clamps a distance to the range from 0.1 m to the maximum, and lowers the confidence of a clamped distance', () => {
  assert.equal(distanceOf(20, -59, OPEN)?.distanceM, 0.1);
  const far = distanceOf(-120, -59, OPEN);
  assert.deepEqual([far?.minM, far?.distanceM, far?.maxM], [100, 100, 100]);
  near(far?.confidence, 0, 0.01);
  near(distanceOf(-100, -59, OPEN)?.confidence, 0.67, 0.02);
});

test('classifies distances below 0.5 m as immediate, below 3 m as near, and all others as far', () => {
  assert.deepEqual([0.1, 0.49, 0.5, 2.99, 3, 80].map(zoneOf), [
    'immediate',
    'immediate',
    'near',
    'near',
    'far',
    'far',
  ]);
});

test('the median is the middle value, or the mean of the two middle values', () => {
  assert.equal(medianOf([-70, -50, -60]), -60);
  assert.equal(medianOf([-70, -50, -60, -64]), -62);
  assert.equal(medianOf([]), undefined);
});

test('the strength filter requires five samples and ignores unavailable values and a single outlier', () => {
  const filter = new RssiFilter();
  for (const rssi of [-70, 127, -70, 0, -70, -70]) assert.equal(filter.add(rssi), undefined);
  assert.equal(filter.add(-70), -70);
  assert.equal(filter.add(-30), -70);
  assert.equal(filter.value, -70);
});

test('the strength filter follows a sustained change', () => {
  const filter = new RssiFilter();
  for (let i = 0; i < 9; i += 1) filter.add(-70);
  for (let i = 0; i < 30; i += 1) filter.add(-50);
  near(filter.value, -50, 0.1);
});

test.run();
