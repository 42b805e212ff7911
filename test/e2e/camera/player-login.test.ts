import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { type Gateway, openGateway } from '../../../src/app/gateway.js';
import { hasFfmpeg } from '../../helpers/ffmpeg.js';
import { RawSocket } from '../../helpers/raw-socket.js';
import { RecordingLog } from '../../helpers/recording-log.js';

const test = suite('video player logins');
const log = new RecordingLog();
const LOGIN = { username: 'anna', password: 'correct horse battery' };
const CHALLENGE = /^Basic realm="[^"]+"/;
let gateway: Gateway;
let root = '';
let cookie = '';
let key = '';
let otherKey = '';

test.before(async () => {
  root = await mkdtemp(join(tmpdir(), 'player-login-'));
  const file = join(root, 'config.json');
  const settings = { mqtt: { port: 0 } };
  await writeFile(file, JSON.stringify({ dataDir: join(root, 'data'), auth: 'required', settings }));
  const env = { CARTWRIGHT_CONFIG: file, HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0' };
  gateway = await openGateway(loadConfig(env, root), { log });
  const code = new URL(gateway.facts.setupUrl ?? '').searchParams.get('code');
  const admin = await post('/setup', { code, ...LOGIN });
  assert.equal(admin.status, 201);
  cookie = (admin.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  key = await newKey('camera', 'camera:read');
  otherKey = await newKey('beacons', 'beacons:write');
});

test.after(async () => {
  await gateway.close();
  await rm(root, { recursive: true });
});

const post = (path: string, body: object, headers = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { accept: 'application/json', 'content-type': 'application/json', cookie, ...headers },
  });

async function newKey(name: string, scope: string): Promise<string> {
  const response = await post('/keys', { name, scopes: [scope] });
  return ((await response.json()) as { key: string }).key;
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const abort = new AbortController();
  const response = await fetch(`${gateway.url}${path}`, { method, headers, signal: abort.signal });
  const { status } = response;
  const challenge = response.headers.get('www-authenticate');
  abort.abort();
  return { status, challenge };
}

for (const path of ['/camera/snapshot.jpg', '/camera/stream.mjpg?fps=5', '/CAMERA/snapshot.jpg/']) {
  test(`${path} accepts an API key as the Basic authentication password with any username, and requests Basic authentication`, async () => {
    for (const user of ['cam', '', 'anna', 'ünï:'.slice(0, 3)])
      assert.equal((await get(path, { authorization: basic(user, key) })).status, 200, user);
    const { status, challenge } = await get(path);
    assert.equal(status, 401);
    assert.match(challenge ?? '', CHALLENGE);
    assert.equal((await get(path, { authorization: basic('cam', key) }, 'HEAD')).status, 200);
    assert.equal((await get(path, { authorization: basic('cam', otherKey) })).status, 403);
  });
}

test('no other route accepts an API key as a Basic authentication password or requests Basic authentication', async () => {
  const authorization = basic('cam', key);
  for (const path of ['/camera/frame', '/camera/state.json', '/camera/photos', '/carts', '/variables.json']) {
    assert.deepEqual(await get(path, { authorization }), { status: 401, challenge: null }, path);
    assert.equal((await get(path, { 'x-api-key': key })).challenge, null);
  }
  assert.equal((await get('/camera/photo', { authorization }, 'POST')).status, 401);
  assert.equal((await get('/camera/snapshot.jpg', { authorization }, 'POST')).status, 405);
});

test("a Basic authentication password that a proxy has requested does not replace a page's session", async () => {
  const authorization = basic('proxy', 'of the proxy');
  assert.equal((await get('/camera/snapshot.jpg', { cookie, authorization })).status, 200);
});

test('the gateway does not make a browser open a login dialog', async () => {
  for (const header of [
    { referer: `${gateway.url}/` },
    { origin: gateway.url },
    { 'sec-fetch-site': 'same-origin' },
    { cookie: `${cookie.split('=')[0]}=ended` },
  ])
    assert.deepEqual(await get('/camera/snapshot.jpg', header), { status: 401, challenge: null });
});

/** The requests of VLC 3: first without credentials, then with those from its dialog or from the URL. */
const vlc = (authorization = ''): string =>
  [
    'GET /camera/stream.mjpg HTTP/1.1',
    `Host: 127.0.0.1:${new URL(gateway.url).port}`,
    'Accept: */*',
    'Accept-Language: en_US',
    ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
    'User-Agent: VLC/3.0.20 LibVLC/3.0.20',
    'Range: bytes=0-',
    '\r\n',
  ].join('\r\n');

test('VLC logs in after the challenge and receives images', async () => {
  const port = Number(new URL(gateway.url).port);
  const first = await RawSocket.open(port);
  first.write(vlc());
  await first.until((received) => received.includes('\r\n\r\n'));
  assert.match(first.received, /^HTTP\/1\.1 401 /);
  assert.match(first.received, /\r\nwww-authenticate: Basic realm=/i);
  first.socket.destroy();
  const second = await RawSocket.open(port);
  second.write(vlc(basic('cam', key)));
  await second.until((received) => received.includes('\xff\xd8\xff'));
  assert.match(second.received, /^HTTP\/1\.1 200 /);
  second.socket.destroy();
});

if (hasFfmpeg) {
  test('ffmpeg reads the live view from a URL with an API key', async () => {
    const url = gateway.url.replace('//', `//cam:${key}@`);
    const args = ['-v', 'error', '-i', `${url}/camera/stream.mjpg`, '-frames:v', '2', '-f', 'null', '-'];
    const ffmpeg = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    ffmpeg.stderr.on('data', (text: Buffer) => {
      errors += text.toString();
    });
    const [code] = (await once(ffmpeg, 'exit')) as [number];
    assert.equal(code, 0, errors);
  });
}

test('failed logins count towards the login limit of the address, and a valid key stays valid', async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 40; attempt += 1)
    statuses.push(
      (await get('/camera/snapshot.jpg', { authorization: basic('anna', `guess ${attempt}`) })).status,
    );
  assert.deepEqual([...new Set(statuses)], [401, 429]);
  const login = await post('/login', { username: 'ben', password: 'a wrong password' }, { cookie: '' });
  assert.equal(login.status, 429);
  assert.equal((await get('/camera/snapshot.jpg', { authorization: basic('cam', key) })).status, 200);
});

test('no log entry contains an API key', () => {
  const text = JSON.stringify(log);
  for (const secret of [key, otherKey, Buffer.from(`cam:${key}`).toString('base64')]) {
    assert.ok(secret.length > 40);
    assert.ok(!text.includes(secret));
  }
});

test.run();
