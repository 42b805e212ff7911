import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ControllerFaults } from '../../../../src/simulator/controller/faults.js';
import { SimulatedPlan, type Wall } from '../../../../src/simulator/field/plan.js';
import { DistanceSensors, SENSORS } from '../../../../src/simulator/field/sensors.js';
import { Chassis } from '../../../../src/simulator/physics/physics.js';

const AHEAD = { xMm: 0, yMm: 0, headingRad: 0 };
const FOV = Math.PI / 6;

function planOf(...walls: Wall[]): SimulatedPlan {
  const plan = new SimulatedPlan();
  plan.walls = walls;
  return plan;
}

test('returns the distance to the nearest wall in the field of view', () => {
  const wall = { x1: 1000, y1: -500, x2: 1000, y2: 500 };
  const farther = { x1: 1500, y1: -500, x2: 1500, y2: 500 };
  assert.equal(planOf(farther, wall).distance(AHEAD, FOV), 1000);
  assert.equal(Math.round(planOf(wall).distance({ xMm: 0, yMm: 600, headingRad: 0 }, FOV)), 1005);
  assert.equal(planOf(wall).distance({ xMm: 0, yMm: 0, headingRad: Math.PI }, FOV), Infinity);
  assert.equal(planOf().distance(AHEAD, FOV), Infinity);
});

test('measures a slanted wall at the edge of the field of view', () => {
  // The wall crosses the axis at 1 m; its nearest visible point is on the left edge, at 15 degrees.
  const slanted = { x1: 0, y1: 1000, x2: 2000, y2: -1000 };
  const expected = 1000 / (Math.cos(Math.PI / 12) + Math.sin(Math.PI / 12));
  assert.equal(Math.round(planOf(slanted).distance(AHEAD, FOV)), Math.round(expected));
});

test('does not measure an obstacle outside the field of view', () => {
  const post = { x1: 1000, y1: 300, x2: 1000, y2: 360 };
  assert.equal(planOf(post).distance(AHEAD, FOV), Infinity);
  assert.ok(planOf(post).distance(AHEAD, Math.PI / 4) < 1100);
});

test("reports a contact only if a wall crosses the cart's outline", () => {
  const wall = (x: number): SimulatedPlan => planOf({ x1: x, y1: -2000, x2: x, y2: 2000 });
  assert.equal(wall(301).touches(AHEAD), false);
  assert.equal(wall(299).touches(AHEAD), true);
  assert.equal(wall(201).touches({ ...AHEAD, headingRad: Math.PI / 2 }), false);
  assert.equal(wall(199).touches({ ...AHEAD, headingRad: Math.PI / 2 }), true);
  assert.equal(planOf({ x1: 290, y1: 250, x2: 350, y2: 150 }).touches(AHEAD), false);
  assert.equal(planOf({ x1: 0, y1: 0, x2: 10, y2: 10 }).touches(AHEAD), true);
});

test('uses the corners of a footprint as the outline, until they are removed', () => {
  const plan = planOf({ x1: 450, y1: -2000, x2: 450, y2: 2000 });
  const triangle = [
    { xMm: 500, yMm: 0 },
    { xMm: -100, yMm: -200 },
    { xMm: -100, yMm: 200 },
  ];
  plan.setOutline(triangle);
  assert.equal(plan.touches(AHEAD), true);
  assert.equal(plan.touches({ ...AHEAD, headingRad: Math.PI }), false);
  plan.walls = [{ x1: 400, y1: 100, x2: 400, y2: 2000 }];
  assert.equal(plan.touches(AHEAD), false, 'beside the tip');
  plan.setOutline([]);
  plan.walls = [{ x1: 299, y1: 100, x2: 299, y2: 2000 }];
  assert.equal(plan.touches(AHEAD), true);
});

test('the distance sensors are on the sides of the outline', () => {
  const plan = new SimulatedPlan();
  plan.walls = [
    { x1: 2000, y1: -3000, x2: 2000, y2: 3000 },
    { x1: -2000, y1: -3000, x2: -2000, y2: 3000 },
    { x1: -3000, y1: 1500, x2: 3000, y2: 1500 },
  ];
  const chassis = new Chassis();
  const sensors = new DistanceSensors({ plan, chassis, faults: new ControllerFaults(), random: () => 0.5 });
  const distances = () =>
    SENSORS.filter((_each, nth) => [0, 3, 5].includes(nth)).map((sensor) =>
      Math.round(sensors.trueDistance({ ...sensor, fieldOfViewDeg: 1 })),
    );
  assert.deepEqual(distances(), [1700, 1700, 1300]);
  plan.setOutline([
    { xMm: 500, yMm: 350 },
    { xMm: -150, yMm: 350 },
    { xMm: -150, yMm: -250 },
    { xMm: 500, yMm: -250 },
  ]);
  assert.deepEqual(distances(), [1500, 1850, 1150]);
});

test.run();
