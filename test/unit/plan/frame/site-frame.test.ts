import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { offsetFrom, placeAt, siteOriginOf } from '../../../../src/plan/frame/site-frame.js';

const test = suite('positions in metres from the origin');

const NOWHERE = { lat: 0, long: 0 };

test('the origin is 0, 0 until a beacon has coordinates elsewhere', () => {
  assert.deepEqual(siteOriginOf(undefined, undefined), NOWHERE);
  assert.deepEqual(siteOriginOf(undefined, { lat: -0.001, long: 0.002 }), NOWHERE);
});

test('the origin is a rounded coordinate south-west of the beacons, or the corner of the floor plan', () => {
  assert.deepEqual(siteOriginOf(undefined, { lat: 52.3725, long: -4.8951 }), { lat: 52.372, long: -4.896 });
  // The R-tree stores the bounds as 32-bit numbers, so 52.37 becomes 52.369999.
  assert.deepEqual(siteOriginOf(undefined, { lat: 52.369999, long: 4.895 }), { lat: 52.37, long: 4.895 });
  const corner = { lat: 52.1, long: 4.1 };
  assert.deepEqual(siteOriginOf(corner, { lat: 10, long: 10 }), corner);
});

test('converting metres to coordinates and back returns the same values', () => {
  for (const origin of [NOWHERE, { lat: 52.37, long: 4.895 }, { lat: -33.9, long: 179.9999 }]) {
    for (const offset of [
      { eastM: 0, northM: 0 },
      { eastM: 12.34, northM: -5.6 },
      { eastM: -800.01, northM: 950.5 },
    ]) {
      const place = placeAt(origin, offset);
      assert.ok(place);
      assert.deepEqual(offsetFrom(origin, place), offset);
    }
  }
});

test("an offset greater than half the Earth's circumference has no coordinates", () => {
  assert.equal(placeAt(NOWHERE, { eastM: 3e7, northM: 0 }), undefined);
  assert.equal(placeAt(NOWHERE, { eastM: Number.NaN, northM: 0 }), undefined);
});

test.run();
