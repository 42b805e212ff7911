import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { exifThumbnail } from '../../../src/camera/photos/thumbnail.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { baseline } from '../../unit/camera/jpeg-samples.js';
import { HOSTILE } from '../../unit/camera/options-hostile.js';
import {
  CameraHarness,
  EMPTY_SCENE,
  lastRowOf,
  parentOf,
  SIMULATED_CAMERA,
  sizeOf,
  stampOf,
  textOf,
  untilGone,
} from './camera-harness.js';

const test = suite('camera source with real processes');

/** A camera program that records its arguments and copies an image to the requested output file. */
const RECORDER = `printf '%s\\n' "$(basename "$0")" "$@" >>"RECORD"
for last; do :; done
cp "PICTURE" "$last"`;
const REAL_FAULTS = ['none', 'busy', 'legacy', 'permission', 'bad-option'];

let harness: CameraHarness;

test.after.each(async () => {
  await harness.close();
});

async function piWith(names: readonly string[], script = RECORDER): Promise<() => string[]> {
  harness = await CameraHarness.make({ mode: 'auto' });
  const record = join(harness.dir, 'record');
  const picture = join(harness.dir, 'picture.jpg');
  await writeFile(picture, baseline());
  // The paths are written into the script, because the program receives almost no environment variables.
  const program = script.replaceAll('RECORD', record).replaceAll('PICTURE', picture);
  await harness.install(Object.fromEntries(names.map((name) => [name, program])));
  await harness.open();
  return () => textOf(record).split('\n').filter(Boolean);
}

async function simulated(fault = '', camera: object = {}): Promise<void> {
  harness = await CameraHarness.make(camera);
  process.env.CARTWRIGHT_CAMERA_FAULT = fault;
  await harness.open();
}

/** Calls node-libcamera directly, in a separate process. */
async function bareCall(env: NodeJS.ProcessEnv): Promise<string> {
  const code = "import('node-libcamera').then(({ still }) => still({ output: process.env.TARGET }))";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: packageRoot(), env });
  return stdout;
}

test('node-libcamera runs the camera program when NODE_ENV is "test"', async () => {
  const called = await piWith(['libcamera-still']);
  await bareCall({ ...process.env, NODE_ENV: 'test', TARGET: join(harness.dir, 'photo.jpg') });
  assert.deepEqual(called(), ['libcamera-still', '--output', join(harness.dir, 'photo.jpg')]);
});

for (const name of ['rpicam-still', 'libcamera-still']) {
  test(`a Pi whose only camera program is ${name} uses that program for photos`, async () => {
    const called = await piWith([name]);
    const { path, bytes } = await harness.source.still();
    assert.deepEqual([called()[0], bytes], [name, baseline().length]);
    assert.deepEqual(await readFile(path), baseline());
  });
}

test("the camera program does not receive secrets from the gateway's environment", async () => {
  const called = await piWith(['rpicam-still'], `env >>"RECORD"; ${RECORDER}`);
  const secrets = ['CARTWRIGHT_ADMIN_PASSWORD', 'STRIPE_API_KEY', 'MQTT_PASSWORD', 'NOTIFY_SOCKET'];
  for (const name of secrets) process.env[name] = 'unmistakable';
  try {
    await harness.source.still();
  } finally {
    for (const name of secrets) delete process.env[name];
  }
  assert.ok(called().some((line) => line.startsWith('PATH=')));
  assert.ok(!called().join().includes('unmistakable'));
});

test('a Pi without camera programs reports a fault and does not use the simulated camera', async () => {
  await piWith([]);
  await assert.rejects(harness.source.still(), { code: 'CAMERA_NOT_INSTALLED' });
  harness.source.acquire();
  const { fault, simulated } = await harness.until(({ phase }) => phase === 'backoff');
  assert.deepEqual([fault?.code, simulated], ['not-installed', false]);
});

