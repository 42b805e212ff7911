import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { Access } from '../../../../src/access/access.js';
import { TotpRequired } from '../../../../src/access/second-factor/second-factor.js';
import { userActor } from '../../../../src/shared/actor.js';
import { totpCode } from '../../../helpers/totp-code.js';
import { type Answer, CHEAP, count, PASSWORD, type TestApp, withTestApp } from '../test-app.js';

const HTML = { accept: 'text/html' };
/** TOTP time step (RFC 6238). */
const STEP_MS = 30_000;

interface Enrolled {
  userId: number;
  cookie: string;
  recoveryCodes: string[];
  code: () => string;
  logIn: (code?: string, from?: string) => Promise<Answer>;
}

async function enrol(testApp: TestApp, username: string): Promise<Enrolled> {
  const { userId } = await testApp.addUser(username, 'operator');
  const { call, clock } = testApp;
  const cookie = await testApp.login(username);
  const begun = await call('POST', '/account/totp', { cookie, body: { currentPassword: PASSWORD } });
  assert.equal(begun.status, 200, begun.text);
  const code = () => totpCode(String(begun.json.secret), clock.wallTime());
  const confirmed = await call('POST', '/account/totp/confirm', { cookie, body: { code: code() } });
  assert.equal(confirmed.status, 200, confirmed.text);
  clock.advance(STEP_MS);
  const logIn: Enrolled['logIn'] = (typed, from = '127.0.9.1') =>
    call('POST', '/login', {
      from,
      body: { username, password: PASSWORD, ...(typed ? { code: typed } : {}) },
    });
  return { userId, cookie, code, logIn, recoveryCodes: confirmed.json.recoveryCodes as string[] };
}

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

test(
  'a login with a second factor does not start a session until the code is accepted',
  withTestApp(async (testApp) => {
    const { logIn, code } = await enrol(testApp, 'anna');
    const before = count(testApp.store, 'sessions');
    const without = await logIn();
    assert.deepEqual([without.status, without.json.code, without.cookie], [401, 'TOTP_REQUIRED', '']);
    const wrong = await logIn(otherThan(code()));
    assert.deepEqual([wrong.status, wrong.json.code, wrong.cookie], [401, 'TOTP_INVALID', '']);
    assert.match(String(wrong.json.hint), /2026-01-01 00:00:30 UTC/);
    assert.equal(count(testApp.store, 'sessions'), before);
    const right = await logIn(code());
    assert.deepEqual(Object.keys(right.json), ['success', 'message', 'sessieId']);
    assert.equal((await testApp.call('GET', '/events', { cookie: right.cookie })).status, 200);
  }),
);

test(
  'a login does not reveal whether a second factor exists, and ignores an unnecessary code',
  withTestApp(async (testApp) => {
    await testApp.addUser('ben');
    const { code } = await enrol(testApp, 'anna');
    const ben = await testApp.call('POST', '/login', {
      body: { username: 'ben', password: PASSWORD, code: '1' },
    });
    assert.equal(ben.status, 201);
    const body = { username: 'anna', password: 'wrong', code: code() };
    assert.equal((await testApp.call('POST', '/login', { body })).json.code, 'INVALID_CREDENTIALS');
  }),
);

test(
  'accepts a code only once, rejects older codes and tolerates a clock error of one time step',
  withTestApp(async (testApp) => {
    const { logIn, code } = await enrol(testApp, 'anna');
    const first = code();
    testApp.clock.advance(STEP_MS);
    const second = code();
    assert.equal((await logIn(second)).status, 201);
    assert.equal((await logIn(second)).json.code, 'TOTP_INVALID');
    assert.equal((await logIn(first)).json.code, 'TOTP_INVALID');
    testApp.clock.advance(2 * STEP_MS);
    const early = code();
    testApp.clock.advance(STEP_MS);
    assert.equal((await logIn(early)).status, 201);
    const late = code();
    testApp.clock.advance(2 * STEP_MS);
    assert.equal((await logIn(late)).json.code, 'TOTP_INVALID');
  }),
);

test(
  'accepts only one of two simultaneous logins with the same code',
  withTestApp(async (testApp) => {
    const { logIn, code, recoveryCodes } = await enrol(testApp, 'anna');
    for (const used of [code(), recoveryCodes[0]]) {
      const both = await Promise.all([logIn(used, '127.0.9.2'), logIn(used, '127.0.9.3')]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401]);
    }
  }),
);

