import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Leg } from '../../../../src/site/routes/route.js';
import { offRouteMm } from '../../../../src/site/routes/steps.js';
import { type TaughtPose, taughtLegs } from '../../../../src/site/routes/teach.js';
import { randomFrom, rounds, testSeed } from '../../../helpers/random.js';

const test = suite('routes from driving by hand');

const RAD = Math.PI / 180;
const START: TaughtPose = { xMm: 1000, yMm: 1000, headingDeg: 0, speedMmps: 0 };

/** Drives at 10 poses per second; noise moves each pose by up to this distance. */
class Driver {
  readonly poses: TaughtPose[] = [START];
  readonly #random: () => number;
  readonly #noiseMm: number;
  #at = START;

  constructor(noiseMm = 0, seed = 1) {
    this.#random = randomFrom(seed);
    this.#noiseMm = noiseMm;
  }

  wait(count = 10): this {
    for (let n = 0; n < count; n++) this.#add({ ...this.#at, speedMmps: 0 });
    return this;
  }

  turn(deg: number, count = Math.ceil(Math.abs(deg) / 4)): this {
    for (let n = 0; n < count; n++)
      this.#add({ ...this.#at, headingDeg: this.#at.headingDeg + deg / count, speedMmps: 0 });
    return this;
  }

  drive(mm: number, { turnDeg = 0, speedMmps = 300 } = {}): this {
    const count = Math.ceil(Math.abs(mm) / (speedMmps / 10));
    for (let n = 0; n < count; n++) {
      const headingDeg = this.#at.headingDeg + turnDeg / count;
      const [xMm, yMm] = [
        this.#at.xMm + (mm / count) * Math.cos(headingDeg * RAD),
        this.#at.yMm + (mm / count) * Math.sin(headingDeg * RAD),
      ];
      this.#add({ xMm, yMm, headingDeg, speedMmps: Math.sign(mm) * speedMmps });
    }
    return this;
  }

  #add(pose: TaughtPose): void {
    this.#at = pose;
    const noise = () => (2 * this.#random() - 1) * this.#noiseMm;
    this.poses.push({ ...pose, xMm: pose.xMm + noise(), yMm: pose.yMm + noise() });
  }
}

const points = (legs: readonly Leg[]) => legs.map(({ xMm, yMm }) => [xMm, yMm]);

test('a straight drive is one leg with the speed at which it was driven', () => {
  const legs = taughtLegs(new Driver().wait().drive(3000, { speedMmps: 200 }).wait().poses);
  assert.deepEqual(legs.slice(1), [{ xMm: 4000, yMm: 1000, maxSpeedMmps: 200 }]);
  assert.equal(legs[0]?.headingDeg, 0);
});

test('standstill and jitter at both ends are not part of the route', () => {
  const { poses } = new Driver(8).wait(50).drive(2000).wait(80);
  const legs = taughtLegs(poses);
  assert.equal(legs.length, 2);
  assert.ok(Math.abs((legs[0]?.xMm ?? 0) - 1000) < 50 && Math.abs((legs[1]?.xMm ?? 0) - 3000) < 20);
});

test('a cart that has not moved leaves no route', () => {
  assert.deepEqual(taughtLegs([]), []);
  assert.deepEqual(taughtLegs([START]), []);
  assert.deepEqual(taughtLegs(new Driver(10).wait(100).poses), []);
});

test('a corner at which the cart turned in place stays where it was', () => {
  const legs = taughtLegs(new Driver().drive(2000).wait(5).turn(90).wait(5).drive(1500).poses);
  assert.deepEqual(points(legs), [
    [1000, 1000],
    [3000, 1000],
    [3000, 2500],
  ]);
});

test('a turn in place at the end is a leg without a distance', () => {
  const legs = taughtLegs(new Driver().drive(2000).turn(-90).wait().poses);
  assert.deepEqual(legs.at(-1), { xMm: 3000, yMm: 1000, headingDeg: -90 });
});

test('driving backwards stays driving backwards', () => {
  const legs = taughtLegs(new Driver().drive(2000).wait(3).drive(-1200, { speedMmps: 100 }).wait().poses);
  assert.deepEqual(points(legs), [
    [1000, 1000],
    [3000, 1000],
    [1800, 1000],
  ]);
  assert.deepEqual([legs[1]?.headingDeg, legs[2]?.headingDeg, legs[2]?.maxSpeedMmps], [undefined, 0, 100]);
});

test('an arc becomes legs within 30 mm of it', () => {
  const { poses } = new Driver().drive(3000, { turnDeg: 90 });
  const legs = taughtLegs(poses);
  assert.ok(legs.length >= 4 && legs.length <= 10, `${legs.length} legs`);
  for (const pose of poses) assert.ok(besideRoute(legs, pose) <= 31, `${besideRoute(legs, pose)} mm`);
});

test('the point at which the way crosses itself ends legs on both passes', () => {
  // A long loop, so that the crossing is in the middle of straight lines.
  const { poses } = new Driver().drive(4000).turn(90).drive(2000).turn(90).drive(2000).turn(90).drive(4000);
  const near = points(taughtLegs(poses)).filter(([x = 0, y = 0]) => Math.hypot(x - 3000, y - 1000) < 60);
  assert.equal(near.length, 2);
});

test('driving back beside the same way adds no legs', () => {
  const { poses } = new Driver(4).drive(4000).turn(180).drive(4000);
  assert.equal(taughtLegs(poses).filter((leg, nth) => nth > 0 && leg.maxSpeedMmps).length, 2);
});

test('finds each crossing of a long way', () => {
  const driver = new Driver();
  for (let row = 0; row < 8; row++) {
    const deg = row % 2 ? -90 : 90;
    driver.drive(4000).turn(deg).drive(400).turn(deg);
  }
  // Down through the middle of the eight rows.
  const { poses } = driver.drive(2000).turn(-90).drive(3400);
  const rowsOf = (leg: Leg) => Math.abs(leg.xMm - 3000) < 60 && leg.yMm < 4000;
  assert.equal(taughtLegs(poses).filter(rowsOf).length, 17);
});

// 30 mm, the noise at the ends of a leg and beside it, and 4 mm between two poses in a narrow curve.
test('legs of random drives are within 45 mm of the drive, and the drive of the legs', () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  for (let n = 0; n < rounds(50, 2000); n++) {
    const driver = new Driver(3, seed + n).wait();
    for (let part = 0; part < 8; part++) {
      const sign = random() < 0.2 ? -1 : 1;
      if (random() < 0.4) driver.turn(random() * 240 - 120);
      driver.drive(sign * (200 + random() * 2000), {
        turnDeg: random() < 0.5 ? 0 : random() * 120 - 60,
        speedMmps: 60 + Math.round(random() * 240),
      });
      if (random() < 0.5) driver.wait(5);
    }
    const legs = taughtLegs(driver.poses);
    for (const pose of driver.poses) assert.ok(besideRoute(legs, pose) <= 45, `round ${n}`);
    for (const leg of legs) {
      const nearest = Math.min(
        ...driver.poses.map((pose) => Math.hypot(pose.xMm - leg.xMm, pose.yMm - leg.yMm)),
      );
      assert.ok(nearest <= 45, `round ${n}`);
    }
  }
});

function besideRoute(legs: readonly Leg[], pose: TaughtPose): number {
  return Math.min(...legs.slice(1).map((leg, nth) => offRouteMm(legs[nth] ?? leg, leg, pose)));
}

test.run();
