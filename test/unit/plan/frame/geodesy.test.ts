import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { onSite } from '../../../../src/plan/frame/geodesy.js';

const test = suite('positions on a site');

const HALL = [0, 1, 2, 3].map((n) => ({ lat: 52.09 + n / 10_000, long: 5.12 + n / 10_000 }));
const SWAPPED = { lat: 5.12, long: 52.09 };

test('a beacon with swapped coordinates does not belong to the site', () => {
  assert.deepEqual(onSite([SWAPPED, ...HALL]), HALL);
});

test('a beacon at 0, 0 does not belong to a site elsewhere', () => {
  assert.deepEqual(onSite([...HALL, { lat: 0, long: 0 }]), HALL);
});

test('a site may extend across the antimeridian', () => {
  const island = [179.9995, -179.9995, 180].map((long) => ({ lat: -16.8, long }));
  assert.deepEqual(onSite(island), island);
});

test('the floor plan determines the location of the site', () => {
  assert.deepEqual(onSite([...HALL, SWAPPED], SWAPPED), [SWAPPED]);
  assert.deepEqual(onSite(HALL, SWAPPED), []);
});

test('returns all positions when none is within 20 km of the median position', () => {
  const corners = [
    { lat: 10, long: 40 },
    { lat: 20, long: 10 },
    { lat: 30, long: 70 },
    { lat: 40, long: 20 },
    { lat: 50, long: 30 },
  ];
  assert.deepEqual(onSite(corners), corners);
});

test.run();
