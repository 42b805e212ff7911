import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  type CameraSetup,
  calibratedModel,
  calibrationStatus,
  oneShotCalibration,
  presetModel,
  qualityOf,
} from '../../../../src/navigation/calibration/calibration.js';
import type { CameraModel } from '../../../../src/navigation/markers/model.js';
import type {
  CalibrationSettings,
  NavigationSettings,
} from '../../../../src/navigation/markers/settings-schema.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { cornersInImage, withNoise } from '../../../helpers/camera-scene.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';

const test = suite('calibration of the camera');
const SIZE_MM = 150;
const VIEW = { cameraId: 'auto', width: 1280, height: 720 };
const defaults = (): NavigationSettings => defaultSettings().navigation;

const stored: CalibrationSettings = {
  method: 'full',
  cameraId: 'auto',
  width: 1280,
  height: 720,
  fPx: 1000,
  cxPx: 640,
  cyPx: 360,
  k1: -0.05,
  reprojectionErrorPx: 0.2,
  expectedErrorPercent: 0.3,
};

for (const [preset, fPx] of [
  ['module-2', 1061.0],
  ['module-3', 985.5],
  ['module-3-wide', 518.3],
] as const)
  test(`derives the focal length of ${preset} from its field of view`, () => {
    const model = presetModel(preset, VIEW);
    assert.ok(Math.abs(model.fPx - fPx) < 0.1, String(model.fPx));
    assert.deepEqual([model.cxPx, model.cyPx, model.k1], [639.5, 359.5, 0]);
  });

test('scales a preset with the width of the image', () => {
  const [small, large] = [640, 1280].map(
    (width) => presetModel('module-3', { width, height: width / 2 }).fPx,
  );
  assert.equal(large, 2 * (small ?? 0));
});

test('uses the preset in the settings until the camera is calibrated', () => {
  const settings = { ...defaults(), preset: 'module-2' as const };
  assert.deepEqual(calibratedModel(settings, VIEW), presetModel('module-2', VIEW));
  const { method, isStale, quality, expectedErrorPercent } = calibrationStatus(settings, VIEW);
  assert.deepEqual([method, isStale, quality], ['preset', false, 'poor']);
  assert.ok(expectedErrorPercent >= 1);
});

test('uses the stored calibration of the same camera and resolution', () => {
  const settings = { ...defaults(), calibration: stored };
  assert.deepEqual(calibratedModel(settings, VIEW), {
    width: 1280,
    height: 720,
    fPx: 1000,
    cxPx: 640,
    cyPx: 360,
    k1: -0.05,
  });
  const { method, isStale, quality, reprojectionErrorPx } = calibrationStatus(settings, VIEW);
  assert.deepEqual([method, isStale, quality, reprojectionErrorPx], ['full', false, 'good', 0.2]);
});

const CHANGES: Record<string, Partial<CameraSetup>> = {
  camera: { cameraId: '1' },
  width: { width: 1920 },
  height: { height: 960 },
};

for (const [change, part] of Object.entries(CHANGES))
  test(`marks the calibration as stale and uses the preset when the ${change} has changed`, () => {
    const view = { ...VIEW, ...part };
    const settings = { ...defaults(), calibration: stored };
    assert.deepEqual(calibratedModel(settings, view), presetModel('module-3', view));
    const { isStale, method, quality } = calibrationStatus(settings, view);
    assert.deepEqual([isStale, method, quality], [true, 'preset', 'poor']);
  });

for (const [errorPx, percent, quality] of [
  [0.2, 0.3, 'good'],
  [0.9, 0.3, 'fair'],
  [0.2, 2, 'fair'],
  [3, 0.3, 'poor'],
  [0.2, 4, 'poor'],
] as const)
  test(`rates an error of ${errorPx} px and ${percent} % as ${quality}`, () => {
    assert.equal(qualityOf(errorPx, percent), quality);
  });

const start = presetModel('module-3', VIEW);
const truth: CameraModel = { ...start, fPx: 1043 };
const atOneMetre = { x: 60, y: -80, z: Math.sqrt(1000 ** 2 - 60 ** 2 - 80 ** 2), yawDeg: 12 };

test('finds the focal length from a marker at a distance of 1.00 m', () => {
  const corners = cornersInImage(truth, atOneMetre, SIZE_MM);
  const found = oneShotCalibration([corners], { sizeMm: SIZE_MM, start, cameraId: 'auto' });
  assert.ok(found);
  assert.ok(Math.abs(found.fPx - 1043) < 0.01, String(found.fPx));
  assert.deepEqual(
    [found.method, found.cameraId, found.width, found.height, found.cxPx, found.cyPx, found.k1],
    ['one-shot', 'auto', 1280, 720, 639.5, 359.5, 0],
  );
  assert.deepEqual(calibrationStatus({ ...defaults(), calibration: found }, VIEW).isStale, false);
});

test('finds the focal length from several noisy images within 0.3 %', () => {
  const random = normalFrom(randomFrom(3));
  const corners = cornersInImage(truth, atOneMetre, SIZE_MM);
  const images = Array.from({ length: 15 }, () => withNoise(corners, random, 0.1));
  const found = oneShotCalibration(images, { sizeMm: SIZE_MM, start, cameraId: 'auto' });
  assert.ok(found && Math.abs(found.fPx / 1043 - 1) < 0.003, String(found?.fPx));
});

test('does not find a focal length when no image shows the marker', () => {
  assert.equal(oneShotCalibration([], { sizeMm: SIZE_MM, start, cameraId: 'auto' }), undefined);
});

test('does not find a focal length when the distance of the marker is far from 1.00 m', () => {
  const corners = cornersInImage(truth, { x: 0, z: 100 }, SIZE_MM);
  assert.equal(oneShotCalibration([corners], { sizeMm: 15, start, cameraId: 'auto' }), undefined);
});

test.run();