test('a hostile string in a setting never reaches a shell', async () => {
  const called = await piWith(['rpicam-still', 'rpicam-vid']);
  const { camera } = harness.settings;
  const usual: Record<string, unknown> = { ...camera };
  let rejected = 0;
  for (const [name, value] of Object.entries(usual)) {
    if (['enabled', 'mode', 'timeoutMs'].includes(name) || typeof value === 'object') continue;
    const more =
      typeof value === 'string' ? HOSTILE.map((text) => `${text}; touch ${harness.dir}/pwned`) : [];
    for (const text of [...HOSTILE.filter(Boolean), ...more]) {
      // The value is set directly, without validation against the schema.
      Object.assign(camera, usual, { [name]: text });
      const photo = await harness.source.still().catch((error: { code: string }) => error.code);
      if (photo === 'CAMERA_BAD_OPTION') rejected += 1;
    }
  }
  assert.equal(existsSync(join(harness.dir, 'pwned')), false);
  assert.ok(rejected > 700, `${rejected} rejected`);
  for (const arg of called()) assert.match(arg, /^[A-Za-z0-9_.,:/+-]+$/);
});

test('the camera program sends images only to a numeric loopback address', async () => {
  const called = await piWith(['rpicam-vid'], `printf '%s\\n' "$@" >>"RECORD"; exit 255`);
  harness.source.acquire();
  await harness.until(({ phase }) => phase === 'backoff');
  const args = called();
  assert.match(args[args.indexOf('--output') + 1] ?? '', /^tcp:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(args.includes('--listen'), false);
});

for (const fault of [...REAL_FAULTS, 'segv']) {
  test(`the camera fault "${fault}" has a distinct code`, async () => {
    await simulated(fault);
    harness.source.acquire();
    const view = await harness.until(({ phase }) => phase === 'backoff');
    const codes: Record<string, string> = { none: 'missing', segv: 'crashed' };
    assert.equal(view.fault?.code, codes[fault] ?? fault);
    assert.equal(view.newest, 0);
  });
}

test('a slow camera program stays in the starting phase until its first image arrives', async () => {
  await simulated('slow-open');
  harness.source.acquire();
  const phases: string[] = [];
  harness.source.onChange(() => phases.push(harness.source.view().phase));
  await harness.frame();
  assert.deepEqual(phases, ['streaming']);
});

test('the gateway kills a camera program that does not send any images', async () => {
  await simulated('noframes', { timeoutMs: 1000 });
  harness.source.acquire();
  const pid = await harness.pid();
  const { fault } = await harness.until(({ phase }) => phase === 'backoff');
  assert.equal(fault?.code, 'stalled');
  await untilGone(pid);
});

test('a camera program that reports device timeouts is killed and restarted', async () => {
  await simulated('devtimeout', { timeoutMs: 1000 });
  harness.source.acquire();
  const pid = await harness.pid();
  const { fault } = await harness.until(({ phase }) => phase === 'backoff');
  assert.match(fault?.lines.join() ?? '', /Device timeout/);
  await untilGone(pid);
  process.env.CARTWRIGHT_CAMERA_FAULT = '';
  await harness.until(({ phase }) => phase === 'streaming');
});

test('a killed camera program restarts, and the image numbering continues', async () => {
  await simulated();
  harness.source.acquire();
  const { number } = await harness.frame();
  process.kill(await harness.pid(), 'SIGKILL');
  await harness.until(({ phase }) => phase === 'backoff');
  assert.ok((await harness.frame()).number > number);
});

test('the gateway uses a busy camera as soon as another program releases it', async () => {
  await simulated();
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const output = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...process.env, CARTWRIGHT_CAMERA_LOCK: join(harness.dir, 'camera/simulated-camera.lock') };
  const other = spawn(process.execPath, [SIMULATED_CAMERA, 'vid', '--timeout', '0', '--output', output], {
    env,
  });
  const [socket] = await once(server, 'connection');
  await once(socket, 'data');
  harness.source.acquire();
  const { fault } = await harness.until(({ phase }) => phase === 'backoff');
  assert.equal(fault?.code, 'busy');
  other.kill('SIGKILL');
  await harness.until(({ phase }) => phase === 'streaming');
  server.close();
});

