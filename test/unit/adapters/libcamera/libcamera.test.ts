import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { PictureListener } from '../../../../src/adapters/libcamera/listener.js';
import { openRunDir, PidFile } from '../../../../src/adapters/libcamera/process.js';
import { findProgram } from '../../../../src/adapters/libcamera/shim.js';
import { systemClock } from '../../../../src/shared/clock.js';

const test = suite('what node-libcamera needs around it');

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
if (!isRoot) process.stdout.write('SKIPPED: strangers on this machine (only root can play them)\n');
const asRoot = isRoot ? test : test.skip;

let dir: string;
let listener: PictureListener;
let port: number;
const seen: string[] = [];
let wake: () => void = () => undefined;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'libcamera-'));
  seen.length = 0;
  const note = (what: string): void => {
    seen.push(what);
    wake();
  };
  listener = new PictureListener({
    connected: () => note('connected'),
    bytes: (bytes) => note(String(bytes)),
  });
  port = Number((await listener.open()).split(':')[2]);
});

test.after.each(async () => {
  listener.cut();
  await rm(dir, { recursive: true, force: true });
});

async function call(): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

async function until(count: number): Promise<void> {
  while (seen.length < count) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

test('one connection is taken, and no second one', async () => {
  const camera = await call();
  await until(1);
  camera.write('picture');
  await until(2);
  assert.deepEqual(seen, ['connected', 'picture']);
  const [error] = await once(connect({ port, host: '127.0.0.1' }), 'error');
  assert.equal(error.code, 'ECONNREFUSED');
  camera.destroy();
});

test('what is cut is reset, so that the next write of the program fails', async () => {
  const camera = await call();
  await until(1);
  const errors: NodeJS.ErrnoException[] = [];
  camera.on('error', (error) => errors.push(error));
  const closed = new Promise((resolve) => void camera.resume().once('close', resolve));
  listener.cut();
  await closed;
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['ECONNRESET'],
  );
});

test('cut before it is open it opens no port', async () => {
  const hasty = new PictureListener({ connected: () => undefined, bytes: () => undefined });
  const opening = hasty.open();
  hasty.cut();
  const address = new URL(await opening);
  const [error] = await once(connect({ port: Number(address.port), host: '127.0.0.1' }), 'error');
  assert.equal(error.code, 'ECONNREFUSED');
});

asRoot('a stranger on this machine is turned away, and the camera is still expected', async () => {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`;
  const stranger = spawn('/bin/bash', ['-c', script], { uid: NOBODY, stdio: 'ignore' });
  // It ends with its connection.
  await Promise.race([once(stranger, 'exit'), until(1)]);
  stranger.kill();
  assert.deepEqual(seen, []);
  const camera = await call();
  await until(1);
  camera.destroy();
});

test('the run directory is below $RUNTIME_DIRECTORY, for its owner alone', async () => {
  const found = await openRunDir('/data', { RUNTIME_DIRECTORY: `${dir}:/run/other` });
  assert.equal(found, join(dir, 'camera'));
  assert.equal((await stat(found)).mode & 0o777, 0o700);
});

test('a name that a command line would misread, a link, and a path too long are passed over', async () => {
  const hostile = [join(dir, 'a b'), join(dir, '$(id)'), join(dir, 'x'.repeat(90))];
  await mkdir(join(dir, 'real'));
  await symlink(join(dir, 'real'), join(dir, 'camera'));
  for (const runtime of [...hostile, dir]) {
    const found = await openRunDir(dir, { RUNTIME_DIRECTORY: runtime });
    assert.match(found, /^\/tmp\/cartwright-\d+-[0-9a-f]{8}$/, runtime);
    await rm(found, { recursive: true });
  }
});

asRoot("somebody else's directory is passed over, and without any other one that is an error", async () => {
  await mkdir(join(dir, 'camera'));
  await chown(join(dir, 'camera'), NOBODY, NOBODY);
  const found = await openRunDir(dir, { RUNTIME_DIRECTORY: dir });
  assert.notEqual(found, join(dir, 'camera'));
  await chown(found, NOBODY, NOBODY);
  try {
    await mkdir(join(dir, 'camera-run'));
    await chown(join(dir, 'camera-run'), NOBODY, NOBODY);
    const refused = {
      code: 'CAMERA_UNUSABLE',
      message: /belongs to somebody else.*belongs to somebody else/,
    };
    await assert.rejects(openRunDir(dir, {}), refused);
  } finally {
    await rm(found, { recursive: true });
  }
});

test('programs are found by their new name first, then by their old one, and only when they can be run', async () => {
  const [first, second] = [join(dir, '1'), join(dir, '2')];
  const put = (path: string, mode: number) => writeFile(path, '#!/bin/sh\n', { mode });
  await Promise.all([mkdir(first), mkdir(second)]);
  const find = () => findProgram('vid', `${first}:relative:${second}`);
  assert.equal(find(), undefined);
  await mkdir(join(first, 'rpicam-vid'));
  await put(join(first, 'libcamera-vid'), 0o755);
  assert.equal(find(), join(first, 'libcamera-vid'));
  await put(join(second, 'rpicam-vid'), 0o755);
  assert.equal(find(), join(second, 'rpicam-vid'));
});

test('a process id without its argument is nobody', async () => {
  const file = new PidFile(join(dir, 'camera.pid'));
  const cases = ['', 'x', '1 tcp://x', `${process.pid} tcp://127.0.0.1:1`, `${process.pid}`, '-1 -1', '0 0'];
  for (const text of cases) {
    await writeFile(file.path, text);
    assert.equal(file.alive(), undefined, text);
    assert.equal(await file.clear(systemClock), false, text);
  }
  const own = process.argv0;
  await writeFile(file.path, `${process.pid} ${own}`);
  assert.equal(file.alive(own), process.pid);
  assert.equal(file.alive('tcp://127.0.0.1:1'), undefined, 'another token than the one that was noted');
});

test.run();
