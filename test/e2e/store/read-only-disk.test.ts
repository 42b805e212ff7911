import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { CartView } from '../../../src/carts/command/model.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, openPtyPair } from '../../helpers/pty.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { untilAnswer } from '../../helpers/until.js';
import { canMount } from '../../unit/store/small-disk.js';

/** Tests a gateway whose data directory is read-only, as after a failure of the SD card. */
const test = suite('a read-only disk');

const USER = { username: 'anna', password: 'correct horse battery' };
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: USER.username,
  CARTWRIGHT_ADMIN_PASSWORD: USER.password,
};

const PHOTO = '20260504-140211-038.jpg';

interface Answer {
  status: number;
  body: Record<string, unknown>;
  session: string;
}

async function sendRequest(
  url: string,
  method: string,
  path: string,
  body?: object,
  session = '',
): Promise<Answer> {
  // The cookie's name contains the port, which changes on a restart.
  const cookie = session ? `sessie_p${new URL(url).port}=${session}` : '';
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    session: /^sessie_p\d+=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '',
  };
}

type Request = (method: string, path: string, body?: object) => Promise<Answer>;

async function untilCart(request: Request, matches: (cart: CartView) => boolean): Promise<void> {
  const isMatch = ({ status, body }: Answer): boolean =>
    status === 200 && matches(body as unknown as CartView);
  await untilAnswer(() => request('GET', '/carts/1'), isMatch);
}

const beacon = (id: string) => ({
  id,
  description: 'one',
  longDescription: 'two',
  txPower: -59,
  lat: 0,
  long: 0,
});

/** Creates a photo and the leftovers of interrupted writes, and removes the floor plan folder. */
function leaveBehind(data: string): void {
  const leftovers = ['variables.json.tmp-1-1-abcdef', 'variables.json.trial.tmp-1-1-abcdef', 'setup-code'];
  const inFolders = ['photos/1.jpg.part', `photos/${PHOTO}`, 'settings-history/1.json.tmp-1-1-abcdef'];
  for (const name of [...leftovers, ...inFolders, 'restore.json']) {
    writeFileSync(join(data, name), 'half');
  }
  rmSync(join(data, 'plan'), { recursive: true });
}

test('the gateway serves data and accepts stops but rejects motion when the disk is read-only', async () => {
  const line = await openPtyPair();
  const simulator = new SimulatorProcess(line.far);
  const gateway = await GatewayProcess.start({ serial: { path: line.near, driver: 'cgw1' } }, ENV);
  const data = join(gateway.dir, 'data');
  try {
    const { status, session } = await sendRequest(gateway.url, 'POST', '/login', USER);
    assert.equal(status, 201);
    const request: Request = (method, path, body) => sendRequest(gateway.url, method, path, body, session);
    assert.equal((await request('POST', '/beacon', beacon('beacon-1'))).status, 200);
    assert.equal((await request('POST', '/backups')).status, 201);
    assert.equal((await request('POST', '/beacon', beacon('beacon-after-backup'))).status, 200);
    await untilCart(request, ({ safety }) => safety.mayMove);
    await gateway.kill('SIGKILL');
    assert.ok(statSync(join(data, 'cartwright.db-wal')).size > 0);
    leaveBehind(data);
    await onReadOnly(data, () => assertServes(gateway, request, simulator));
    await gateway.spawn(ENV);
    assert.equal((await request('GET', '/beacon?id=beacon-2')).status, 404);
    assert.equal((await request('POST', '/beacon', beacon('beacon-2'))).status, 200);
    assert.equal((await request('GET', '/readyz')).status, 200);
  } finally {
    await gateway.close();
    await simulator.close();
    await line.close();
  }
});

async function onReadOnly(dir: string, use: () => Promise<void>): Promise<void> {
  execFileSync('mount', ['--bind', dir, dir]);
  try {
    execFileSync('mount', ['-o', 'remount,ro,bind', dir]);
    await use();
  } finally {
    // Unmounts lazily, because processes that the test has not stopped yet have open files on the disk.
    execFileSync('umount', ['--lazy', dir]);
  }
}

async function assertServes(
  gateway: GatewayProcess,
  request: Request,
  simulator: SimulatorProcess,
): Promise<void> {
  const runtime = join(gateway.dir, 'run');
  mkdirSync(runtime);
  assertNoStartWithoutSpace(join(gateway.dir, 'data'));
  await gateway.spawn({ ...ENV, RUNTIME_DIRECTORY: runtime });
  const notes = ['camera', 'gpio.json', 'run.json'];
  const isCopy = (name: string): boolean => !notes.includes(name);
  assert.deepEqual(readdirSync(runtime).filter(isCopy), []);
  await assertReadOnly(request, gateway.url);
  await assertNoMotion(request);
  await assertStops(request, simulator);
  assert.equal(await gateway.kill('SIGTERM'), 0);
  assert.deepEqual(readdirSync(runtime), ['gpio.json']);
}