test(
  "accepts a recovery code only once, even if the gateway's clock is wrong",
  withTestApp(async (testApp) => {
    const { logIn, code, recoveryCodes, cookie } = await enrol(testApp, 'anna');
    const onPhone = code();
    testApp.clock.stepWallTime(-400 * 86_400_000);
    assert.equal((await logIn(onPhone)).json.code, 'TOTP_INVALID');
    const [first = '', second = ''] = recoveryCodes;
    assert.equal((await logIn(first.toUpperCase().replaceAll('-', ' '))).status, 201);
    assert.equal((await logIn(first)).json.code, 'TOTP_INVALID');
    assert.equal((await logIn(second)).status, 201);
    const { json } = await testApp.call('GET', '/account', { cookie });
    assert.deepEqual([json.totp, json.recoveryCodesLeft], [true, 8]);
    assert.equal(testApp.log.events().filter((event) => event === 'access.recovery_code_used').length, 2);
  }),
);

test(
  'blocks an address after incorrect codes, and then accepts only recovery codes from other addresses',
  withTestApp(async (testApp) => {
    const { logIn, code, recoveryCodes } = await enrol(testApp, 'anna');
    for (let n = 0; n < 5; n += 1) assert.equal((await logIn(otherThan(code()), '127.0.8.1')).status, 401);
    const blocked = await logIn(recoveryCodes[0], '127.0.8.1');
    assert.deepEqual([blocked.status, blocked.headers['retry-after']], [429, '900']);
    const elsewhere = await logIn(code(), '127.0.8.2');
    assert.equal(elsewhere.status, 429);
    assert.match(String(elsewhere.json.hint), /recovery code/);
    assert.equal((await logIn(recoveryCodes[0], '127.0.8.2')).status, 201);
    testApp.clock.advance(900_000);
    assert.equal((await logIn(code(), '127.0.8.1')).status, 201);
  }),
);

