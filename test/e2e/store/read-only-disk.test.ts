import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { CartView } from '../../../src/carts/command/model.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, layPtyPair } from '../../helpers/pty.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { untilAnswer } from '../../helpers/until.js';
import { canMount } from '../../unit/store/small-disk.js';

/** The whole gateway on a data directory that really takes no writes, as after the failure of a card. */
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
  /** The secret of the session that has begun. */
  session: string;
}

/** Asks a gateway, with a session or without one. */
async function ask(url: string, method: string, path: string, body?: object, session = ''): Promise<Answer> {
  // The port is another one after a restart, and the name of the cookie carries it.
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

type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

/** Resolves when cart 1 is as wanted. */
async function untilCart(asked: Ask, wanted: (cart: CartView) => boolean): Promise<void> {
  const isWanted = ({ status, body }: Answer): boolean =>
    status === 200 && wanted(body as unknown as CartView);
  await untilAnswer(() => asked('GET', '/carts/1'), isWanted);
}

const beacon = (id: string) => ({
  ...{ id, description: 'one', longDescription: 'two', txPower: -59, lat: 0, long: 0 },
});

/** What power cuts in the middle of a write leave behind, a photo, and a folder that was never made. */
function leaveBehind(data: string): void {
  const leftovers = ['variables.json.tmp-1-1-abcdef', 'variables.json.trial.tmp-1-1-abcdef', 'setup-code'];
  const inFolders = ['photos/1.jpg.part', `photos/${PHOTO}`, 'settings-history/1.json.tmp-1-1-abcdef'];
  for (const name of [...leftovers, ...inFolders, 'restore.json']) {
    writeFileSync(join(data, name), 'half');
  }
  rmSync(join(data, 'plan'), { recursive: true });
}

test('it serves what was saved, moves nothing, stops the cart, and says why', async () => {
  const line = await layPtyPair();
  const simulator = new SimulatorProcess(line.far);
  const gateway = await GatewayProcess.start({ serial: { path: line.near, driver: 'cgw1' } }, ENV);
  const data = join(gateway.dir, 'data');
  try {
    const { status, session } = await ask(gateway.url, 'POST', '/login', USER);
    assert.equal(status, 201);
    const asked: Ask = (method, path, body) => ask(gateway.url, method, path, body, session);
    assert.equal((await asked('POST', '/beacon', beacon('beacon-1'))).status, 200);
    assert.equal((await asked('POST', '/backups')).status, 201);
    assert.equal((await asked('POST', '/beacon', beacon('beacon-after-backup'))).status, 200);
    await untilCart(asked, ({ safety }) => safety.mayMove);
    await gateway.kill('SIGKILL');
    assert.ok(statSync(join(data, 'cartwright.db-wal')).size > 0);
    leaveBehind(data);
    await onReadOnly(data, () => serves(gateway, asked, simulator));
    await gateway.spawn(ENV);
    assert.equal((await asked('GET', '/beacon?id=beacon-2')).status, 404);
    assert.equal((await asked('POST', '/beacon', beacon('beacon-2'))).status, 200);
    assert.equal((await asked('GET', '/readyz')).status, 200);
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
    // Lazily: what still has a file open there is ended by the test, not by this.
    execFileSync('umount', ['--lazy', dir]);
  }
}

async function serves(gateway: GatewayProcess, asked: Ask, simulator: SimulatorProcess): Promise<void> {
  const runtime = join(gateway.dir, 'run');
  mkdirSync(runtime);
  refusesWithoutRoom(join(gateway.dir, 'data'));
  await gateway.spawn({ ...ENV, RUNTIME_DIRECTORY: runtime });
  const notes = ['camera', 'gpio.json', 'run.json'];
  const isCopy = (name: string): boolean => !notes.includes(name);
  assert.deepEqual(readdirSync(runtime).filter(isCopy), []);
  await readsAndRefuses(asked, gateway.url);
  await movesNothing(asked);
  await stops(asked, simulator);
  assert.equal(await gateway.kill('SIGTERM'), 0);
  assert.deepEqual(readdirSync(runtime), ['gpio.json']);
}

/** Without a place for a copy of the database there is nothing to serve. */
function refusesWithoutRoom(data: string): void {
  const main = join(import.meta.dirname, '../../../src/main.js');
  const env = {
    ...process.env,
    CARTWRIGHT_DATA_DIR: data,
    RUNTIME_DIRECTORY: join(data, 'nowhere'),
    PORT: '0',
  };
  const { status, stderr } = spawnSync(process.execPath, [main], {
    ...{ cwd: packageRoot(), env, encoding: 'utf8' },
  });
  assert.equal(status, 1);
  assert.match(stderr, /the file system is read-only, and no copy of it can be made/);
}

async function readsAndRefuses(asked: Ask, url: string): Promise<void> {
  const kept = await asked('GET', '/beacon?id=beacon-1');
  assert.deepEqual([kept.status, kept.body.description], [200, 'one']);
  assert.equal((await asked('GET', '/beacon?id=beacon-after-backup')).status, 200);
  const { backups: [backup] = [] } = (await asked('GET', '/backups')).body as {
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
    const refused = await asked(method, path, content);
    assert.deepEqual([path, refused.status], [path, 503]);
    assert.match(String(refused.body.message), /read-only/);
  }
  // These two are answered with the status of the specification.
  const login = await ask(url, 'POST', '/login', USER);
  const settings = await asked('POST', '/updateJson', { gateway: { name: 'another' } });
  for (const refused of [login, settings]) {
    assert.equal(refused.status, 500);
    assert.match(String(refused.body.message), /read-only/);
  }
  const health = await asked('GET', '/health');
  assert.match(String(health.body.faults), /nothing was saved: the file system is read-only/);
  assert.equal((await asked('GET', '/readyz')).status, 503);
}

async function movesNothing(asked: Ask): Promise<void> {
  // The controller has to be there first: without it nothing moves anyway.
  await untilCart(asked, ({ online }) => online);
  const refused = await asked('POST', '/', { cartID: 1, distanceID: 100, angleID: 0 });
  assert.deepEqual([refused.status, refused.body.code], [503, 'SAFETY_UNAVAILABLE']);
  assert.match(String(refused.body.message), /forgotten at the next start: the file system is read-only/);
  const { status, body } = await asked('GET', '/safez');
  assert.deepEqual([status, body.mayMove], [503, false]);
  assert.match(JSON.stringify(body.reasons), /read-only/);
}

/** The stop is on the wire and the latch holds; the answer says that it will not outlive this process. */
async function stops(asked: Ask, simulator: SimulatorProcess): Promise<void> {
  assert.equal((await asked('POST', '/carts/1/stop', {})).status, 200);
  const { status, body } = await asked('POST', '/estop', {});
  assert.equal(status, 500);
  assert.match(String(body.message), /^The cart is stopped, but .* could not be saved: .* read-only/);
  await simulator.until(({ state }) => state === 'ESTOP');
  await untilCart(asked, ({ safety }) => safety.emergencyStop === 'REMOTE');
  const health = await asked('GET', '/health');
  assert.match(String(health.body.faults), /latch could not be saved: the file system is read-only/);
}

if (!canMount()) process.stdout.write('\nSKIPPED: a read-only disk needs root and mount\n');
else if (!hasSocat)
  process.stdout.write('\nSKIPPED: a read-only disk needs socat for the line to the controller\n');
else test.run();
