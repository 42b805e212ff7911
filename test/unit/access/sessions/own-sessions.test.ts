import assert from 'node:assert/strict';
import { test } from 'uvu';
import { deviceOf } from '../../../../src/access/sessions/device.js';
import { type TestApp, withTestApp } from '../test-app.js';

const FIREFOX = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0';
const CHROME_OS =
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36';
const PASSWORD = 'correct horse battery';
const HTML = { accept: 'text/html' };

interface Row {
  id: string;
  browser: string | null;
  system: string | null;
  createdAt: number;
  lastUsedAt: number;
  current: boolean;
}

async function logIn({ call }: TestApp, username: string, userAgent: string): Promise<string> {
  const headers = { 'user-agent': userAgent };
  return (await call('POST', '/login', { body: { username, password: PASSWORD }, headers })).cookie;
}

async function rows({ call }: TestApp, cookie: string): Promise<Row[]> {
  return (await call('GET', '/account/sessions', { cookie })).json as unknown as Row[];
}

const status = async ({ call }: TestApp, cookie: string): Promise<number> =>
  (await call('GET', '/events', { cookie })).status;

test('deviceOf returns the browser and the operating system from a user agent', () => {
  assert.deepEqual([FIREFOX, SAFARI, EDGE, CHROME_OS].map(deviceOf), [
    { browser: 'Firefox', system: 'Android' },
    { browser: 'Safari', system: 'iPhone' },
    { browser: 'Edge', system: 'Windows' },
    { browser: 'Chrome', system: 'ChromeOS' },
  ]);
  assert.deepEqual(deviceOf('curl/8.14.1'), { browser: 'curl', system: null });
  assert.deepEqual(deviceOf(''), { browser: null, system: null });
});

test("lists the caller's sessions with device and last use, and marks the current session", async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('anna');
    await testApp.addUser('bo');
    const phone = await logIn(testApp, 'anna', FIREFOX);
    await logIn(testApp, 'bo', EDGE);
    testApp.clock.advance(120_000);
    const laptop = await logIn(testApp, 'anna', EDGE);
    const list = await rows(testApp, laptop);
    assert.deepEqual(
      list.map(({ browser, system, current }) => [browser, system, current]),
      [
        ['Edge', 'Windows', true],
        ['Firefox', 'Android', false],
      ],
    );
    assert.equal((list[0]?.createdAt ?? 0) - (list[1]?.lastUsedAt ?? 0), 120_000);
    const text = JSON.stringify(list);
    for (const cookie of [phone, laptop]) {
      const [, handle = '', secret = ''] = /=([^.]+)\.(.+)$/.exec(cookie) ?? [];
      assert.ok(!text.includes(handle) && !text.includes(secret));
    }
  })();
});

test('revokes one session immediately and leaves the other sessions active', async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('anna');
    const phone = await logIn(testApp, 'anna', FIREFOX);
    const laptop = await logIn(testApp, 'anna', EDGE);
    const other = (await rows(testApp, laptop)).find(({ current }) => !current);
    const path = `/account/sessions/${other?.id}`;
    assert.equal((await testApp.call('DELETE', path, { cookie: laptop })).status, 200);
    assert.deepEqual([await status(testApp, phone), await status(testApp, laptop)], [401, 200]);
    assert.equal((await testApp.call('DELETE', path, { cookie: laptop })).status, 404);
  })();
});

test("returns 404 for a request to revoke another user's session", async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('anna', 'admin');
    await testApp.addUser('bo');
    const bo = await logIn(testApp, 'bo', FIREFOX);
    const anna = await logIn(testApp, 'anna', EDGE);
    const [own] = await rows(testApp, bo);
    assert.equal(
      (await testApp.call('DELETE', `/account/sessions/${own?.id}`, { cookie: anna })).status,
      404,
    );
    assert.deepEqual([await status(testApp, bo), (await rows(testApp, anna)).length], [200, 1]);
  })();
});

test('revokes all sessions except the current one', async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('anna');
    await testApp.addUser('bo');
    const others = [await logIn(testApp, 'anna', FIREFOX), await logIn(testApp, 'anna', SAFARI)];
    const bo = await logIn(testApp, 'bo', FIREFOX);
    const here = await logIn(testApp, 'anna', EDGE);
    const answer = await testApp.call('POST', '/account/sessions/revoke-others', { cookie: here });
    assert.deepEqual(answer.json, { success: true, ended: 2 });
    for (const cookie of others) assert.equal(await status(testApp, cookie), 401);
    assert.deepEqual([await status(testApp, here), await status(testApp, bo)], [200, 200]);
  })();
});

test('omits expired sessions from the list', async () => {
  await withTestApp(async (testApp) => {
    await testApp.addUser('anna');
    await logIn(testApp, 'anna', FIREFOX);
    testApp.clock.advance(8 * 3_600_000);
    assert.equal((await rows(testApp, await logIn(testApp, 'anna', EDGE))).length, 1);
  })();
});

test('shows the sessions on the account page, with forms that work when JavaScript is off', async () => {
  await withTestApp(async (testApp) => {
    const { call } = testApp;
    await testApp.addUser('anna');
    const phone = await logIn(testApp, 'anna', FIREFOX);
    const laptop = await logIn(testApp, 'anna', EDGE);
    const origin = { origin: `http://127.0.0.1:${testApp.port}` };
    const page = await call('GET', '/account', { cookie: laptop, headers: HTML });
    assert.match(page.text, /Firefox on Android/);
    assert.match(page.text, /Edge on Windows/);
    assert.match(page.text, /This device/);
    const [, action = ''] = /action="(\/account\/sessions\/[0-9a-f]+\/revoke)"/.exec(page.text) ?? [];
    const sent = await call('POST', action, { cookie: laptop, headers: { ...HTML, ...origin }, body: '' });
    assert.deepEqual([sent.status, sent.headers.location], [303, '/account?done=session-closed']);
    assert.deepEqual([await status(testApp, phone), await status(testApp, laptop)], [401, 200]);
    const dutch = await call('GET', '/account', {
      cookie: laptop,
      headers: { ...HTML, 'accept-language': 'nl' },
    });
    assert.match(dutch.text, /Edge op Windows/);
  })();
});

test.run();
