import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Still } from '../../../../src/camera/capture/model.js';
import { CameraSourceHarness } from '../camera-source-harness.js';
import { baseline } from '../jpeg-samples.js';

const test = suite('photos from the camera source');

let dir: string;
let harness: CameraSourceHarness;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'camera-photo-'));
  harness = new CameraSourceHarness();
  harness.device.stillPath = join(dir, 'photo-1.jpg.part');
});

test.after.each(() => rm(dir, { recursive: true, force: true }));

async function writeAndEnd(content: Buffer, code: number | string = 0, text = ''): Promise<void> {
  await writeFile(harness.device.stillPath, content);
  harness.device.last.end(code, text);
}

/** Waits for a photo to fail and asserts that no file remains. */
async function errorOf(photo: Promise<Still>): Promise<{ code: string; message: string }> {
  const error = await photo.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error, 'the photo must fail');
  assert.deepEqual(await readdir(dir), []);
  return error;
}

test('saves a photo as a complete file without the .part suffix', async () => {
  const photo = harness.source.still();
  assert.deepEqual([harness.phase, harness.device.last.kind], ['capturing', 'still']);
  await writeAndEnd(baseline());
  const { path, bytes } = await photo;
  assert.deepEqual(await readFile(path), baseline());
  assert.deepEqual([path, bytes], [join(dir, 'photo-1.jpg'), baseline().length]);
  assert.equal(harness.phase, 'idle');
});

test('pauses the live stream for a photo and resumes it automatically', async () => {
  harness.source.acquire();
  harness.device.last.start();
  const photo = harness.source.still();
  assert.deepEqual([harness.phase, harness.device.last.calls], ['stopping', ['cut']]);
  harness.device.last.end(134);
  assert.equal(harness.phase, 'capturing');
  await writeAndEnd(baseline());
  await photo;
  assert.equal(harness.phase, 'starting');
  harness.device.last.start();
  assert.deepEqual(
    [harness.phase, harness.source.view().fault, harness.images.length],
    ['streaming', undefined, 2],
  );
  assert.equal(harness.device.maxRunning, 1);
});

test('takes concurrent photos one after another and never opens the device twice', async () => {
  const photos = [harness.source.still(), harness.source.still(), harness.source.still()];
  for (const photo of photos) {
    assert.equal(harness.device.running, 1);
    await writeAndEnd(baseline());
    const { path } = await photo;
    await rm(path);
  }
  assert.deepEqual([harness.device.programs.length, harness.device.maxRunning], [3, 1]);
});

test('starts the live stream after all waiting photos have been taken', async () => {
  const photo = harness.source.still();
  harness.source.acquire();
  assert.equal(harness.device.programs.length, 1);
  await writeAndEnd(baseline());
  await photo;
  assert.deepEqual([harness.device.programs.length, harness.device.maxRunning], [2, 1]);
});

test("sends SIGTERM, then SIGKILL, to a camera program that hangs, and removes the program's file", async () => {
  const photo = harness.source.still();
  await writeFile(harness.device.stillPath, baseline().subarray(0, 100));
  harness.advance(18_000);
  harness.advance(0);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM', 'SIGKILL']);
  harness.device.last.end(137);
  const { code, message } = await errorOf(photo);
  assert.equal(code, 'CAMERA_STALLED');
  assert.match(message, /18 s/);
});

test('allows more time for a photo with a long exposure time', () => {
  harness = new CameraSourceHarness({ shutterUs: 6_000_000 });
  harness.source.still().catch(() => undefined);
  harness.advance(65_999);
  assert.deepEqual(harness.device.last.calls, []);
  harness.advance(1);
  harness.advance(0);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM']);
});

test('rejects and removes a photo that is incomplete, empty or not a JPEG', async () => {
  for (const content of [baseline().subarray(0, -1), Buffer.alloc(0), Buffer.alloc(5000, 'x')]) {
    const photo = harness.source.still();
    await writeAndEnd(content);
    assert.equal((await errorOf(photo)).code, 'CAMERA_BAD_PICTURE');
  }
});

test('reports a missing photo file or a full disk', async () => {
  const missing = harness.source.still();
  harness.device.last.end(0);
  assert.match((await errorOf(missing)).message, /cannot be read/);
  const full = harness.source.still();
  await writeAndEnd(
    baseline().subarray(0, 90),
    255,
    'ERROR: *** failed to write: No space left on device ***',
  );
  assert.equal((await errorOf(full)).code, 'CAMERA_OUTPUT');
});

test('reports a missing camera and keeps the fault in the status', async () => {
  const photo = harness.source.still();
  harness.device.last.end(255, 'ERROR: *** no cameras available ***');
  await assert.rejects(photo, { code: 'CAMERA_MISSING', message: 'no camera is connected' });
  assert.deepEqual([harness.phase, harness.source.view().fault?.code], ['idle', 'missing']);
});

test("takes a photo during the stream's backoff, which ends when the photo succeeds", async () => {
  harness.source.acquire();
  harness.device.last.end(255, 'ERROR: *** no cameras available ***');
  assert.equal(harness.phase, 'backoff');
  const photo = harness.source.still();
  await writeAndEnd(baseline());
  await photo;
  assert.deepEqual([harness.phase, harness.source.view().fault], ['starting', undefined]);
});

test('rejects photos and does not start the camera program when the camera is disabled', async () => {
  harness.change({ enabled: false });
  await assert.rejects(harness.source.still(), { code: 'CAMERA_DISABLED' });
  assert.equal(harness.device.programs.length, 0);
});

test('closing the source stops the photo in progress and rejects waiting photos', async () => {
  const photos = [harness.source.still(), harness.source.still()];
  const rejected = photos.map((photo) => assert.rejects(photo, { code: 'STOPPING' }));
  const closing = harness.source.close();
  harness.advance(0);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM']);
  harness.device.last.end(143);
  await Promise.all([...rejected, closing]);
  await assert.rejects(harness.source.still(), { code: 'STOPPING' });
  assert.equal(existsSync(harness.device.stillPath), false);
  assert.equal(harness.clock.timers, 0);
});

test.run();
