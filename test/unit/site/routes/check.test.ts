import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type CheckRules, checkRoute } from '../../../../src/site/routes/check.js';
import type { Leg } from '../../../../src/site/routes/route.js';
import { rectangle, siteOf, zone } from '../zones/drives.js';

const test = suite('check of a route');

const START: Leg = { xMm: 1000, yMm: 1000, headingDeg: 0 };
const FAR: Leg = { xMm: 4500, yMm: 1000 };
const SIDE: Leg = { xMm: 4500, yMm: 3000, action: { kind: 'WAIT', seconds: 10 } };

const covariance = [
  [25, 0, 0],
  [0, 25, 0],
  [0, 0, 0.04],
];
const limits = { maxSpeedMmps: 300, accelMmps2: 500, decelMmps2: 500 };

const rulesOf = (...zones: Parameters<typeof siteOf>[0]): CheckRules => ({
  site: zones.length > 0 ? siteOf(zones) : undefined,
  covariance,
  limits,
});

test('a free route has its length and the duration with all turns and stops', () => {
  const { lengthM, durationS, legs } = checkRoute({ legs: [START, FAR, SIDE] }, rulesOf());
  assert.deepEqual(legs, [{ ok: true }, { ok: true }, { ok: true }]);
  assert.equal(Math.round(lengthM * 1000), 5500);
  // 5.5 m at 0.3 m/s take 18.3 s; six stops and starts, the turn and the wait are added.
  assert.ok(durationS > 18.3 + 10 + 2 + 6 * 0.3 && durationS < 38, `${durationS} s`);
});

test('a slow leg and a speed limit zone make the route longer', () => {
  const durationOf = (leg: Leg, rules = rulesOf()) => checkRoute({ legs: [START, leg] }, rules).durationS;
  const usual = durationOf(FAR);
  assert.ok(durationOf({ ...FAR, maxSpeedMmps: 100 }) > 2.2 * usual);
  const slow = zone(rectangle(2000, 0, 3000, 2000), { kind: 'SPEED_LIMIT', maxSpeedMmps: 100 });
  const limited = durationOf(FAR, rulesOf(slow));
  assert.ok(limited > 1.3 * usual && limited < 3 * usual, `${limited} s instead of ${usual} s`);
});

test('names the leg, the zone and how far the cart gets', () => {
  const stairs = zone(rectangle(3000, 500, 3500, 1500), { id: 'stairs' });
  const { legs } = checkRoute({ legs: [START, FAR, SIDE] }, rulesOf(stairs));
  const [, blocked, other] = legs;
  assert.ok(blocked && !blocked.ok);
  assert.deepEqual([blocked.code, blocked.zoneId], ['ZONE_BLOCKED', 'stairs']);
  // The cart's front is 400 mm ahead; the margin and the uncertainty take 100 mm and more.
  assert.ok(blocked.atMm > 1400 && blocked.atMm <= 1500, `${blocked.atMm} mm`);
  assert.deepEqual(other, { ok: true });
});

test('a zone that permits only driving by hand stops a run', () => {
  const hall = zone(rectangle(2500, 0, 3500, 2000), { id: 'hall', kind: 'MANUAL_ONLY' });
  const [, leg] = checkRoute({ legs: [START, FAR] }, rulesOf(hall)).legs;
  assert.deepEqual(leg && !leg.ok && [leg.code, leg.zoneId], ['ZONE_MANUAL_ONLY', 'hall']);
});

test('a corner in which the tail of the cart would touch a zone is found', () => {
  // The zone is beside the corner, where only the turning cart reaches.
  const wall = zone(rectangle(4000, 600, 4350, 650));
  const straight = checkRoute({ legs: [START, { ...FAR, xMm: 3000 }] }, rulesOf(wall));
  assert.ok(straight.legs.every(({ ok }) => ok));
  const { legs } = checkRoute({ legs: [START, FAR, SIDE] }, rulesOf(wall));
  assert.ok(legs.some(({ ok }) => !ok));
});

test('the path leads through the corners, with increasing times', () => {
  const { path } = checkRoute({ legs: [START, FAR, SIDE] }, rulesOf());
  assert.deepEqual(path.map(({ xMm, yMm }) => [Math.round(xMm), Math.round(yMm)]).at(-1), [4500, 3000]);
  assert.ok(path.some(({ xMm, leg }) => Math.round(xMm) === 4500 && leg === 1));
  for (const [nth, { atS }] of path.entries()) assert.ok(nth === 0 || atS > (path[nth - 1]?.atS ?? 0));
});

test('a route without legs, or with its start alone, has no length', () => {
  assert.deepEqual(checkRoute({ legs: [] }, rulesOf()).legs, []);
  assert.equal(checkRoute({ legs: [START] }, rulesOf()).lengthM, 0);
});

test.run();
