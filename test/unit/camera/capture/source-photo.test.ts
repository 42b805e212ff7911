import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Still } from '../../../../src/camera/capture/model.js';
import { CameraSourceHarness } from '../camera-source-harness.js';
import { baseline } from '../jpeg-samples.js';

const test = suite('photos from the one camera');

let dir: string;
let harness: CameraSourceHarness;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'camera-photo-'));
  harness = new CameraSourceHarness();
  harness.device.stillPath = join(dir, 'photo-1.jpg.part');
});

test.after.each(() => rm(dir, { recursive: true, force: true }));

/** The program under way writes this and ends. */
async function written(content: Buffer, code: number | string = 0, text = ''): Promise<void> {
  await writeFile(harness.device.stillPath, content);
  harness.device.last.end(code, text);
}

/** What became of a photo that should fail, with nothing left of it. */
async function refusal(photo: Promise<Still>): Promise<{ code: string; message: string }> {
  const error = await photo.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error, 'there should be no photo');
  assert.deepEqual(await readdir(dir), []);
  return error;
}

test('a photo is a whole file under a name that says so', async () => {
  const photo = harness.source.still();
  assert.deepEqual([harness.phase, harness.device.last.kind], ['capturing', 'still']);
  await written(baseline());
  const { path, bytes } = await photo;
  assert.deepEqual(await readFile(path), baseline());
  assert.deepEqual([path, bytes], [join(dir, 'photo-1.jpg'), baseline().length]);
  assert.equal(harness.phase, 'idle');
});

test('the live stream makes way for a photo and goes on after it; who watches need do nothing', async () => {
  harness.source.want();
  harness.device.last.show();
  const photo = harness.source.still();
  assert.deepEqual([harness.phase, harness.device.last.done], ['stopping', ['cut']]);
  harness.device.last.end(134);
  assert.equal(harness.phase, 'capturing');
  await written(baseline());
  await photo;
  assert.equal(harness.phase, 'starting');
  harness.device.last.show();
  assert.deepEqual(
    [harness.phase, harness.source.view().fault, harness.frames.length],
    ['streaming', undefined, 2],
  );
  assert.equal(harness.device.most, 1);
});

test('photos asked for at once are taken one after the other, and the device is never opened twice', async () => {
  const photos = [harness.source.still(), harness.source.still(), harness.source.still()];
  for (const photo of photos) {
    assert.equal(harness.device.running, 1);
    await written(baseline());
    const { path } = await photo;
    await rm(path);
  }
  assert.deepEqual([harness.device.programs.length, harness.device.most], [3, 1]);
});

test('viewers wait until the photos are taken', async () => {
  const photo = harness.source.still();
  harness.source.want();
  assert.equal(harness.device.programs.length, 1);
  await written(baseline());
  await photo;
  assert.deepEqual([harness.device.programs.length, harness.device.most], [2, 1]);
});

test('a camera that hangs is ended with SIGTERM and SIGKILL, and nothing is left', async () => {
  const photo = harness.source.still();
  await writeFile(harness.device.stillPath, baseline().subarray(0, 100));
  harness.advance(18_000);
  harness.advance(0);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM', 'SIGKILL']);
  harness.device.last.end(137);
  const { code, message } = await refusal(photo);
  assert.equal(code, 'CAMERA_STALLED');
  assert.match(message, /18 s/);
});

test('long exposures have the time that they take', () => {
  harness = new CameraSourceHarness({ shutterUs: 6_000_000 });
  harness.source.still().catch(() => undefined);
  harness.advance(65_999);
  assert.deepEqual(harness.device.last.done, []);
  harness.advance(1);
  harness.advance(0);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM']);
});

test('a photo that breaks off, is empty, or is something else is refused, and nothing is left', async () => {
  for (const content of [baseline().subarray(0, -1), Buffer.alloc(0), Buffer.alloc(5000, 'x')]) {
    const photo = harness.source.still();
    await written(content);
    assert.equal((await refusal(photo)).code, 'CAMERA_BAD_PICTURE');
  }
});

test('a program that wrote no file, and one that says that the disk is full, are errors in words', async () => {
  const missing = harness.source.still();
  harness.device.last.end(0);
  assert.match((await refusal(missing)).message, /cannot be read/);
  const full = harness.source.still();
  await written(baseline().subarray(0, 90), 255, 'ERROR: *** failed to write: No space left on device ***');
  assert.equal((await refusal(full)).code, 'CAMERA_OUTPUT');
});

test('no camera is an error with a sentence and a hint, and stays to be seen', async () => {
  const photo = harness.source.still();
  harness.device.last.end(255, 'ERROR: *** no cameras available ***');
  await assert.rejects(photo, { code: 'CAMERA_MISSING', message: 'no camera is connected' });
  assert.deepEqual([harness.phase, harness.source.view().fault?.code], ['idle', 'missing']);
});

test('a photo is tried while the stream waits for its next try; its success ends the wait', async () => {
  harness.source.want();
  harness.device.last.end(255, 'ERROR: *** no cameras available ***');
  assert.equal(harness.phase, 'backoff');
  const photo = harness.source.still();
  await written(baseline());
  await photo;
  assert.deepEqual([harness.phase, harness.source.view().fault], ['starting', undefined]);
});

test('switched off in the settings there is no photo, and no program is started', async () => {
  harness.change({ enabled: false });
  await assert.rejects(harness.source.still(), { code: 'CAMERA_DISABLED' });
  assert.equal(harness.device.programs.length, 0);
});

test('close ends a photo under way and refuses those that wait', async () => {
  const photos = [harness.source.still(), harness.source.still()];
  const refused = photos.map((photo) => assert.rejects(photo, { code: 'STOPPING' }));
  const closing = harness.source.close();
  harness.advance(0);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM']);
  harness.device.last.end(143);
  await Promise.all([...refused, closing]);
  await assert.rejects(harness.source.still(), { code: 'STOPPING' });
  assert.equal(existsSync(harness.device.stillPath), false);
  assert.equal(harness.clock.timers, 0);
});

test.run();