test('closing the camera source leaves no processes running and does not report a fault', async () => {
  await simulated();
  harness.source.acquire();
  await harness.frame();
  const pid = await harness.pid();
  await harness.source.close();
  assert.equal(existsSync(`/proc/${pid}`), false);
  assert.deepEqual([harness.source.view().phase, harness.source.view().fault], ['idle', undefined]);
});

test('closing the camera source during any startup phase completes and leaves no files behind', async () => {
  harness = await CameraHarness.make();
  for (let turns = 0; turns < 12; turns++) {
    await harness.open();
    harness.source.acquire();
    for (let turn = 0; turn < turns * turns; turn++)
      await new Promise((resolve) => void setImmediate(resolve));
    await harness.source.close();
    assert.equal(existsSync(join(harness.dir, 'camera')), false);
  }
});

test('closing the camera source kills a camera program whose parent shell was killed', async () => {
  await simulated('noframes');
  harness.source.acquire();
  const pid = await harness.pid();
  await harness.until(({ phase }) => phase === 'starting');
  const shell = parentOf(pid);
  assert.match(textOf(`/proc/${shell}/cmdline`), /^\/bin\/sh\0-c\0libcamera-vid/);
  process.kill(shell, 'SIGKILL');
  await untilGone(shell);
  assert.notEqual(textOf(`/proc/${pid}/cmdline`), '', 'the program survives its shell');
  await harness.source.close();
  await untilGone(pid);
});

test('opening the camera source kills only the camera program left running by a killed gateway', async () => {
  harness = await CameraHarness.make();
  const token = 'tcp://127.0.0.1:9';
  const idle = 'setInterval(() => {}, 1000); process.stdout.write("up")';
  const [ours, foreign] = [[token], []].map((args) => spawn(process.execPath, ['-e', idle, ...args]));
  await Promise.all([ours, foreign].map((child) => child?.stdout && once(child.stdout, 'data')));
  const pidFile = join(harness.dir, 'camera/camera.pid');
  await writeFile(pidFile, `${foreign?.pid} ${token}`);
  await (await harness.open()).close();
  await mkdir(join(harness.dir, 'camera'), { mode: 0o700 });
  await writeFile(pidFile, `${ours?.pid} ${token}`);
  await harness.open();
  assert.equal(textOf(`/proc/${ours?.pid}/cmdline`), '');
  assert.notEqual(textOf(`/proc/${foreign?.pid}/cmdline`), '', 'the process id may have been reused');
  foreign?.kill('SIGKILL');
});

test('images that arrive while the event loop is blocked for one second are dropped', async () => {
  await simulated();
  harness.source.acquire();
  await harness.frame(({ number }) => number === 10);
  const fromNs = process.hrtime.bigint();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  const toNs = process.hrtime.bigint();
  const { seq } = stampOf((await harness.frame(({ jpeg }) => stampOf(jpeg).atNs > toNs)).jpeg);
  const stamps = harness.frames.map(({ jpeg }) => stampOf(jpeg));
  const old = stamps.filter(({ atNs }) => atNs > fromNs && atNs < toNs);
  assert.ok(seq > 20, `the camera continued: ${seq}`);
  assert.ok(old.length <= 2, `${old.length} of about 30`);
});

test('taking a photo during the live view does not end the stream', async () => {
  await simulated('', { photoWidth: 640, photoHeight: 480 });
  harness.source.acquire();
  const before = await harness.frame();
  const { path, bytes } = await harness.source.still();
  const photo = await readFile(path);
  assert.equal(photo.length, bytes);
  const thumbnail = exifThumbnail(photo);
  assert.ok(thumbnail);
  assert.deepEqual(sizeOf(thumbnail), [480, 360]);
  assert.ok((await harness.frame()).number > before.number);
});

