import assert from 'node:assert/strict';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { CartView } from '../../../src/carts/command/model.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { NotifySocket } from '../../helpers/notify-socket.js';

interface Context {
  runtime: string;
  gateway: GatewayProcess;
  env: NodeJS.ProcessEnv;
}

const stopOnlySuite = suite('stop-only mode');

/** Sets a runtime directory, which the gateway needs to count its crashes. */
function test(name: string, body: (context: Context) => Promise<void>): void {
  stopOnlySuite(name, async () => {
    const runtime = await mkdtemp(join(tmpdir(), 'stop-only-'));
    const env = { RUNTIME_DIRECTORY: runtime };
    const gateway = await GatewayProcess.start({}, env);
    try {
      await body({ runtime, env, gateway });
    } finally {
      await gateway.kill('SIGKILL');
      await rm(runtime, { recursive: true });
      await gateway.close();
    }
  });
}

async function killThrice({
  gateway,
  env,
}: {
  gateway: GatewayProcess;
  env: NodeJS.ProcessEnv;
}): Promise<void> {
  for (let kills = 0; kills < 3; kills += 1) {
    if (kills > 0) await gateway.spawn(env);
    await gateway.kill('SIGKILL');
  }
  await gateway.spawn(env);
}

async function assertRejected(
  gateway: GatewayProcess,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const answer = await gateway.call(method, path, body);
  assert.deepEqual([answer.status, answer.body.code], [503, 'STOP_ONLY'], `${method} ${path}`);
  assert.match(String(answer.body.hint), /sudo systemctl restart cartwright/);
}

const readPage = async (gateway: GatewayProcess, path: string): Promise<string> => {
  const res = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } });
  assert.equal(res.status, 503);
  assert.match(res.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  return res.text();
};

test('the gateway serves only health checks, stops and resets after three kills', async (context) => {
  const { gateway } = context;
  await gateway.call('POST', '/estop', { cartID: 1 });
  await killThrice(context);
  await gateway.logged('gateway.stop_only_entered', { level: 'error', uncleanEnds: 3 });
  await assertRejected(gateway, 'POST', '/', { cartID: 1, distanceID: 100, angleID: 0 });
  for (const path of [
    '/',
    '/beacons',
    '/games',
    '/carts',
    '/events',
    '/camera/frame',
    '/openapi.json',
    '/carts/7',
  ])
    await assertRejected(gateway, 'GET', path);
  await assertRejected(gateway, 'POST', '/beacon', {});
  await assertRejected(gateway, 'POST', '/updateJson', {});

  const { body: health } = await gateway.call('GET', '/health');
  assert.deepEqual([health.mode, health.status], ['stop-only', 'degraded']);
  assert.match(String(health.faults), /^the gateway is in stop-only mode/);
  const ready = await gateway.call<{ reasons: { code: string }[] }>('GET', '/readyz');
  assert.deepEqual([ready.status, ready.body.reasons[0]?.code], [503, 'STOP_ONLY']);
  assert.equal((await gateway.call('GET', '/livez')).status, 200);

  type Safety = { safety: Record<string, CartView['safety']> };
  const safetyOf = async () => (await gateway.call<Safety>('GET', '/health')).body.safety[1];
  assert.equal((await safetyOf())?.emergencyStop, 'REMOTE', 'latched before the kills');
  assert.equal((await gateway.reset(1)).status, 200);
  assert.equal((await safetyOf())?.emergencyStop, 'NONE');
  const safe = await gateway.call<{ reasons: { code: string }[] }>('GET', '/safez');
  assert.deepEqual([safe.status, safe.body.reasons[0]?.code], [503, 'STOP_ONLY']);
  for (const path of ['/stop', '/stop/mine', '/carts/1/stop', '/estop']) {
    const stop = await gateway.call('POST', path, {});
    assert.deepEqual([stop.status, stop.body.success], [200, true], path);
  }
  assert.equal((await safetyOf())?.emergencyStop, 'REMOTE');
});

