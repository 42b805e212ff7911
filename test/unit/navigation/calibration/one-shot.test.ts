import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { hasCode } from '../../../helpers/has-code.js';
import { CalibrationSetup, MARKER, markerAt, TRUTH } from './calibration-setup.js';

const test = suite('calibration with one marker');

/** Starts a measurement, runs `during` and returns the measurement's outcome. */
async function measure(
  setup: CalibrationSetup,
  request: { id?: number; sizeMm?: number },
  during: () => void,
): Promise<void> {
  const measured = setup.calibration.measure(request);
  // A rejection must have a handler before `during` causes it.
  measured.catch(() => undefined);
  during();
  await measured;
}

test('computes the focal length from ten images of a registered marker and saves nothing', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12)));
  const { result } = setup.calibration.status();
  assert.ok(result && Math.abs(result.fPx / TRUTH.fPx - 1) < 1e-4, String(result?.fPx));
  assert.deepEqual([result.method, result.images, result.quality], ['one-shot', 10, 'good']);
  assert.ok(Math.abs(result.changePercent - 5.8) < 0.1, String(result.changePercent));
  assert.deepEqual(setup.saved, []);
});

test('releases the detector after a measurement', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => {
    assert.equal(setup.uses.length, 1);
    setup.detectTimes(10, markerAt(12));
  });
  assert.deepEqual([setup.uses.length, setup.clock.timers], [0, 0]);
});

test('uses the only marker in view when the request does not specify one', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, {}, () => setup.detectTimes(10, markerAt(12)));
  assert.ok(setup.calibration.status().result);
});

test('uses the given size of a marker that is not registered', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 30, sizeMm: 100 }, () => {
    setup.detectTimes(10, markerAt(30, { x: 0, z: 1000 }, 100));
  });
  const { fPx = 0 } = setup.calibration.status().result ?? {};
  assert.ok(Math.abs(fPx / TRUTH.fPx - 1) < 1e-4, String(fPx));
});

test('prefers the registered size of a marker to the given size', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12, sizeMm: 75 }, () => setup.detectTimes(10, markerAt(12)));
  const { fPx = 0 } = setup.calibration.status().result ?? {};
  assert.ok(Math.abs(fPx / TRUTH.fPx - 1) < 1e-4, String(fPx));
});

test('requires the size of a marker that is not registered, even if the request does not specify a marker', async () => {
  const setup = new CalibrationSetup();
  await assert.rejects(setup.calibration.measure({ id: 30 }), hasCode('INVALID_INPUT'));
  const unnamed = measure(setup, {}, () => setup.detect(markerAt(30)));
  await assert.rejects(unnamed, hasCode('INVALID_INPUT'));
});

test('ignores other markers when the request specifies a marker', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () =>
    setup.detectTimes(10, markerAt(12), markerAt(30, { x: 200, z: 900 })),
  );
  assert.ok(setup.calibration.status().result);
});

test('rejects a request that does not specify a marker when several markers are in view', async () => {
  const setup = new CalibrationSetup();
  const measured = measure(setup, {}, () => setup.detect(markerAt(12), markerAt(30)));
  await assert.rejects(measured, hasCode('CONFLICT'));
});

test('rejects an image with two prints of the same marker', async () => {
  const setup = new CalibrationSetup();
  const twice = [markerAt(12), markerAt(12, { x: 300, z: 1000 })];
  const measured = measure(setup, { id: 12 }, () => setup.detect(...twice));
  await assert.rejects(measured, hasCode('CONFLICT'));
});

test('fails with MARKER_NOT_SEEN and lists the markers that are in view instead', async () => {
  const setup = new CalibrationSetup();
  const measured = measure(setup, { id: 12 }, () => setup.detectTimes(200, markerAt(30)));
  await assert.rejects(measured, (error: Error & { code?: string }) => {
    return error.code === 'MARKER_NOT_SEEN' && /\b30\b/.test(error.message);
  });
});