test('the camera source recreates its temporary directory after the directory is deleted', async () => {
  await simulated('', { photoWidth: 640, photoHeight: 480 });
  await rm(join(harness.dir, 'camera'), { recursive: true });
  const { bytes } = await harness.source.still();
  assert.ok(bytes > 1000);
});

test('a truncated photo is rejected, and its file is deleted', async () => {
  await simulated('truncated');
  await assert.rejects(harness.source.still(), { code: 'CAMERA_BAD_PICTURE' });
  const left = await readdir(join(harness.dir, 'camera'));
  assert.deepEqual(
    left.filter((name) => name.startsWith('photo')),
    [],
  );
});

test('closing the camera source kills a camera program that hangs while it takes a photo', async () => {
  await simulated('hang');
  const rejected = assert.rejects(harness.source.still(), { code: 'STOPPING' });
  const pid = await harness.pid();
  await harness.source.close();
  await rejected;
  await untilGone(pid);
});

test('the camera source delivers intact images from a stream that contains garbage and truncated images', async () => {
  await simulated('truncated,garbage', { framerate: 60 });
  harness.source.acquire();
  const { jpeg } = await harness.frame(({ number }) => number === 20);
  assert.ok(stampOf(jpeg).seq > 20, 'every third image was truncated');
  for (const frame of harness.frames) assert.equal(frame.jpeg.readUInt16BE(frame.jpeg.length - 2), 0xffd9);
});

test('a camera program that sends H.264 instead of JPEG is terminated immediately and causes a fault', async () => {
  await simulated('h264');
  harness.source.acquire();
  const { fault, newest } = await harness.until(({ phase }) => phase === 'backoff');
  assert.deepEqual([fault?.code, newest], ['not-jpeg', 0]);
});

test('a camera program that floods stderr is restarted, and no processes are left running', async () => {
  await simulated('flood');
  harness.source.acquire();
  const pid = await harness.pid();
  await harness.until(({ fault }) => fault?.code === 'flood');
  process.env.CARTWRIGHT_CAMERA_FAULT = '';
  await untilGone(pid);
  await harness.until(({ phase }) => phase === 'streaming');
  assert.notEqual(await harness.pid(), pid);
});

test('a fault is reported only after the camera program exits, even if the program ignores SIGTERM', async () => {
  await simulated('flood,noframes');
  harness.source.acquire();
  const pid = await harness.pid();
  await harness.until(({ fault }) => fault?.code === 'flood');
  assert.equal(textOf(`/proc/${pid}/cmdline`), '');
  assert.ok(harness.log.events().includes('camera.orphan_killed'));
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`sending ${signal} to the gateway ends its camera program`, async () => {
    harness = await CameraHarness.make();
    const child = spawn(process.execPath, [join(import.meta.dirname, 'camera-process.js'), harness.dir]);
    await once(child.stdout, 'data');
    const pid = await harness.pid();
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = await exit;
    assert.equal(code, signal === 'SIGTERM' ? 0 : null);
    await untilGone(pid);
  });
}

test("the simulated live image follows the cart's position", async () => {
  harness = await CameraHarness.make({ width: 640, height: 480 });
  let yMm = 250;
  await harness.open(() => ({ ...EMPTY_SCENE, pose: { xMm: 0, yMm, headingDeg: 0 } }));
  harness.source.acquire();
  // Compares the last row of the image, which shows the floor, because the caption changes with each image.
  const floor = (jpeg: Buffer) => lastRowOf(jpeg).toString('hex');
  const scenePath = join(harness.dir, 'camera/scene.json');
  const poseIs = (position: string) => textOf(scenePath).includes(position);
  await harness.frame(() => poseIs('"yMm":250'));
  const before = floor((await harness.frame()).jpeg);
  // A sideways shift moves the grid lines that cross the row.
  yMm = 500;
  await harness.frame(() => poseIs('"yMm":500'));
  await harness.frame(({ jpeg }) => floor(jpeg) !== before);
});

test.run();