test('the page reports stop-only mode and offers stop buttons when JavaScript is off', async (context) => {
  const { gateway } = context;
  await killThrice(context);
  for (const path of ['/', '/fleet', '/shop']) {
    const page = await readPage(gateway, path);
    assert.match(page, /<h1>Stop-only mode<\/h1>/);
    assert.match(page, /action="\/estop"/);
    assert.match(page, /action="\/carts\/1\/stop"/);
    assert.doesNotMatch(page, /<script/);
  }
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', origin: gateway.url },
      body: new URLSearchParams(fields),
    });
  const stopped = await form('/estop', { back: '/' });
  assert.deepEqual([stopped.status, stopped.headers.get('location')], [303, '/']);
  assert.match(await readPage(gateway, '/'), /action="\/estop\/reset"/);
  const rejected = await form('/estop/reset', { cartID: '9' });
  assert.equal(rejected.status, 404);
  assert.match(await rejected.text(), /Stop-only mode/);
});

test('a logged-in operator can stop and reset, but an anonymous client cannot', async (context) => {
  const { gateway, env } = context;
  const admin = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: 'correct horse battery' };
  context.env = { ...env, ...admin, CARTWRIGHT_AUTH: 'required' };
  await gateway.kill('SIGTERM');
  await gateway.spawn(context.env);
  await killThrice(context);
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        cookie,
        origin: gateway.url,
      },
      body: JSON.stringify(body),
    });
  assert.equal((await post('/estop', {})).status, 401);
  assert.equal((await fetch(`${gateway.url}/login`, { headers: { accept: 'text/html' } })).status, 200);
  assert.doesNotMatch(await readPage(gateway, '/'), /action="\/estop\/reset"/);
  const login = await post('/login', { username: 'anna', password: 'correct horse battery' });
  assert.equal(login.status, 201);
  // In stop-only mode, the gateway also serves the second-factor step of the login.
  assert.equal((await post('/login/code', { login: 'unknown', code: '000000' })).status, 401);
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  assert.equal((await post('/estop', {}, cookie)).status, 200);
  assert.ok([200, 409].includes((await post('/estop/reset', { cartID: 1 }, cookie)).status));
  assert.equal((await post('/', { cartID: 1, distanceID: 1, angleID: 0 }, cookie)).status, 503);
});

test('the gateway leaves stop-only mode after a requested restart', async (context) => {
  const { gateway, env } = context;
  await killThrice(context);
  assert.equal(await gateway.kill('SIGTERM'), 0);
  await gateway.spawn(env);
  const { body } = await gateway.call('GET', '/health');
  assert.equal(body.mode, 'full');
  assert.equal((await gateway.moveToEnd(1, 100)).status, 200);
});

test('requested restarts never lead to stop-only mode', async ({ gateway, env }) => {
  for (let restarts = 0; restarts < 4; restarts += 1) {
    assert.equal(await gateway.kill('SIGTERM'), 0);
    await gateway.spawn(env);
  }
  assert.equal((await gateway.call('GET', '/health')).body.mode, 'full');
});

test('SIGTERM during a delayed start ends the process and clears the crash count', async (context) => {
  const { gateway, env, runtime } = context;
  await gateway.kill('SIGTERM');
  const record = join(runtime, 'run.json');
  await writeFile(record, JSON.stringify({ uncleanEnds: 9, failedStarts: 0, running: true }));
  const start = assert.rejects(gateway.spawn(env), /ended with 0 before gateway\.ready/);
  await gateway.logged('gateway.start_delayed', { delayMs: 30_000, uncleanEnds: 10 });
  assert.equal(await gateway.kill('SIGTERM'), 0);
  await start;
  await assert.rejects(access(record), /ENOENT/);
  await gateway.spawn(env);
  assert.equal((await gateway.call('GET', '/health')).body.mode, 'full');
});

test('the gateway reports stop-only mode in its systemd status', async (context) => {
  const systemd = await NotifySocket.open();
  context.env = { ...context.env, NOTIFY_SOCKET: systemd.path };
  await killThrice(context);
  await systemd.until(/^READY=1\nSTATUS=Stop-only mode, listening on /);
  await systemd.close();
});

stopOnlySuite.run();
