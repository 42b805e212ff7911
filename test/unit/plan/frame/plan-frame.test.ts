import assert from 'node:assert/strict';
import { test } from 'uvu';
import { placementOf } from '../../../../src/plan/floor-plan/georeference.js';
import { bearingDeg, haversineM } from '../../../../src/plan/frame/geodesy.js';
import { PlanFrame } from '../../../../src/plan/frame/plan-frame.js';

const CORNER = { lat: 51.92, long: 4.48 };

test('x points east and y north on a plan with north at the top', () => {
  const frame = new PlanFrame(CORNER);
  const right = frame.toGlobe({ xMm: 5000, yMm: 0 });
  const up = frame.toGlobe({ xMm: 0, yMm: 5000 });
  assert.ok(Math.abs(haversineM(CORNER, right) - 5) < 1e-3);
  assert.ok(Math.abs(bearingDeg(CORNER, right) - 90) < 0.01);
  assert.ok(Math.abs(((bearingDeg(CORNER, up) + 180) % 360) - 180) < 0.01);
});

test('x points to the right edge of a rotated floor plan', () => {
  const frame0 = new PlanFrame(CORNER, 30);
  const size = { width: 1000, height: 500 };
  const at = (x: number, y: number) => ({ x, y: 500 - y, ...frame0.toGlobe({ xMm: 20 * x, yMm: 20 * y }) });
  const placement = placementOf([at(0, 0), at(900, 300)], size);
  const frame = new PlanFrame(placement.bottomLeft, placement.rotationDeg);
  // The image is 20 m wide.
  const right = frame.toGlobe({ xMm: 20_000, yMm: 10_000 });
  assert.ok(haversineM(right, placement.topRight) < 0.01, JSON.stringify(placement));
});

test('converts a position to plan coordinates and back', () => {
  const frame = new PlanFrame(CORNER, -70);
  const { xMm, yMm } = frame.toPlan(frame.toGlobe({ xMm: 1234, yMm: -4321 }));
  assert.ok(Math.abs(xMm - 1234) < 0.1 && Math.abs(yMm + 4321) < 0.1);
});

test('converts headings to bearings and back', () => {
  const frame = new PlanFrame(CORNER, 30);
  assert.equal(Math.round(frame.turned(0)), 120);
  assert.equal(Math.round(frame.turned(frame.turned(77))), 77);
});

test('converts an ellipse along the x axis to a covariance', () => {
  const ellipse = { semiMajorM: 2.448, semiMinorM: 1.224, bearingDeg: 120, probability: 0.95 };
  const covariance = new PlanFrame(CORNER, 30).covarianceOf(ellipse);
  assert.deepEqual(
    covariance.map((row) => row.map((value) => Math.round(value / 1e4))),
    [
      [100, 0],
      [0, 25],
    ],
  );
});

test.run();
