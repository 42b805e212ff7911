import assert from 'node:assert/strict';
import { test } from 'uvu';
import { deviceOf } from '../../../../src/access/sessions/device.js';
import { atSite, type Site } from '../site.js';

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

async function logIn({ call }: Site, username: string, userAgent: string): Promise<string> {
  const headers = { 'user-agent': userAgent };
  return (await call('POST', '/login', { body: { username, password: PASSWORD }, headers })).cookie;
}

async function rows({ call }: Site, cookie: string): Promise<Row[]> {
  return (await call('GET', '/account/sessions', { cookie })).json as unknown as Row[];
}

const status = async ({ call }: Site, cookie: string): Promise<number> =>
  (await call('GET', '/events', { cookie })).status;

test('deviceOf names the browser and the system of a user agent', () => {
  assert.deepEqual([FIREFOX, SAFARI, EDGE, CHROME_OS].map(deviceOf), [
    { browser: 'Firefox', system: 'Android' },
    { browser: 'Safari', system: 'iPhone' },
    { browser: 'Edge', system: 'Windows' },
    { browser: 'Chrome', system: 'ChromeOS' },
  ]);
  assert.deepEqual(deviceOf('curl/8.14.1'), { browser: 'curl', system: null });
  assert.deepEqual(deviceOf(''), { browser: null, system: null });
});

test('lists a user the own sessions with device and use, and marks the current one', async () => {
  await atSite(async (site) => {
    await site.addUser('anna');
    await site.addUser('bo');
    const phone = await logIn(site, 'anna', FIREFOX);
    await logIn(site, 'bo', EDGE);
    site.clock.advance(120_000);
    const laptop = await logIn(site, 'anna', EDGE);
    const list = await rows(site, laptop);
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

test('revokes one session at once and leaves the others', async () => {
  await atSite(async (site) => {
    await site.addUser('anna');
    const phone = await logIn(site, 'anna', FIREFOX);
    const laptop = await logIn(site, 'anna', EDGE);
    const other = (await rows(site, laptop)).find(({ current }) => !current);
    const path = `/account/sessions/${other?.id}`;
    assert.equal((await site.call('DELETE', path, { cookie: laptop })).status, 200);
    assert.deepEqual([await status(site, phone), await status(site, laptop)], [401, 200]);
    assert.equal((await site.call('DELETE', path, { cookie: laptop })).status, 404);
  })();
});

test("does not find another user's session", async () => {
  await atSite(async (site) => {
    await site.addUser('anna', 'admin');
    await site.addUser('bo');
    const bo = await logIn(site, 'bo', FIREFOX);
    const anna = await logIn(site, 'anna', EDGE);
    const [own] = await rows(site, bo);
    assert.equal((await site.call('DELETE', `/account/sessions/${own?.id}`, { cookie: anna })).status, 404);
    assert.deepEqual([await status(site, bo), (await rows(site, anna)).length], [200, 1]);
  })();
});

test('revokes every session but the current one', async () => {
  await atSite(async (site) => {
    await site.addUser('anna');
    await site.addUser('bo');
    const others = [await logIn(site, 'anna', FIREFOX), await logIn(site, 'anna', SAFARI)];
    const bo = await logIn(site, 'bo', FIREFOX);
    const here = await logIn(site, 'anna', EDGE);
    const answer = await site.call('POST', '/account/sessions/revoke-others', { cookie: here });
    assert.deepEqual(answer.json, { success: true, ended: 2 });
    for (const cookie of others) assert.equal(await status(site, cookie), 401);
    assert.deepEqual([await status(site, here), await status(site, bo)], [200, 200]);
  })();
});

test('omits sessions that have expired', async () => {
  await atSite(async (site) => {
    await site.addUser('anna');
    await logIn(site, 'anna', FIREFOX);
    site.clock.advance(8 * 3_600_000);
    assert.equal((await rows(site, await logIn(site, 'anna', EDGE))).length, 1);
  })();
});

test('shows the sessions on the account page, with forms that work without JavaScript', async () => {
  await atSite(async (site) => {
    const { call } = site;
    await site.addUser('anna');
    const phone = await logIn(site, 'anna', FIREFOX);
    const laptop = await logIn(site, 'anna', EDGE);
    const origin = { origin: `http://127.0.0.1:${site.port}` };
    const page = await call('GET', '/account', { cookie: laptop, headers: HTML });
    assert.match(page.text, /Firefox on Android/);
    assert.match(page.text, /Edge on Windows/);
    assert.match(page.text, /This device/);
    const [, action = ''] = /action="(\/account\/sessions\/[0-9a-f]+\/revoke)"/.exec(page.text) ?? [];
    const sent = await call('POST', action, { cookie: laptop, headers: { ...HTML, ...origin }, body: '' });
    assert.deepEqual([sent.status, sent.headers.location], [303, '/account']);
    assert.deepEqual([await status(site, phone), await status(site, laptop)], [401, 200]);
    const dutch = await call('GET', '/account', {
      cookie: laptop,
      headers: { ...HTML, 'accept-language': 'nl' },
    });
    assert.match(dutch.text, /Edge op Windows/);
  })();
});

test.run();
