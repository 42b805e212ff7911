import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { freeFirstId } from '../../../../src/navigation/calibration/board.js';
import { boardSheet } from '../../../../src/navigation/calibration/board-sheet.js';
import { userActor } from '../../../../src/shared/actor.js';
import { withNoise } from '../../../helpers/camera-scene.js';
import { hasCode } from '../../../helpers/has-code.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';
import { boardAt, CalibrationSetup, FIRST_ID, MARKER, TRUTH, variedPlacements } from './calibration-setup.js';

const test = suite('calibration with the printed board');
const FACING = { x: 0, z: 450 };

/** Starts taking an image, runs `during` and returns the outcome. */
async function take(setup: CalibrationSetup, during: () => void, firstId?: number): Promise<void> {
  const taken = setup.calibration.takeBoardImage(firstId);
  // A rejection must have a handler before `during` causes it.
  taken.catch(() => undefined);
  during();
  await taken;
}

test('computes focal length, image centre and distortion from ten images and saves them', async () => {
  const setup = new CalibrationSetup();
  await setup.takeBoardImages(variedPlacements(10));
  const { images, neededImages } = setup.calibration.status().board;
  assert.deepEqual([images, neededImages], [10, 10]);
  await setup.calibration.compute();
  const { result } = setup.calibration.status();
  assert.ok(result && Math.abs(result.fPx - TRUTH.fPx) < 0.01, String(result?.fPx));
  assert.deepEqual([result.method, result.quality, result.images], ['full', 'good', 10]);
  await setup.calibration.save(userActor('anna'));
  assert.equal(setup.settings.calibration.method, 'full');
  assert.equal(setup.calibration.status().board.images, 0);
});

test('takes an image only when the board is held still', async () => {
  const setup = new CalibrationSetup();
  const taken = take(setup, () => {
    for (let mm = 0; mm < 50; mm += 10) setup.detect(...boardAt({ ...FACING, x: mm }));
    assert.equal(setup.calibration.status().board.images, 0);
    setup.detectTimes(2, ...boardAt(FACING));
  });
  await taken;
  assert.equal(setup.calibration.status().board.images, 1);
});

test('fails with MARKER_NOT_SEEN when the board keeps moving or is not in view', async () => {
  const setup = new CalibrationSetup();
  const moving = take(setup, () => {
    for (let nth = 0; nth < 110; nth++) setup.detect(...boardAt({ ...FACING, x: 40 * (nth % 2) }));
  });
  await assert.rejects(moving, (error: Error & { code?: string }) => {
    return error.code === 'MARKER_NOT_SEEN' && error.message.includes('still');
  });
  const partly = take(setup, () => setup.detectTimes(110, ...boardAt(FACING).slice(0, 3)));
  await assert.rejects(partly, (error: Error & { code?: string }) => {
    return error.code === 'MARKER_NOT_SEEN' && error.message.includes('fewer than 4');
  });
});

test('rejects a view that is almost the same as an earlier view, but accepts a tilted board', async () => {
  const setup = new CalibrationSetup();
  await setup.takeBoardImages([FACING]);
  const same = take(setup, () => setup.detectTimes(2, ...boardAt({ ...FACING, x: 2 })));
  await assert.rejects(same, hasCode('IMAGE_SIMILAR'));
  await setup.takeBoardImages([{ ...FACING, yawDeg: 30 }]);
  assert.equal(setup.calibration.status().board.images, 2);
});

test('does not compute a calibration from fewer than ten images', async () => {
  const setup = new CalibrationSetup();
  await assert.rejects(setup.calibration.compute(), hasCode('CONFLICT'));
  await setup.takeBoardImages(variedPlacements(9));
  await assert.rejects(setup.calibration.compute(), hasCode('CONFLICT'));
});

test('keeps the images when the views are too similar to determine the focal length', async () => {
  const setup = new CalibrationSetup();
  const random = normalFrom(randomFrom(5));
  for (let nth = 0; nth < 10; nth++) {
    const seen = boardAt({ x: 20 * nth - 90, y: 0, z: 600 });
    const noisy = seen.map(({ id, corners }) => ({ id, corners: withNoise(corners, random, 0.3) }));
    await take(setup, () => setup.detectTimes(2, ...noisy));
  }
  await assert.rejects(setup.calibration.compute(), hasCode('CALIBRATION_FAILED'));
  assert.equal(setup.calibration.status().board.images, 10);
});

test('rejects a board that contains the ID of a registered marker', async () => {
  const setup = new CalibrationSetup();
  await assert.rejects(setup.calibration.takeBoardImage(5), hasCode('CONFLICT'));
  assert.throws(() => setup.calibration.boardFirstId(5), hasCode('CONFLICT'));
  await assert.rejects(setup.calibration.takeBoardImage(564), hasCode('INVALID_INPUT'));
});

test('calibration rejects another board until the images are discarded', async () => {
  const setup = new CalibrationSetup();
  await setup.takeBoardImages([FACING]);
  await assert.rejects(setup.calibration.takeBoardImage(100), hasCode('CONFLICT'));
  setup.calibration.discard('images');
  await take(setup, () => setup.detectTimes(2, ...boardAt(FACING, 100)), 100);
  const { firstId, images } = setup.calibration.status().board;
  assert.deepEqual([firstId, images], [100, 1]);
});

test('calibration rejects another image after the resolution has changed', async () => {
  const setup = new CalibrationSetup();
  await setup.takeBoardImages([FACING]);
  setup.view = { ...setup.view, width: 640, height: 480 };
  await assert.rejects(setup.calibration.takeBoardImage(), hasCode('CONFLICT'));
});

test('calibration keeps at most 30 images', async () => {
  const setup = new CalibrationSetup();
  const placements = Array.from({ length: 30 }, (_, nth) => ({
    x: 45 * (nth % 6) - 110,
    y: 15 * Math.floor(nth / 6) - 30,
    z: 700,
  }));
  await setup.takeBoardImages(placements);
  await assert.rejects(setup.calibration.takeBoardImage(), hasCode('CONFLICT'));
});

test('removes the last calibration image', async () => {
  const setup = new CalibrationSetup();
  await setup.takeBoardImages([FACING, { ...FACING, x: 60 }]);
  setup.calibration.discard('last-image');
  assert.equal(setup.calibration.status().board.images, 1);
});

test('selects the highest IDs without a registered marker for the board', () => {
  assert.equal(freeFirstId([MARKER]), FIRST_ID);
  assert.equal(freeFirstId([{ id: 586 }]), 562);
  assert.equal(freeFirstId([{ id: 570 }, { id: 550 }]), 526);
});

test('the sheet fits on A4 and contains 24 markers and two rulers', () => {
  const svg = boardSheet(FIRST_ID, { title: 'Board <1>', instructions: ['Print'], ruler: '100 mm' });
  assert.match(svg, /width="210mm" height="297mm"/);
  assert.equal(svg.match(/shape-rendering/g)?.length, 24);
  assert.equal(svg.match(/>100 mm</g)?.length, 2);
  assert.match(svg, /Board &lt;1&gt;/);
});

test.run();
