import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  type BoardImage,
  boardCalibration,
  type CalibrationBoard,
  MIN_IMAGES,
  usableImages,
} from '../../../../src/navigation/calibration/board-calibration.js';
import { presetModel } from '../../../../src/navigation/calibration/calibration.js';
import type { CameraModel } from '../../../../src/navigation/markers/model.js';
import { cornersInImage, type Placement, withNoise } from '../../../helpers/camera-scene.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';

const test = suite('calibration with a board');
const board: CalibrationBoard = { firstId: 100, columns: 5, rows: 3, sizeMm: 40, pitchMm: 50 };
const start = presetModel('module-3', { width: 1280, height: 720 });
const truth: CameraModel = { ...start, fPx: 1043, cxPx: 652, cyPx: 349, k1: -0.07 };
const options = { board, start, cameraId: 'auto' };
const pause = () => Promise.resolve();

/** Markers outside the image are missing. */
function imageOf(placement: Placement, deviationPx: number, random: () => number): BoardImage {
  return Array.from({ length: 15 }, (_, nth) => {
    const centre = { x: ((nth % 5) - 2) * 50, y: (1 - Math.floor(nth / 5)) * 50 };
    const corners = cornersInImage(truth, placement, board.sizeMm, centre);
    return { id: 100 + nth, corners: withNoise(corners, random, deviationPx) };
  }).filter(({ corners }) => corners.every(({ x, y }) => x > 0 && x < 1279 && y > 0 && y < 719));
}

/** Views from different angles, with the board in different parts of the image. */
function variedImages(count: number, deviationPx: number): BoardImage[] {
  const random = normalFrom(randomFrom(11));
  return Array.from({ length: count }, (_, nth) => {
    const z = 300 + 40 * (nth % 4);
    return imageOf(
      {
        x: z * 0.35 * Math.cos(2.4 * nth),
        y: z * 0.15 * Math.sin(2.4 * nth),
        z,
        yawDeg: 35 * Math.sin(1.7 * nth),
        pitchDeg: 30 * Math.cos(1.7 * nth),
        rollDeg: 20 * nth,
      },
      deviationPx,
      random,
    );
  });
}

test('finds focal length, image centre and distortion exactly in images without noise', async () => {
  const found = await boardCalibration(variedImages(12, 0), options, pause);
  assert.ok(typeof found === 'object', String(found));
  const { fPx, cxPx, cyPx, k1, reprojectionErrorPx } = found;
  assert.ok(Math.abs(fPx - 1043) < 0.01, `f ${fPx}`);
  assert.ok(Math.abs(cxPx - 652) < 0.01 && Math.abs(cyPx - 349) < 0.01, `centre ${cxPx}, ${cyPx}`);
  assert.ok(Math.abs(k1 + 0.07) < 1e-4, `k1 ${k1}`);
  assert.equal(reprojectionErrorPx, 0);
});

test('finds the focal length within 0.3 % in noisy images and states the error', async () => {
  const found = await boardCalibration(variedImages(12, 0.1), options, pause);
  assert.ok(typeof found === 'object', String(found));
  const { fPx, k1, reprojectionErrorPx, expectedErrorPercent } = found;
  assert.ok(Math.abs(fPx / 1043 - 1) < 0.003, `f ${fPx}`);
  assert.ok(Math.abs(k1 + 0.07) < 0.01, `k1 ${k1}`);
  // Points with a deviation of 0.1 px in x and in y have a root mean square distance of 0.14 px.
  assert.ok(Math.abs(reprojectionErrorPx - 0.14) < 0.02, `reprojection ${reprojectionErrorPx}`);
  assert.ok(expectedErrorPercent > 0 && expectedErrorPercent < 1, `expected ${expectedErrorPercent} %`);
  assert.deepEqual([found.method, found.cameraId, found.width, found.height], ['full', 'auto', 1280, 720]);
});

test('calibration rejects fewer than 10 usable images', async () => {
  const images = variedImages(MIN_IMAGES - 1, 0);
  const almostEmpty = images[0]?.slice(0, 2) ?? [];
  assert.equal(await boardCalibration([...images, almostEmpty], options, pause), 'too-few-images');
});

test('does not use images that show fewer than four markers of the board', () => {
  const image = variedImages(1, 0)[0] ?? [];
  const others = image.map(({ id, corners }) => ({ id: id + 100, corners }));
  assert.equal(usableImages([image, image.slice(0, 3), others], board), 1);
});

test('rejects images that all show the board from the same angle', async () => {
  const random = normalFrom(randomFrom(5));
  const images = Array.from({ length: 12 }, (_, nth) =>
    imageOf({ x: 5 * nth - 30, y: 0, z: 400 + nth }, 0.3, random),
  );
  assert.equal(await boardCalibration(images, options, pause), 'not-determined');
});

test('calibration calls `pause` between its steps', async () => {
  let pauses = 0;
  const counted = async (): Promise<void> => {
    pauses += 1;
  };
  await boardCalibration(variedImages(12, 0.1), options, counted);
  assert.ok(pauses >= 3, String(pauses));
});

test.run();
