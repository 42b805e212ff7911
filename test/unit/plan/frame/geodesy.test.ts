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

test('of two distant positions, only one belongs to the site', () => {
  const [first, far] = [
    { lat: 52.09, long: 5.12 },
    { lat: 43.1, long: 9.5 },
  ];
  assert.deepEqual(onSite([first, far]), [first]);
  assert.deepEqual(onSite([far, first]), [far]);
});

test.run();
