import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  type Box,
  contains,
  distanceToBoxM,
  quarter,
  split,
} from '../../../../src/beacons/registry/boxes.js';
import { type IndexedBeacon, nearestBeacons } from '../../../../src/beacons/registry/nearest.js';
import { haversineM, type LatLong } from '../../../../src/plan/frame/geodesy.js';
import { randomFrom } from '../../../helpers/random.js';

/** A fake index that counts queries and returned beacons. */
function index(beacons: readonly IndexedBeacon[]) {
  const counts = { queries: 0, beacons: 0 };
  const find = (box: Box, limit: number): IndexedBeacon[] => {
    const found = beacons.filter((beacon) => contains(box, beacon)).slice(0, limit);
    counts.queries += 1;
    counts.beacons += found.length;
    return found;
  };
  return { find, counts };
}

function scatter(count: number, seed: number, middle: LatLong, degrees: number): IndexedBeacon[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, place) => ({
    place,
    lat: Math.max(-90, Math.min(90, middle.lat + (random() - 0.5) * degrees)),
    long: ((middle.long + (random() - 0.5) * degrees + 540) % 360) - 180,
  }));
}

function inOrder(places: readonly IndexedBeacon[], from: LatLong): number[] {
  return places.toSorted((a, b) => haversineM(from, a) - haversineM(from, b)).map(({ place }) => place);
}

test('returns the nearest beacons by great-circle distance, even at the antimeridian and the poles', () => {
  for (const middle of [
    { lat: 52, long: 5 },
    { lat: -17, long: 180 },
    { lat: 5, long: -180 },
    { lat: 90, long: 0 },
    { lat: -90, long: 77 },
  ]) {
    for (const degrees of [0.01, 3, 360]) {
      const places = scatter(1500, 1, middle, degrees);
      const found = nearestBeacons(middle, 25, index(places).find).map(({ place }) => place);
      assert.deepEqual(
        found.slice(0, 25),
        inOrder(places, middle).slice(0, 25),
        JSON.stringify({ middle, degrees }),
      );
    }
  }
});

test('does not read every beacon in a distant cluster', () => {
  const town = scatter(20_000, 2, { lat: 52, long: 5 }, 0.1);
  const { find, counts } = index(town);
  const from = { lat: 47, long: -3 };
  assert.deepEqual(
    nearestBeacons(from, 10, find).map(({ place }) => place),
    inOrder(town, from).slice(0, 10),
  );
  assert.ok(counts.beacons < 4000, JSON.stringify(counts));
});

test('limits the search when many beacons share a position', () => {
  const spot = Array.from({ length: 5000 }, (_, place) => ({ place, lat: 52, long: 5 }));
  const { find, counts } = index(spot);
  assert.ok(nearestBeacons({ lat: 52, long: 5.001 }, 100, find).length >= 100);
  assert.ok(counts.beacons < 30_000, JSON.stringify(counts));
});

test('returns all beacons when there are fewer beacons than the limit', () => {
  assert.equal(
    nearestBeacons({ lat: 0, long: 0 }, 10, index(scatter(3, 3, { lat: 9, long: 9 }, 1)).find).length,
    3,
  );
  assert.deepEqual(
    nearestBeacons({ lat: 0, long: 0 }, 10, () => []),
    [],
  );
});

test('the distance to a box is never greater than the distance to any point in the box', () => {
  const random = randomFrom(4);
  const froms = scatter(300, 5, { lat: 0, long: 0 }, 360);
  for (const from of froms) {
    const [south, west] = [random() * 170 - 90, random() * 350 - 180];
    const box = { south, north: south + random() * (90 - south), west, east: west + random() * (180 - west) };
    const distanceM = distanceToBoxM(from, box);
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= 40; i += 1) {
      for (let j = 0; j <= 40; j += 1) {
        const lat = south + ((box.north - south) * i) / 40;
        const long = west + ((box.east - west) * j) / 40;
        least = Math.min(least, haversineM(from, { lat, long }));
      }
    }
    assert.ok(distanceM <= least + 1e-3, JSON.stringify({ from, box, distanceM, least }));
    assert.ok(least - distanceM < 600_000, 'the bound is too loose');
  }
});

test('the search splits a box that crosses the antimeridian', () => {
  const box = { south: -20, north: -10, west: 170, east: -170 };
  const parts = split(box);
  assert.equal(parts.length, 2);
  const isIn = (long: number): boolean => parts.some((part) => contains(part, { lat: -15, long }));
  assert.deepEqual([175, 180, -180, -175, 0, 169, -169].map(isIn), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('the search divides a box into four equal parts', () => {
  const quarters = quarter({ south: 0, north: 4, west: 10, east: 20 });
  assert.equal(quarters.length, 4);
  assert.ok(quarters.every((part) => part.north - part.south === 2 && part.east - part.west === 5));
});

test.run();