/** Asserts that the gateway does not start if there is no space for a copy of the database. */
function assertNoStartWithoutSpace(data: string): void {
  const main = join(import.meta.dirname, '../../../src/main.js');
  const env = {
    ...process.env,
    CARTWRIGHT_DATA_DIR: data,
    RUNTIME_DIRECTORY: join(data, 'nowhere'),
    PORT: '0',
  };
  const { status, stderr } = spawnSync(process.execPath, [main], {
    cwd: packageRoot(),
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /the file system is read-only, and it cannot be copied/);
}

async function assertReadOnly(request: Request, url: string): Promise<void> {
  const stored = await request('GET', '/beacon?id=beacon-1');
  assert.deepEqual([stored.status, stored.body.description], [200, 'one']);
  assert.equal((await request('GET', '/beacon?id=beacon-after-backup')).status, 200);
  const { backups: [backup] = [] } = (await request('GET', '/backups')).body as {
    backups?: { name: string }[];
  };
  const writes: [method: string, path: string, body?: object][] = [
    ['POST', '/beacon', beacon('beacon-2')],
    ['POST', '/users', { username: 'ben', password: USER.password }],
    ['POST', '/commissioning', { step: 'wheels', outcome: 'passed' }],
    ['POST', '/backups'],
    ['POST', `/backups/${backup?.name}/restore`],
    ['POST', '/backups/cancel-restore'],
    ['DELETE', `/camera/photos/${PHOTO}`],
    ['POST', '/camera/photo'],
  ];
  for (const [method, path, content] of writes) {
    const rejected = await request(method, path, content);
    assert.deepEqual([path, rejected.status], [path, 503]);
    assert.match(String(rejected.body.message), /read-only/);
  }
  // The specification requires status 500 for `POST /updateJson`.
  const settings = await request('POST', '/updateJson', { gateway: { name: 'another' } });
  assert.equal(settings.status, 500);
  assert.match(String(settings.body.message), /read-only/);
  await assertStopsOnly(url);
  const health = await request('GET', '/health');
  assert.match(String(health.body.faults), /nothing was saved: the file system is read-only/);
  assert.equal((await request('GET', '/readyz')).status, 503);
}

/** Asserts that a user can log in, but only to stop carts. */
async function assertStopsOnly(url: string): Promise<void> {
  const { status, session, body } = await sendRequest(url, 'POST', '/login', USER);
  assert.equal(status, 201);
  assert.match(String(body.message), /permits only viewing pages and stopping carts/);
  const stop = await sendRequest(url, 'POST', '/carts/1/stop', {}, session);
  assert.equal(stop.status, 200);
  const reset = await sendRequest(url, 'POST', '/estop/reset', {}, session);
  assert.equal(reset.status, 403);
}

async function assertNoMotion(request: Request): Promise<void> {
  // While the controller is disconnected, motion is rejected for that reason, not because of the disk.
  await untilCart(request, ({ online }) => online);
  const rejected = await request('POST', '/', { cartID: 1, distanceID: 100, angleID: 0 });
  assert.deepEqual([rejected.status, rejected.body.code], [503, 'SAFETY_UNAVAILABLE']);
  assert.match(String(rejected.body.message), /would be lost in a restart: the file system is read-only/);
  const { status, body } = await request('GET', '/safez');
  assert.deepEqual([status, body.mayMove], [503, false]);
  assert.match(JSON.stringify(body.reasons), /read-only/);
}

/** Asserts that the stop is sent and latched, and that the response reports that the latch could not be saved. */
async function assertStops(request: Request, simulator: SimulatorProcess): Promise<void> {
  assert.equal((await request('POST', '/carts/1/stop', {})).status, 200);
  const { status, body } = await request('POST', '/estop', {});
  assert.equal(status, 500);
  assert.match(String(body.message), /^The cart is stopped, but .* could not be saved: .* read-only/);
  await simulator.until(({ state }) => state === 'ESTOP');
  await untilCart(request, ({ safety }) => safety.emergencyStop === 'REMOTE');
  const health = await request('GET', '/health');
  assert.match(String(health.body.faults), /latched stop could not be saved: the file system is read-only/);
}

if (!canMount()) process.stdout.write('\nSKIPPED: a read-only disk (needs root and mount)\n');
else if (!hasSocat) process.stdout.write('\nSKIPPED: a read-only disk (socat is not installed)\n');
else test.run();
