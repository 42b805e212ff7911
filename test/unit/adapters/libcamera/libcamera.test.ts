import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { ImageListener } from '../../../../src/adapters/libcamera/listener.js';
import { openRunDir } from '../../../../src/adapters/libcamera/process.js';
import { findProgram } from '../../../../src/adapters/libcamera/shim.js';
import { PidFile } from '../../../../src/adapters/pid-file.js';
import { systemClock } from '../../../../src/shared/clock.js';

const test = suite('running node-libcamera');

const isRoot = process.getuid?.() === 0;
const OTHER_UID = 65_534;
if (!isRoot) process.stdout.write('SKIPPED: connections of another local user (needs root)\n');
const asRoot = isRoot ? test : test.skip;

let dir: string;
let listener: ImageListener;
let port: number;
const events: string[] = [];
let wake: () => void = () => undefined;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'libcamera-'));
  events.length = 0;
  const record = (event: string): void => {
    events.push(event);
    wake();
  };
  listener = new ImageListener({
    connected: () => record('connected'),
    bytes: (bytes) => record(String(bytes)),
  });
  port = Number((await listener.open()).split(':')[2]);
});

test.after.each(async () => {
  listener.cut();
  await rm(dir, { recursive: true, force: true });
});

async function connectToListener(): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

async function until(count: number): Promise<void> {
  while (events.length < count) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

test('the listener accepts one connection and refuses a second one', async () => {
  const camera = await connectToListener();
  await until(1);
  camera.write('image');
  await until(2);
  assert.deepEqual(events, ['connected', 'image']);
  const [error] = await once(connect({ port, host: '127.0.0.1' }), 'error');
  assert.equal(error.code, 'ECONNREFUSED');
  camera.destroy();
});

test('cut() resets the connection to the camera program', async () => {
  const camera = await connectToListener();
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

test('does not leave a port open when cut() is called while the listener is opening', async () => {
  const early = new ImageListener({ connected: () => undefined, bytes: () => undefined });
  const opening = early.open();
  early.cut();
  const address = new URL(await opening);
  const [error] = await once(connect({ port: Number(address.port), host: '127.0.0.1' }), 'error');
  assert.equal(error.code, 'ECONNREFUSED');
});

asRoot(
  'rejects a connection from another local user, and then accepts one from the camera program',
  async () => {
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`;
    const other = spawn('/bin/bash', ['-c', script], { uid: OTHER_UID, stdio: 'ignore' });
    // The script exits when the gateway closes the connection.
    await Promise.race([once(other, 'exit'), until(1)]);
    other.kill();
    assert.deepEqual(events, []);
    const camera = await connectToListener();
    await until(1);
    camera.destroy();
  },
);

test('creates the run directory under $RUNTIME_DIRECTORY with mode 0700', async () => {
  const found = await openRunDir('/data', { RUNTIME_DIRECTORY: `${dir}:/run/other` });
  assert.equal(found, join(dir, 'camera'));
  assert.equal((await stat(found)).mode & 0o777, 0o700);
});

test('skips a run directory whose name is unsafe, whose path is too long or that is a symbolic link', async () => {
  const hostile = [join(dir, 'a b'), join(dir, '$(id)'), join(dir, 'x'.repeat(90))];
  await mkdir(join(dir, 'real'));
  await symlink(join(dir, 'real'), join(dir, 'camera'));
  for (const runtime of [...hostile, dir]) {
    const found = await openRunDir(dir, { RUNTIME_DIRECTORY: runtime });
    assert.match(found, /^\/tmp\/cartwright-\d+-[0-9a-f]{8}$/, runtime);
    await rm(found, { recursive: true });
  }
});

asRoot("skips another user's run directory, and fails when no other directory is available", async () => {
  await mkdir(join(dir, 'camera'));
  await chown(join(dir, 'camera'), OTHER_UID, OTHER_UID);
  const found = await openRunDir(dir, { RUNTIME_DIRECTORY: dir });
  assert.notEqual(found, join(dir, 'camera'));
  await chown(found, OTHER_UID, OTHER_UID);
  try {
    await mkdir(join(dir, 'camera-run'));
    await chown(join(dir, 'camera-run'), OTHER_UID, OTHER_UID);
    const refused = {
      code: 'CAMERA_UNUSABLE',
      message: /belongs to another user.*belongs to another user/,
    };
    await assert.rejects(openRunDir(dir, {}), refused);
  } finally {
    await rm(found, { recursive: true });
  }
});

test("prefers the camera program's new name to its old one", async () => {
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

test('ignores a recorded process ID when its process lacks the recorded argument', async () => {
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
  assert.equal(file.alive('tcp://127.0.0.1:1'), undefined, 'token differs from the recorded one');
});

test.run();
