import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type MapPose, movedBy } from '../../../../src/beacons/positioning/drive-target.js';
import {
  type CartSample,
  hasCartMoved,
  type OdometerPose,
  PlacedCart,
} from '../../../../src/beacons/positioning/placed-cart.js';
import { haversineM } from '../../../../src/plan/frame/geodesy.js';

const test = suite('cart placed on the map by an operator');

const AT: MapPose = { lat: 52.37, long: 4.895, bearingDeg: 30 };
/** The cart has driven and turned since it was switched on. */
const START: OdometerPose = { xMm: 4000, yMm: -1000, headingDeg: 100 };
const SAMPLE: CartSample = { atMs: 1000, odometer: START, session: 'a', isStopped: false, ageMs: 20 };

const placedCart = (): PlacedCart => new PlacedCart(AT, START, SAMPLE);

/** Moves the odometer by metres along its heading, in steps of 0.5 m. */
function drive(cart: PlacedCart, from: OdometerPose, metres: number): OdometerPose {
  let pose = from;
  const angle = (from.headingDeg * Math.PI) / 180;
  for (let step = 1; step <= Math.abs(metres) * 2; step += 1) {
    const mm = Math.sign(metres) * step * 500;
    pose = { ...from, xMm: from.xMm + mm * Math.cos(angle), yMm: from.yMm + mm * Math.sin(angle) };
    cart.update({ ...SAMPLE, odometer: pose });
  }
  return pose;
}

function assertAt(cart: PlacedCart, expected: MapPose): void {
  const distance = haversineM(cart.pose, expected);
  assert.ok(distance < 0.01, `${distance} m from the expected position`);
  assert.ok(Math.abs(cart.pose.bearingDeg - expected.bearingDeg) < 1e-6, String(cart.pose.bearingDeg));
}

test("a placed cart's position does not change until the cart moves", () => {
  const cart = placedCart();
  cart.update(SAMPLE);
  assertAt(cart, AT);
});

test("a placed cart's position follows the odometry from the position and heading at placement", () => {
  const cart = placedCart();
  const ahead = drive(cart, START, 2);
  assertAt(cart, { ...movedBy(AT, 2, 30), bearingDeg: 30 });
  const turned = { ...ahead, headingDeg: ahead.headingDeg + 90 };
  cart.update({ ...SAMPLE, odometer: turned });
  assertAt(cart, { ...movedBy(AT, 2, 30), bearingDeg: 300 });
  drive(cart, turned, 1);
  assertAt(cart, { ...movedBy(movedBy(AT, 2, 30), 1, 300), bearingDeg: 300 });
  assert.equal(cart.end, undefined);
});

test("a placed cart's heading is correct after the odometer heading wraps at 180 degrees", () => {
  const cart = new PlacedCart(AT, { ...START, headingDeg: 170 }, SAMPLE);
  cart.update({ ...SAMPLE, odometer: { ...START, headingDeg: -170 } });
  assertAt(cart, { ...AT, bearingDeg: 10 });
});

for (const [name, change, end] of [
  ['the connection to the controller restarts', { session: 'b' }, 'reconnected'],
  ['the cart stops reporting its odometry', { odometer: undefined }, 'reconnected'],
  ['the E-stop is triggered', { isStopped: true }, 'stopped'],
  ['no data arrives for more than 10 s', { ageMs: 10_001 }, 'silent'],
  ['the page is not updated for more than 10 s', { atMs: 11_001 }, 'silent'],
  ['there is no data', { ageMs: null }, 'silent'],
  ['the odometer jumps', { odometer: { ...START, xMm: 5001 } }, 'jumped'],
] as const) {
  test(`a placed cart's position becomes unknown when ${name}, and stays unknown`, () => {
    const cart = placedCart();
    cart.update({ ...SAMPLE, ageMs: 10_000 });
    assert.equal(cart.end, undefined);
    cart.update({ ...SAMPLE, ...change });
    assert.equal(cart.end, end);
    cart.update(SAMPLE);
    assert.equal(cart.end, end);
  });
}

test("a placed cart's position becomes unknown after 20 m of forward and backward travel", () => {
  const cart = placedCart();
  drive(cart, drive(cart, START, 10), -9.5);
  assert.equal(cart.end, undefined);
  drive(cart, START, 1.5);
  assert.equal(cart.end, 'travelled');
});

test("a placed cart's position becomes unknown after more than two full turns in place", () => {
  const cart = placedCart();
  for (let deg = 0; deg <= 720; deg += 30)
    cart.update({ ...SAMPLE, odometer: { ...START, headingDeg: START.headingDeg + deg } });
  assert.equal(cart.end, undefined);
  cart.update({ ...SAMPLE, odometer: { ...START, headingDeg: START.headingDeg + 750 } });
  assert.equal(cart.end, 'travelled');
});

test("hasMoved ignores the noise of a stationary cart's wheel counters", () => {
  assert.ok(!hasCartMoved(START, START));
  assert.ok(!hasCartMoved(START, { ...START, xMm: 4004, headingDeg: 100.4 }));
  assert.ok(hasCartMoved(START, { ...START, yMm: -1006 }));
  assert.ok(hasCartMoved(START, { ...START, headingDeg: 100.6 }));
  assert.ok(!hasCartMoved({ ...START, headingDeg: 179.9 }, { ...START, headingDeg: -179.9 }));
});

test.run();