test(
  'doubles the block time after each series of wrong codes, up to a day, even if a login succeeds in between',
  withTestApp(async (testApp) => {
    const { logIn, code, recoveryCodes } = await enrol(testApp, 'anna');
    const blocks: (string | undefined)[] = [];
    for (let round = 0; round < 9; round += 1) {
      const from = (n: number): string => `127.0.${20 + round}.${n}`;
      for (let n = 1; n <= 5; n += 1) assert.equal((await logIn(otherThan(code()), from(n))).status, 401);
      blocks.push((await logIn(code(), from(6))).headers['retry-after']);
      assert.equal((await logIn(recoveryCodes[round], from(7))).status, 201);
      testApp.clock.advance(Number(blocks.at(-1)) * 1000);
    }
    assert.deepEqual(blocks.map(Number), [900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  }),
);

test(
  'adds up the guesses made before and after an accepted code',
  withTestApp(async (testApp) => {
    const { logIn, code } = await enrol(testApp, 'anna');
    for (let n = 1; n <= 4; n += 1)
      assert.equal((await logIn(otherThan(code()), `127.0.7.${n}`)).status, 401);
    testApp.clock.advance(60_000);
    assert.equal((await logIn(code(), '127.0.7.5')).status, 201);
    testApp.clock.advance(60_000);
    assert.equal((await logIn(otherThan(code()), '127.0.7.6')).status, 401);
    assert.equal((await logIn(code(), '127.0.7.7')).status, 429);
  }),
);

/** Returns the tokens of pending browser logins with the correct password, one from each address. */
async function pendingLogins({ access }: TestApp, username: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const client = { ip: `10.7.${n}.1`, userAgent: '' };
    const failure: unknown = await access.logins
      .login({ username, password: PASSWORD }, client)
      .catch((e) => e);
    assert.ok(failure instanceof TotpRequired);
    tokens.push(failure.login);
  }
  return tokens;
}

test(
  'checks at most five of forty simultaneous guesses from forty addresses',
  withTestApp(async (testApp) => {
    const { code, logIn } = await enrol(testApp, 'anna');
    const guesses = Array.from({ length: 40 }, (_, n) => logIn(otherThan(code()), `127.0.7.${n + 1}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // The hash queue rejects some of the logins before their code is checked.
    assert.ok(statuses.every((status) => status === 401 || status === 429));
    const checked = testApp.log.events().filter((event) => event === 'access.code_rejected');
    assert.equal(checked.length, 5);
    assert.equal((await logIn(code(), '127.0.6.1')).status, 429);
  }),
);

test(
  'adds up guesses in pending logins from several addresses',
  withTestApp(async (testApp) => {
    const { code } = await enrol(testApp, 'anna');
    const tokens = await pendingLogins(testApp, 'anna', 5);
    const guess = (n: number, typed: string): Promise<number> => {
      const body = { login: tokens[n % tokens.length], code: typed };
      return testApp
        .call('POST', '/login/code', { body, from: `127.0.7.${n + 1}` })
        .then(({ status }) => status);
    };
    for (let n = 0; n < 5; n += 1) assert.equal(await guess(n, otherThan(code())), 401);
    assert.equal(await guess(5, code()), 429);
  }),
);

test(
  'adds up guesses made at login and on the account page',
  withTestApp(async (testApp) => {
    const { code, cookie, logIn } = await enrol(testApp, 'anna');
    const remove = async (typed: string, from: string): Promise<number> => {
      const body = { currentPassword: PASSWORD, code: typed };
      return (await testApp.call('POST', '/account/totp/remove', { cookie, body, from })).status;
    };
    for (let n = 0; n < 3; n += 1)
      assert.equal((await logIn(otherThan(code()), `127.0.7.${n + 1}`)).status, 401);
    for (let n = 0; n < 2; n += 1) assert.notEqual(await remove(otherThan(code()), `127.0.6.${n + 1}`), 429);
    assert.equal(await remove(code(), '127.0.6.9'), 429);
    assert.equal((await logIn(code(), '127.0.7.9')).status, 429);
  }),
);

test(
  'checks at most five guesses a day from a client that pauses for 15 minutes after every four guesses',
  withTestApp(async (testApp) => {
    const { code, logIn } = await enrol(testApp, 'anna');
    const checked = (): number =>
      testApp.log.events().filter((event) => event === 'access.code_rejected').length;
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < 4 && checked() < 5; n += 1) {
        assert.equal((await logIn(otherThan(code()), `127.0.${10 + round}.${n + 1}`)).status, 401);
      }
      testApp.clock.advance(900_000);
    }
    assert.equal(checked(), 5);
    assert.equal((await logIn(code(), '127.0.6.1')).status, 429);
  }),
);

test(
  "one user's incorrect codes do not block another user",
  withTestApp(async (testApp) => {
    const anna = await enrol(testApp, 'anna');
    const ben = await enrol(testApp, 'ben');
    for (let n = 0; n < 5; n += 1)
      assert.equal((await anna.logIn(otherThan(anna.code()), `127.0.7.${n + 1}`)).status, 401);
    assert.equal((await anna.logIn(anna.code(), '127.0.7.9')).status, 429);
    assert.equal((await ben.logIn(ben.code(), '127.0.7.9')).status, 201);
  }),
);

test(
  'accepts a code only once within its window, even at another address, in a pending login or on the account page',
  withTestApp(async (testApp) => {
    const { code, cookie, logIn } = await enrol(testApp, 'anna');
    const [login = ''] = await pendingLogins(testApp, 'anna', 1);
    const used = code();
    assert.equal((await logIn(used, '127.0.7.1')).status, 201);
    assert.equal((await logIn(used, '127.0.7.2')).json.code, 'TOTP_INVALID');
    const pending = await testApp.call('POST', '/login/code', {
      body: { login, code: used },
      from: '127.0.7.3',
    });
    assert.equal(pending.json.code, 'TOTP_INVALID');
    const body = { currentPassword: PASSWORD, code: used };
    const removal = await testApp.call('POST', '/account/totp/remove', { cookie, body, from: '127.0.7.4' });
    assert.equal(removal.json.code, 'TOTP_INVALID');
  }),
);

test(
  'a browser receives a code form that is valid for 5 minutes and does not contain the password',
  withTestApp(async (testApp) => {
    const { code } = await enrol(testApp, 'anna');
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
    const post = (path: string, fields: Record<string, string>) =>
      testApp.call('POST', path, { body: form(fields), headers: HTML });
    const begin = async (): Promise<string> => {
      const page = await post('/login', { username: 'anna', password: PASSWORD, next: '/fleet' });
      assert.deepEqual([page.status, page.cookie], [401, '']);
      assert.match(page.text, /name="next" value="&#x2F;fleet"/);
      assert.equal(page.text.includes(PASSWORD), false);
      return /name="login" value="([\w-]{43})"/.exec(page.text)?.[1] ?? '';
    };
    const login = await begin();
    const wrong = await post('/login/code', { login, code: otherThan(code()), next: '/fleet' });
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, new RegExp(`name="login" value="${login}"`));
    const right = await post('/login/code', { login, code: code(), next: '/fleet' });
    assert.deepEqual([right.status, right.headers.location], [303, '/fleet']);
    assert.equal((await testApp.call('GET', '/events', { cookie: right.cookie })).status, 200);
    testApp.clock.advance(STEP_MS);
    assert.equal((await post('/login/code', { login, code: code() })).status, 401);
    const late = await begin();
    testApp.clock.advance(5 * 60_000);
    const over = await post('/login/code', { login: late, code: code() });
    assert.equal(over.status, 401);
    assert.match(over.text, /name="password"/);
  }),
);

test(
  'drops a pending login when the password changes, the user is disabled or a sixth login starts',
  withTestApp(async (testApp) => {
    const { userId, code } = await enrol(testApp, 'anna');
    const client = { ip: '127.0.9.9', userAgent: '' };
    const begin = (password = PASSWORD): Promise<string> =>
      testApp.access.logins.login({ username: 'anna', password }, client).then(
        () => '',
        (error: { login: string }) => error.login,
      );
    const statusOf = async (login: string) =>
      (await testApp.call('POST', '/login/code', { body: { login, code: code() }, from: '127.0.9.8' }))
        .status;
    const first = await begin();
    for (let n = 0; n < 5; n += 1) await begin();
    const body = { login: first, code: code() };
    assert.equal((await testApp.call('POST', '/login/code', { body })).json.code, 'NOT_LOGGED_IN');
    const waiting = await begin();
    await testApp.access.users.change(userId, { password: 'another password' }, userActor('test'));
    assert.equal(await statusOf(waiting), 401);
    const next = await begin('another password');
    await testApp.access.users.change(userId, { disabled: true }, userActor('test'));
    assert.equal(await statusOf(next), 401);
    assert.equal(count(testApp.store, 'sessions'), 0);
  }),
);

test(
  'enabling the second factor requires the password and, within 10 minutes, a code',
  withTestApp(async (testApp) => {
    await testApp.addUser('anna', 'operator');
    const [cookie, other] = [await testApp.login('anna'), await testApp.login('anna')];
    const post = (path: string, body: object, by = cookie) =>
      testApp.call('POST', path, { cookie: by, body });
    const wrong = await post('/account/totp', { currentPassword: 'wrong' });
    assert.deepEqual([wrong.status, wrong.json.code], [401, 'INVALID_CREDENTIALS']);
    assert.equal((await post('/account/totp/confirm', { code: '123456' })).status, 409);
    const { json } = await post('/account/totp', { currentPassword: PASSWORD });
    const code = () => totpCode(String(json.secret), testApp.clock.wallTime());
    assert.equal((await post('/account/totp/confirm', { code: code() }, other)).status, 409);
    assert.equal(
      (await post('/account/totp/confirm', { code: otherThan(code()) })).json.code,
      'TOTP_INVALID',
    );
    testApp.clock.advance(10 * 60_000);
    assert.equal((await post('/account/totp/confirm', { code: code() })).status, 409);
    assert.equal((await testApp.call('GET', '/account', { cookie })).json.totp, false);
    await testApp.login('anna');
  }),
);

test(
  "every change to the second factor ends the user's other sessions and is logged",
  withTestApp(async (testApp) => {
    await testApp.addUser('ben', 'operator');
    const ben = await testApp.login('ben');
    const { cookie, code, logIn, recoveryCodes } = await enrol(testApp, 'anna');
    const isIn = async (by: string) => (await testApp.call('GET', '/events', { cookie: by })).status === 200;
    const change = async (path: string, codeNow: () => string) => {
      const elsewhere = (await logIn(code())).cookie;
      assert.equal(await isIn(elsewhere), true);
      testApp.clock.advance(STEP_MS);
      const answer = await testApp.call('POST', path, {
        cookie,
        body: { currentPassword: PASSWORD, code: codeNow() },
      });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([await isIn(elsewhere), await isIn(cookie), await isIn(ben)], [false, true, true]);
      return answer;
    };
    const renewed = await change('/account/totp/recovery-codes', code);
    assert.equal((await logIn(recoveryCodes[0])).json.code, 'TOTP_INVALID');
    const codes = renewed.json.recoveryCodes as string[];
    testApp.clock.advance(STEP_MS);
    await change('/account/totp/remove', () => codes[0] ?? '');
    assert.equal((await logIn()).status, 201);
    for (const event of ['totp_enrolment_started', 'totp_enabled', 'recovery_codes_renewed', 'totp_removed'])
      assert.ok(testApp.log.events().includes(`access.${event}`), event);
  }),
);

test(
  'changing the second factor requires the password and a code, and the old secret works until confirmation',
  withTestApp(async (testApp) => {
    const { cookie, code, logIn } = await enrol(testApp, 'anna');
    const post = (path: string, body: object) => testApp.call('POST', path, { cookie, body });
    const paths = ['/account/totp', '/account/totp/remove', '/account/totp/recovery-codes'];
    for (const path of paths) {
      const without = await post(path, { currentPassword: PASSWORD });
      assert.deepEqual([without.status, without.json.code], [401, 'TOTP_REQUIRED'], path);
      const wrong = await post(path, { currentPassword: 'wrong', code: code() });
      assert.deepEqual([wrong.status, wrong.json.code], [401, 'INVALID_CREDENTIALS'], path);
    }
    const used = code();
    const { json } = await post('/account/totp', { currentPassword: PASSWORD, code: used });
    assert.equal((await post('/account/totp/remove', { currentPassword: PASSWORD, code: used })).status, 401);
    testApp.clock.advance(STEP_MS);
    const old = code();
    assert.equal((await logIn(old)).status, 201);
    const fresh = totpCode(String(json.secret), testApp.clock.wallTime());
    assert.equal((await post('/account/totp/confirm', { code: fresh })).status, 200);
    testApp.clock.advance(STEP_MS);
    assert.equal((await logIn(code())).json.code, 'TOTP_INVALID');
    assert.equal((await logIn(totpCode(String(json.secret), testApp.clock.wallTime()))).status, 201);
  }),
);

test(
  "an administrator can reset only other users' second factors, and a reset ends their sessions",
  withTestApp(async (testApp) => {
    const { userId, cookie, logIn } = await enrol(testApp, 'anna');
    const admin = await testApp.addUser('root', 'admin');
    const root = await testApp.login('root');
    const reset = (id: number, by: string) => testApp.call('POST', `/users/${id}/totp/reset`, { cookie: by });
    assert.equal((await reset(userId, cookie)).status, 403);
    assert.equal((await reset(admin.userId, root)).status, 403);
    const users = (await testApp.call('GET', '/users', { cookie: root })).json as unknown as {
      totp: boolean;
    }[];
    assert.deepEqual(
      users.map(({ totp }) => totp),
      [true, false],
    );
    assert.equal((await reset(userId, root)).status, 200);
    assert.equal((await reset(userId, root)).status, 404);
    assert.equal((await testApp.call('GET', '/account', { cookie })).status, 401);
    assert.equal((await logIn()).status, 201);
    assert.ok(testApp.log.events().includes('access.totp_reset'));
  }),
);

test(
  'a customer cannot set up a second factor, but a former operator can keep or disable one',
  withTestApp(async (testApp) => {
    await testApp.addUser('carl');
    const carl = await testApp.login('carl');
    const body = { currentPassword: PASSWORD };
    assert.equal((await testApp.call('POST', '/account/totp', { cookie: carl, body })).status, 403);
    assert.equal(
      (await testApp.call('GET', '/account', { cookie: carl, headers: HTML })).text.includes('totp'),
      false,
    );
    const { userId, cookie, code, logIn } = await enrol(testApp, 'anna');
    await testApp.access.users.change(userId, { role: 'customer' }, userActor('test'));
    assert.equal((await logIn()).json.code, 'TOTP_REQUIRED');
    const proof = { ...body, code: code() };
    assert.equal((await testApp.call('POST', '/account/totp/remove', { cookie, body: proof })).status, 200);
  }),
);

test(
  'accepts only recovery codes when the key file is missing',
  withTestApp(async (testApp) => {
    const { store, clock, log, dir } = testApp;
    const { code, recoveryCodes } = await enrol(testApp, 'anna');
    rmSync(join(dir, 'totp-key'));
    const options = { store, clock, log, dataDir: dir, mode: 'required' as const, env: {}, hashCost: CHEAP };
    const restored = await Access.open(options);
    const client = { ip: '127.0.9.5', userAgent: '' };
    const logIn = (typed = '') =>
      restored.logins.login({ username: 'anna', password: PASSWORD, code: typed }, client);
    await assert.rejects(logIn(code()), { code: 'TOTP_INVALID' });
    assert.ok(log.events().includes('access.totp_decrypt_failed'));
    assert.equal((await logIn(recoveryCodes[0])).username, 'anna');
    await restored.close();
  }),
);

test.run();
