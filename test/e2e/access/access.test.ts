import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { test } from 'uvu';
import { RestoreFiles } from '../../../src/backups/restore/files.js';
import { stagedJournal } from '../../../src/backups/restore/machine.js';
import { userActor } from '../../../src/shared/actor.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { totpCode } from '../../helpers/totp-code.js';
import { untilAnswer } from '../../helpers/until.js';

const PASSWORD = 'correct horse battery';
const REQUIRED = { CARTWRIGHT_AUTH: 'required' };
const ADMIN = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };

interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
  cookie: string;
}

async function call(
  { url }: GatewayProcess,
  method: string,
  path: string,
  {
    body,
    cookie = '',
    headers = {},
  }: { body?: object; cookie?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { accept: 'application/json', 'content-type': 'application/json', cookie, ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return {
    status: answer.status,
    body: isJson ? JSON.parse(text) : { text },
    headers: answer.headers,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

async function logIn(gateway: GatewayProcess, username: string): Promise<string> {
  const { status, cookie } = await call(gateway, 'POST', '/login', {
    body: { username, password: PASSWORD },
  });
  assert.equal(status, 201);
  return cookie;
}

/** Returns a test that runs with a gateway that requires a login. The gateway's administrator is anna. */
function withGateway(run: (gateway: GatewayProcess, admin: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const gateway = await GatewayProcess.start({}, { ...REQUIRED, ...ADMIN });
    try {
      await run(gateway, await logIn(gateway, 'anna'));
    } finally {
      await gateway.close();
    }
  };
}

/** Runs `npm run user` with the gateway's data directory. The command reads the password from standard input. */
async function userCommand(
  gateway: GatewayProcess,
  args: string[],
  password = '',
  expectedCode = 0,
): Promise<string> {
  const env = {
    ...process.env,
    CARTWRIGHT_DATA_DIR: join(gateway.dir, 'data'),
    CARTWRIGHT_CONFIG: join(gateway.dir, 'config.json'),
  };
  const script = join(import.meta.dirname, '../../../src/cli/user.js');
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${password}\n`);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [code] = await once(child, 'close');
  assert.equal(code, expectedCode);
  return text.trim();
}

test('`npm run user` rejects a data directory whose restore was interrupted', async () => {
  const gateway = await GatewayProcess.start();
  try {
    await gateway.kill('SIGTERM');
    const journal = stagedJournal({ name: 'a.cwbackup', by: userActor('anna'), at: 1, groups: [] });
    new RestoreFiles(join(gateway.dir, 'data')).write({ ...journal, step: 'switching' });
    assert.equal(await userCommand(gateway, ['list'], '', 1), '');
  } finally {
    await gateway.close();
  }
});

test('a data directory created by `npm run user` is treated as new', async () => {
  const gateway = await GatewayProcess.start();
  try {
    await gateway.kill('SIGTERM');
    rmSync(join(gateway.dir, 'data'), { recursive: true });
    assert.equal(await userCommand(gateway, ['list']), 'no users yet');
    await gateway.spawn();
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  } finally {
    await gateway.close();
  }
});

test('the setup code creates one administrator and cannot be used again', async () => {
  const gateway = await GatewayProcess.start({}, REQUIRED);
  try {
    const { url } = await gateway.logged('access.setup_announced');
    const file = join(gateway.dir, 'data', 'setup-code');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const code = readFileSync(file, 'utf8').trim();
    assert.equal(String(url), `${gateway.url}/setup?code=${code}`);
    assert.equal((await call(gateway, 'GET', '/carts')).status, 401);
    const body = { code, username: 'anna', password: PASSWORD };
    const { status, cookie } = await call(gateway, 'POST', '/setup', { body });
    assert.equal(status, 201);
    assert.equal((await call(gateway, 'GET', '/carts', { cookie })).status, 200);
    assert.equal(existsSync(file), false);
    assert.equal((await call(gateway, 'POST', '/setup', { body })).status, 409);
  } finally {
    await gateway.close();
  }
});

test(
  'the embedded broker accepts simulated carts and an API key, and rejects other credentials',
  withGateway(async (gateway, cookie) => {
    for (const cartID of [1, 2, 3]) {
      const cart = () => call(gateway, 'GET', `/carts/${cartID}`, { cookie });
      await untilAnswer(cart, ({ status, body }) => status === 200 && body.online === true);
    }
    const command = { cartID: 2, distanceID: 50, angleID: 0 };
    const driven = await call(gateway, 'POST', '/?wait=done', { body: command, cookie });
    assert.deepEqual([driven.status, driven.body.state], [200, 'FINISHED']);

    const { links } = (await call(gateway, 'GET', '/health', { cookie })).body as {
      links: { broker: { url: string } };
    };
    const { url } = links.broker;
    const connect = (login: object) => connectAsync(url, { ...login, reconnectPeriod: 0 }, false);
    await assert.rejects(connect({}));
    await assert.rejects(connect({ username: 'anna', password: PASSWORD }));
    const made = await call(gateway, 'POST', '/keys', {
      body: { name: 'hall', scopes: ['mqtt', 'mqtt:read'] },
      cookie,
    });
    const key = await connect({ username: 'hall', password: String(made.body.key) });
    await key.endAsync();
  }),
);

test(
  'a customer can stop a cart but cannot drive it',
  withGateway(async (gateway) => {
    assert.match(await userCommand(gateway, ['add', 'carl'], PASSWORD), /added carl \(customer\)/);
    const cookie = await logIn(gateway, 'carl');
    const move = { cartID: 1, distanceID: 50, angleID: 0 };
    assert.equal((await call(gateway, 'POST', '/', { body: move, cookie })).status, 403);
    assert.equal((await call(gateway, 'POST', '/carts/1/stop', { body: {}, cookie })).status, 200);
    assert.equal((await call(gateway, 'POST', '/estop', { body: {}, cookie })).status, 200);
    assert.equal((await call(gateway, 'POST', '/estop/reset', { body: {}, cookie })).status, 403);
  }),
);

test(
  "disabling a user's account ends only that user's event stream and session",
  withGateway(async (gateway, admin) => {
    await userCommand(gateway, ['add', 'carl'], PASSWORD);
    const cookie = await logIn(gateway, 'carl');
    const stream = await fetch(`${gateway.url}/events`, { headers: { cookie } });
    assert.equal(stream.status, 200);
    await userCommand(gateway, ['disable', 'carl']);
    await stream.text();
    assert.equal((await fetch(`${gateway.url}/events`, { headers: { cookie } })).status, 401);
    assert.match(await userCommand(gateway, ['list']), /carl\tcustomer\tdisabled/);
    assert.equal((await call(gateway, 'GET', '/account', { cookie: admin })).body.username, 'anna');
  }),
);

test(
  "`npm run user reset-totp` removes a user's second factor and ends the user's sessions",
  withGateway(async (gateway) => {
    await userCommand(gateway, ['add', 'otto', '--role', 'operator'], PASSWORD);
    const otto = await logIn(gateway, 'otto');
    const post = (path: string, body: object) => call(gateway, 'POST', path, { cookie: otto, body });
    const { secret } = (await post('/account/totp', { currentPassword: PASSWORD })).body;
    await post('/account/totp/confirm', { code: totpCode(String(secret), Date.now()) });
    assert.match(await userCommand(gateway, ['list']), /otto\toperator\t\t\ttotp/);
    const login = { body: { username: 'otto', password: PASSWORD } };
    assert.equal((await call(gateway, 'POST', '/login', login)).body.code, 'TOTP_REQUIRED');
    await userCommand(gateway, ['reset-totp', 'otto']);
    assert.equal((await call(gateway, 'GET', '/carts', { cookie: otto })).status, 401);
    assert.equal((await call(gateway, 'POST', '/login', login)).status, 201);
  }),
);

test('driving from a trusted network does not require a login, and the gateway logs a warning at startup', async () => {
  const gateway = await GatewayProcess.start();
  try {
    for (let start = 0; start < 2; start += 1) {
      await gateway.logged('access.trusted_lan_enabled');
      const page = await call(gateway, 'GET', '/', { headers: { accept: 'text/html' } });
      assert.match(String(page.body.text), /Open network/);
      assert.equal((await call(gateway, 'GET', '/users')).status, 401);
      assert.equal(
        (await call(gateway, 'GET', '/carts', { headers: { 'x-forwarded-for': '10.0.0.9' } })).status,
        401,
      );
      if (start > 0) break;
      await gateway.kill('SIGTERM');
      await gateway.spawn();
    }
  } finally {
    await gateway.close();
  }
});

/** Creates a self-signed certificate for localhost. Returns false if openssl is not installed. */
function makeKeyPair(dir: string): boolean {
  const args =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
      ' ',
    );
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  try {
    execFileSync('openssl', [...args, ...files], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test(
  'only an administrator can pin an incident, and the pin survives a restart',
  withGateway(async (gateway, admin) => {
    await userCommand(gateway, ['add', 'olga', '--role', 'operator'], PASSWORD);
    const operator = await logIn(gateway, 'olga');
    await call(gateway, 'POST', '/estop', { body: { cartID: 1 }, cookie: operator });
    const { name } = await gateway.logged('black_box.saved');
    const pin = `/black-boxes/${name}/pin`;
    assert.equal((await call(gateway, 'POST', pin, { cookie: operator })).status, 403);
    assert.equal((await call(gateway, 'POST', pin, { cookie: admin })).status, 200);
    await gateway.kill('SIGKILL');
    await gateway.spawn({ ...REQUIRED, ...ADMIN });
    // The session cookie's name contains the port, which has changed, so a new login is necessary.
    const cookie = await logIn(gateway, 'olga');
    const { body } = await call(gateway, 'GET', '/black-boxes', { cookie });
    const [box] = body.boxes as { name: string; pinned: boolean }[];
    assert.deepEqual([box?.name, box?.pinned], [name, true]);
  }),
);

test('the gateway serves HTTPS with a `__Host-` cookie when a certificate and key are configured', async () => {
  const gateway = await GatewayProcess.start({}, REQUIRED);
  try {
    if (!makeKeyPair(gateway.dir)) {
      process.stdout.write('skipped: openssl is not installed\n');
      return;
    }
    await gateway.kill('SIGTERM');
    await gateway.configure({ tls: { certFile: 'cert.pem', keyFile: 'key.pem' } });
    await gateway.spawn({ ...REQUIRED, ...ADMIN });
    assert.match(gateway.url, /^https:/);
    const sent = request(`${gateway.url}/login`, {
      method: 'POST',
      rejectUnauthorized: false,
      headers: { 'content-type': 'application/json', origin: gateway.url },
    });
    sent.end(JSON.stringify({ username: 'anna', password: PASSWORD }));
    const [answer] = await once(sent, 'response');
    answer.resume();
    assert.equal(answer.statusCode, 201);
    assert.match(answer.headers['set-cookie'][0], /^__Host-sessie=.*; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(answer.headers['strict-transport-security'], /^max-age=\d+$/);
    for (const path of ['/beacons', '/beacon?id=none', '/assets/app.css', '/livez']) {
      const sentRequest = request(`${gateway.url}${path}`, { rejectUnauthorized: false });
      sentRequest.end();
      const [other] = await once(sentRequest, 'response');
      other.resume();
      assert.equal(other.headers['strict-transport-security'], 'max-age=31536000', path);
    }
  } finally {
    await gateway.close();
  }
});

test.run();