test('fails with MARKER_NOT_SEEN when too few images show the marker', async () => {
  const setup = new CalibrationSetup();
  const measured = measure(setup, { id: 12 }, () => {
    setup.detectTimes(9, markerAt(12));
    setup.detectTimes(150);
  });
  await assert.rejects(measured, hasCode('MARKER_NOT_SEEN'));
});

test("fails with the camera's fault message when there is no image", async () => {
  const setup = new CalibrationSetup();
  setup.camera = { phase: 'backoff', fault: { text: 'no camera is connected' } };
  const measured = measure(setup, { id: 12 }, () => setup.clock.advance(15_000));
  await assert.rejects(measured, (error: Error & { code?: string }) => {
    return error.code === 'CAMERA_NO_IMAGE' && error.message.includes('no camera is connected');
  });
});

test('a measurement fails immediately when the camera is off', async () => {
  const setup = new CalibrationSetup();
  setup.camera = { phase: 'disabled' };
  await assert.rejects(setup.calibration.measure({ id: 12 }), hasCode('CAMERA_NO_IMAGE'));
});

test('rejects an implausible focal length and keeps the earlier result', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12)));
  const { result } = setup.calibration.status();
  const measured = measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12, { x: 0, z: 100 })));
  await assert.rejects(measured, hasCode('CALIBRATION_FAILED'));
  assert.deepEqual(setup.calibration.status().result, result);
});

test('warns of a focal length that differs from the camera model by more than 10 %', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12, { x: 0, z: 800 })));
  assert.equal(setup.calibration.status().result?.isUnusual, true);
});

test('rejects a measurement with images from before and after a resolution change', async () => {
  const setup = new CalibrationSetup();
  const measured = measure(setup, { id: 12 }, () => {
    setup.detectTimes(5, markerAt(12));
    setup.view = { ...setup.view, width: 640, height: 480 };
    setup.detect(markerAt(12));
  });
  await assert.rejects(measured, hasCode('CONFLICT'));
});

test('rejects a second measurement while one is running', async () => {
  const setup = new CalibrationSetup();
  const first = setup.calibration.measure({ id: 12 });
  await assert.rejects(setup.calibration.measure({ id: 12 }), hasCode('BUSY'));
  assert.equal(setup.calibration.status().isBusy, true);
  setup.detectTimes(10, markerAt(12));
  await first;
  assert.equal(setup.calibration.status().isBusy, false);
});

test('a running measurement fails when the gateway shuts down', async () => {
  const setup = new CalibrationSetup();
  const measured = measure(setup, { id: 12 }, () => setup.calibration.close());
  await assert.rejects(measured, hasCode('STOPPING'));
  assert.deepEqual([setup.uses.length, setup.clock.timers], [0, 0]);
});

test('save() stores the result under the name of the caller and ends the session', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12)));
  await setup.calibration.save(userActor('anna'));
  assert.deepEqual(setup.saved[0]?.[1], userActor('anna'));
  const { method, cameraId, width } = setup.settings.calibration;
  assert.deepEqual([method, cameraId, width], ['one-shot', 'auto', 1280]);
  const { result, status } = setup.calibration.status();
  assert.deepEqual([result, status.method, status.quality], [null, 'one-shot', 'good']);
  await assert.rejects(setup.calibration.save(userActor('anna')), hasCode('CONFLICT'));
});

test('save() rejects a result when the resolution has changed', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12)));
  setup.view = { ...setup.view, width: 640, height: 480 };
  await assert.rejects(setup.calibration.save(userActor('anna')), hasCode('CONFLICT'));
  assert.deepEqual(setup.saved, []);
});

test('discard() drops the result', async () => {
  const setup = new CalibrationSetup();
  await measure(setup, { id: 12 }, () => setup.detectTimes(10, markerAt(12)));
  setup.calibration.discard('result');
  assert.equal(setup.calibration.status().result, null);
});

test('reports the markers in view, including those that are not registered', () => {
  const setup = new CalibrationSetup();
  setup.calibration.seen();
  setup.detect(markerAt(MARKER.id), markerAt(30));
  assert.deepEqual(setup.calibration.seen().ids, [12, 30]);
  assert.deepEqual([setup.looks.length, setup.looks.includes(null)], [2, false]);
});

test.run();
