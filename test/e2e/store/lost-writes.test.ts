import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { FRAME_BYTES, flipByte } from '../../unit/store/recovery/crash-image.js';

const USER = { username: 'anna', password: 'correct horse battery' };
const ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: USER.username,
  CARTWRIGHT_ADMIN_PASSWORD: USER.password,
};

interface Answer {
  status: number;
  text: string;
  json(): Record<string, unknown>;
}

/** Logs in and returns a function that sends requests with the session. */
async function loggedIn(gateway: GatewayProcess) {
  const send = async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    session = answer.headers.get('set-cookie')?.split(';')[0] ?? session;
    return { status: answer.status, text, json: () => JSON.parse(text) as Record<string, unknown> };
  };
  let session = '';
  assert.equal((await send('POST', '/login', USER)).status, 201);
  return (method: string, path: string, body?: object, accept = 'application/json') =>
    send(method, path, body, { cookie: session, accept });
}

test('reports lost writes everywhere until an administrator acknowledges them', async () => {
  const gateway = await GatewayProcess.start({}, ENV);
  const data = join(gateway.dir, 'data');
  try {
    const before = await loggedIn(gateway);
    assert.equal((await before('PUT', '/beacon/kept-1', { description: 'one' })).status, 200);
    assert.equal((await before('POST', '/backups')).status, 201);
    assert.equal((await before('PUT', '/beacon/lost-1', { description: 'two' })).status, 200);
    await gateway.kill('SIGKILL');
    flipByte(join(data, 'cartwright.db-wal'), -FRAME_BYTES / 2);
    await gateway.spawn(ENV);

    const request = await loggedIn(gateway);
    const health = (await request('GET', '/health')).json();
    const { lostWrites } = health.store as { lostWrites?: { count: number; kept: string; code: string } };
    assert.equal(lostWrites?.code, 'STORE_LOST_WRITES');
    assert.ok(lostWrites.count >= 1);
    assert.match(String(health.faults), /STORE_LOST_WRITES/);
    assert.equal(health.status, 'degraded');
    assert.ok(existsSync(join(data, `${lostWrites.kept}-wal`)));
    const logged = gateway.log.filter(({ event }) => event === 'store.writes_lost');
    assert.deepEqual(
      logged.map(({ count }) => count),
      [lostWrites.count],
    );
    const page = (await request('GET', '/system', undefined, 'text/html')).text;
    assert.match(page, /acknowledged writes? (was|were) lost/);
    assert.match(page, /action="\/backups\/acknowledge-loss"/);

    const { json, status } = await request('POST', '/backups/acknowledge-loss');
    assert.deepEqual([status, json().count], [200, lostWrites.count]);
    const after = (await request('GET', '/health')).json();
    assert.doesNotMatch(String(after.faults), /STORE_LOST_WRITES/);
    assert.doesNotMatch((await request('GET', '/system', undefined, 'text/html')).text, /acknowledge-loss/);
  } finally {
    await gateway.close();
  }
});

test.run();
