import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { pixelOf, undistorted } from '../../../../src/navigation/markers/camera-model.js';
import { markerPose } from '../../../../src/navigation/markers/marker-pose.js';
import type { CameraModel, MarkerPose } from '../../../../src/navigation/markers/model.js';
import type { Corners } from '../../../../src/shared/ports/marker-detector.js';
import { cornersInImage, type Placement, withNoise } from '../../../helpers/camera-scene.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';

const test = suite('marker pose');
const SIZE_MM = 150;
const camera: CameraModel = { width: 1280, height: 720, fPx: 985, cxPx: 639.5, cyPx: 359.5, k1: 0 };

function poseAt(placement: Placement, model = camera): MarkerPose {
  return poseFrom(cornersInImage(model, placement, SIZE_MM), model);
}

function poseFrom(corners: Corners, model = camera): MarkerPose {
  const pose = markerPose(corners, SIZE_MM, model);
  assert.ok(pose);
  return pose;
}

function isAbout(actual: number | null, expected: number, tolerance = 1e-4): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < tolerance, `${actual} instead of ${expected}`);
}

test('measures the range from the optical centre to the centre of the marker', () => {
  isAbout(poseAt({ x: 300, y: -400, z: 1200 }).rangeMm, 1300);
});

test('measures a positive bearing to the left of the optical axis', () => {
  isAbout(poseAt({ x: -500, z: 500 * Math.sqrt(3) }).bearingDeg, 30);
  isAbout(poseAt({ x: 500, z: 500 * Math.sqrt(3) }).bearingDeg, -30);
});

test('measures the bearing in the horizontal plane when the marker is above the optical axis', () => {
  isAbout(poseAt({ x: -600, y: -400, z: 600 }).bearingDeg, 45);
});

test('measures yaw 0 for a marker that is parallel to the image plane', () => {
  isAbout(poseAt({ x: 200, z: 600 }).yawDeg, 0);
});

test('measures a positive yaw for a marker that is turned counter-clockwise, seen from above', () => {
  // The normal points to the right, so the marker's right edge is farther away and appears shorter.
  const corners = cornersInImage(camera, { x: 0, z: 800, yawDeg: 30 }, SIZE_MM);
  const [lowerLeft, lowerRight, upperRight, upperLeft] = corners;
  assert.ok(lowerRight.y - upperRight.y < lowerLeft.y - upperLeft.y);
  isAbout(poseFrom(corners).yawDeg, 30);
});

for (const yawDeg of [-70, -35, 5, 35, 70])
  for (const rollDeg of [0, 90, 180])
    test(`measures a yaw of ${yawDeg} degrees for a marker that is rotated by ${rollDeg} degrees`, () => {
      const pose = poseAt({ x: -150, y: 90, z: 700, yawDeg, rollDeg });
      isAbout(pose.yawDeg, yawDeg);
      isAbout(pose.reprojectionErrorPx, 0);
    });

test('measures the yaw of a marker that leans forward', () => {
  isAbout(poseAt({ x: 100, z: 700, yawDeg: 20, pitchDeg: 15 }).yawDeg, 20);
});

test('removes the radial distortion of the corners', () => {
  const barrel = { ...camera, k1: -0.08 };
  const placement = { x: -420, y: 150, z: 800, yawDeg: -25 };
  const pose = poseAt(placement, barrel);
  isAbout(pose.rangeMm, Math.hypot(420, 150, 800), 0.01);
  isAbout(pose.yawDeg, -25, 0.001);
  // Without the correction, the result is wrong.
  const uncorrected = poseFrom(cornersInImage(barrel, placement, SIZE_MM));
  assert.ok(Math.abs(uncorrected.rangeMm - pose.rangeMm) > 5);
});

for (const k1 of [-0.2, -0.08, 0.1])
  test(`inverts the distortion k1 = ${k1} in the whole image`, () => {
    const model = { ...camera, k1 };
    for (const [x, y] of [
      [0, 0],
      [639.5, 359.5],
      [1279, 10],
      [3, 700],
    ] as const) {
      const point = undistorted({ x, y }, model);
      const pixel = pixelOf([point.x, point.y, 1], model);
      isAbout(pixel.x, x);
      isAbout(pixel.y, y);
    }
  });

test('reports an unknown yaw when the mirrored pose also fits the image', () => {
  const random = normalFrom(randomFrom(7));
  let unknown = 0;
  for (let nth = 0; nth < 50; nth++) {
    const corners = cornersInImage(camera, { x: 0, z: 6000, yawDeg: 15 }, SIZE_MM);
    const pose = poseFrom(withNoise(corners, random, 0.2));
    isAbout(pose.rangeMm, 6000, 300);
    isAbout(pose.bearingDeg, 0, 0.1);
    if (pose.yawDeg === null) unknown += 1;
  }
  assert.ok(unknown >= 40, `${unknown} of 50 unknown`);
});

test('does not report the yaw of the mirrored pose as certain at a distance of 4 to 6 m', () => {
  const random = normalFrom(randomFrom(9));
  for (let nth = 0; nth < 1000; nth++) {
    const yawDeg = 35 * Math.sin(nth);
    const placement = { x: 500 * Math.cos(nth), z: 4000 + 2 * nth, yawDeg };
    const pose = poseFrom(withNoise(cornersInImage(camera, placement, SIZE_MM), random, 0.1));
    // The mirrored pose has approximately the opposite yaw.
    if (pose.yawDeg !== null && Math.abs(yawDeg) > 15) isAbout(pose.yawDeg, yawDeg, 15);
  }
});

test('reports the yaw of a slightly turned marker at a distance of 1 m', () => {
  const random = normalFrom(randomFrom(10));
  let known = 0;
  for (let nth = 0; nth < 100; nth++) {
    const corners = cornersInImage(camera, { x: 0, z: 1000, yawDeg: 5 }, SIZE_MM);
    const { yawDeg } = poseFrom(withNoise(corners, random, 0.05));
    if (yawDeg !== null) known += 1;
  }
  assert.ok(known >= 95, `${known} of 100 known`);
});

test('does not report the yaw of the mirrored pose as certain for a marker that leans forward', () => {
  const random = normalFrom(randomFrom(8));
  for (let nth = 0; nth < 400; nth++) {
    const yawDeg = 35 * Math.sin(nth);
    const placement = { x: 300 * Math.cos(nth), z: 1000 + 5 * nth, yawDeg, pitchDeg: 5 };
    const corners = cornersInImage(camera, placement, SIZE_MM);
    const pose = poseFrom(withNoise(corners, random, 0.05));
    if (pose.yawDeg !== null) isAbout(pose.yawDeg, yawDeg, 5);
  }
});

test('reports the reprojection error in pixels', () => {
  const [a, b, c, d] = cornersInImage(camera, { x: 0, z: 700, yawDeg: 20 }, SIZE_MM);
  const { reprojectionErrorPx } = poseFrom([{ x: a.x + 8, y: a.y }, b, c, d]);
  assert.ok(reprojectionErrorPx > 0.3 && reprojectionErrorPx < 8, String(reprojectionErrorPx));
});

test('does not return a pose for corners on one line or at one point', () => {
  const at = (x: number, y: number) => ({ x, y });
  assert.equal(markerPose([at(5, 5), at(5, 5), at(5, 5), at(5, 5)], SIZE_MM, camera), undefined);
  const line = markerPose([at(0, 0), at(10, 10), at(20, 20), at(30, 30)], SIZE_MM, camera);
  assert.ok(line === undefined || Number.isFinite(line.rangeMm));
});

test.run();
