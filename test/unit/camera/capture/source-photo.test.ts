import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Still } from '../../../../src/camera/capture/model.js';
import { baseline } from '../jpeg-samples.js';
import { SourceRig } from '../source-rig.js';

const test = suite('photos from the one camera');

let dir: string;
let rig: SourceRig;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'camera-photo-'));
  rig = new SourceRig();
  rig.device.stillPath = join(dir, 'photo-1.jpg.part');
});

test.after.each(() => rm(dir, { recursive: true, force: true }));

/** The program under way writes this and ends. */
async function written(content: Buffer, code: number | string = 0, text = ''): Promise<void> {
  await writeFile(rig.device.stillPath, content);
  rig.device.last.end(code, text);
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
  const photo = rig.source.still();
  assert.deepEqual([rig.phase, rig.device.last.kind], ['capturing', 'still']);
  await written(baseline());
  const { path, bytes } = await photo;
  assert.deepEqual(await readFile(path), baseline());
  assert.deepEqual([path, bytes], [join(dir, 'photo-1.jpg'), baseline().length]);
  assert.equal(rig.phase, 'idle');
});

test('the live stream makes way for a photo and goes on after it; who watches need do nothing', async () => {
  rig.source.want();
  rig.device.last.show();
  const photo = rig.source.still();
  assert.deepEqual([rig.phase, rig.device.last.done], ['stopping', ['cut']]);
  rig.device.last.end(134);
  assert.equal(rig.phase, 'capturing');
  await written(baseline());
  await photo;
  assert.equal(rig.phase, 'starting');
  rig.device.last.show();
  assert.deepEqual([rig.phase, rig.source.view().fault, rig.frames.length], ['streaming', undefined, 2]);
  assert.equal(rig.device.most, 1);
});

test('photos asked for at once are taken one after the other, and the device is never opened twice', async () => {
  const photos = [rig.source.still(), rig.source.still(), rig.source.still()];
  for (const photo of photos) {
    assert.equal(rig.device.running, 1);
    await written(baseline());
    const { path } = await photo;
    await rm(path);
  }
  assert.deepEqual([rig.device.programs.length, rig.device.most], [3, 1]);
});

test('viewers wait until the photos are taken', async () => {
  const photo = rig.source.still();
  rig.source.want();
  assert.equal(rig.device.programs.length, 1);
  await written(baseline());
  await photo;
  assert.deepEqual([rig.device.programs.length, rig.device.most], [2, 1]);
});

test('a camera that hangs is ended with SIGTERM and SIGKILL, and nothing is left', async () => {
  const photo = rig.source.still();
  await writeFile(rig.device.stillPath, baseline().subarray(0, 100));
  rig.advance(18_000);
  rig.advance(0);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM']);
  rig.advance(1000);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM', 'SIGKILL']);
  rig.device.last.end(137);
  const { code, message } = await refusal(photo);
  assert.equal(code, 'CAMERA_STALLED');
  assert.match(message, /18 s/);
});

test('long exposures have the time that they take', () => {
  rig = new SourceRig({ shutterUs: 6_000_000 });
  rig.source.still().catch(() => undefined);
  rig.advance(65_999);
  assert.deepEqual(rig.device.last.done, []);
  rig.advance(1);
  rig.advance(0);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM']);
});

test('a photo that breaks off, is empty, or is something else is refused, and nothing is left', async () => {
  for (const content of [baseline().subarray(0, -1), Buffer.alloc(0), Buffer.alloc(5000, 'x')]) {
    const photo = rig.source.still();
    await written(content);
    assert.equal((await refusal(photo)).code, 'CAMERA_BAD_PICTURE');
  }
});

test('a program that wrote no file, and one that says that the disk is full, are errors in words', async () => {
  const missing = rig.source.still();
  rig.device.last.end(0);
  assert.match((await refusal(missing)).message, /cannot be read/);
  const full = rig.source.still();
  await written(baseline().subarray(0, 90), 255, 'ERROR: *** failed to write: No space left on device ***');
  assert.equal((await refusal(full)).code, 'CAMERA_OUTPUT');
});

test('no camera is an error with a sentence and a hint, and stays to be seen', async () => {
  const photo = rig.source.still();
  rig.device.last.end(255, 'ERROR: *** no cameras available ***');
  await assert.rejects(photo, { code: 'CAMERA_MISSING', message: 'no camera is connected' });
  assert.deepEqual([rig.phase, rig.source.view().fault?.code], ['idle', 'missing']);
});

test('a photo is tried while the stream waits for its next try; its success ends the wait', async () => {
  rig.source.want();
  rig.device.last.end(255, 'ERROR: *** no cameras available ***');
  assert.equal(rig.phase, 'backoff');
  const photo = rig.source.still();
  await written(baseline());
  await photo;
  assert.deepEqual([rig.phase, rig.source.view().fault], ['starting', undefined]);
});

test('switched off in the settings there is no photo, and no program is started', async () => {
  rig.change({ enabled: false });
  await assert.rejects(rig.source.still(), { code: 'CAMERA_DISABLED' });
  assert.equal(rig.device.programs.length, 0);
});

test('close ends a photo under way and refuses those that wait', async () => {
  const photos = [rig.source.still(), rig.source.still()];
  const refused = photos.map((photo) => assert.rejects(photo, { code: 'STOPPING' }));
  const closing = rig.source.close();
  rig.advance(0);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM']);
  rig.device.last.end(143);
  await Promise.all([...refused, closing]);
  await assert.rejects(rig.source.still(), { code: 'STOPPING' });
  assert.equal(existsSync(rig.device.stillPath), false);
  assert.equal(rig.clock.timers, 0);
});

test.run();
