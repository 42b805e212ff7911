import assert from 'node:assert/strict';
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'uvu';
import { REVOKED_PASSWORD } from '../../../../src/access/revocations/revocations.js';
import { HASH_COST, hashPassword } from '../../../../src/access/users/password-hash.js';
import { userActor } from '../../../../src/shared/actor.js';
import { openPlain } from '../../../../src/store/connection.js';
import { type Answer, CHEAP, count, PASSWORD, withTestApp } from '../test-app.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test(
  'a login returns 201 with `success`, `message` and `sessieId`, and sets the session cookie',
  withTestApp(async ({ call, addUser, port }) => {
    await addUser('anna');
    const { status, json, headers } = await call('POST', '/login', {
      body: { username: 'Anna', password: PASSWORD },
    });
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ['success', 'message', 'sessieId']);
    assert.equal(json.success, true);
    assert.match(String(json.sessieId), UUID);
    const cookie = headers['set-cookie']?.[0] ?? '';
    assert.match(cookie, new RegExp(`^sessie_p${port}=${String(json.sessieId)}\\.[\\w-]{43}; `));
    assert.match(cookie, /; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  }),
);

test(
  'a login returns 400 INVALID_INPUT when a field is missing or the password has 300 characters',
  withTestApp(async ({ call }) => {
    const bodies = [
      {},
      { username: 'anna' },
      { password: 'x' },
      { username: 1, password: 'x' },
      { username: 'anna', password: null },
      { username: 'anna', password: 'x'.repeat(300) },
      [],
    ];
    for (const body of bodies) {
      const { status, json } = await call('POST', '/login', { body });
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(json.code, 'INVALID_INPUT');
      assert.equal(typeof json.error, 'string');
      assert.equal(typeof json.message, 'string');
    }
    assert.equal((await call('POST', '/login', { body: 'not=a login' })).status, 400);
    assert.equal((await call('POST', '/login')).status, 400);
  }),
);

test(
  'returns the same 401 response for an incorrect password, an unknown username and a disabled user',
  withTestApp(async ({ call, addUser, access }) => {
    await addUser('anna');
    const { userId } = await addUser('ben');
    await access.users.change(userId, { disabled: true }, userActor('test'));
    const attempts = [
      { username: 'anna', password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      { username: 'ben', password: PASSWORD },
    ];
    const answers = await Promise.all(attempts.map((body) => call('POST', '/login', { body })));
    for (const { status, text, headers } of answers) {
      assert.equal(status, 401);
      assert.equal(text, answers[0]?.text);
      assert.equal(headers['set-cookie'], undefined);
    }
    assert.equal(answers[0]?.json.code, 'INVALID_CREDENTIALS');
  }),
);

test(
  'a login returns 500 ADD_FAILED with an `error` and a `message` when the store fails',
  withTestApp(async ({ call, addUser, store }) => {
    await addUser('anna');
    await store.close();
    const body = { username: 'anna', password: PASSWORD };
    const { status, json } = await call('POST', '/login', { body });
    assert.equal(status, 500);
    assert.deepEqual([json.code, typeof json.error], ['ADD_FAILED', 'string']);
    assert.match(String(json.message), /game/);
  }),
);

test(
  'a login redirects a browser to the page that it requested, but never to another site',
  withTestApp(async ({ call, addUser, port }) => {
    await addUser('anna');
    const headers = { accept: 'text/html', origin: `http://127.0.0.1:${port}` };
    const redirectFor = async (next: string) => {
      const body = new URLSearchParams({ username: 'anna', password: PASSWORD, next }).toString();
      const { status, headers: answered } = await call('POST', '/login', { body, headers });
      assert.equal(status, 303);
      return answered.location;
    };
    assert.equal(await redirectFor('/brokerSettings?a=1'), '/brokerSettings?a=1');
    for (const bad of ['//evil.example', 'https://evil.example/', '/\\evil.example', '/\t/evil.example']) {
      assert.equal(await redirectFor(bad), '/', bad);
    }
    assert.equal(await redirectFor('/.//evil.example'), '/');
    assert.equal(await redirectFor(''), '/');
  }),
);

test(
  'a browser receives the form again after an incorrect password, without the entered password',
  withTestApp(async ({ call }) => {
    const headers = { accept: 'text/html' };
    const page = await call('POST', '/login', { body: 'username=%3Cb%3E&password=hunter-22', headers });
    assert.equal(page.status, 401);
    assert.match(page.text, /<form method="post" action="\/login"/);
    assert.ok(page.text.includes('&lt;b&gt;') && !page.text.includes('hunter-22'));
  }),
);

test(
  'returns 429 for the sixth login attempt with one username from one address, but not from other addresses',
  withTestApp(async ({ call, addUser, clock }) => {
    await addUser('anna');
    const attempt = (password: string, from = '127.0.0.1') =>
      call('POST', '/login', { body: { username: 'anna', password }, from });
    for (let n = 0; n < 5; n += 1) assert.equal((await attempt('wrong')).status, 401);
    const blocked = await attempt(PASSWORD);
    assert.equal(blocked.status, 429);
    assert.equal(blocked.headers['retry-after'], '900');
    assert.equal((await attempt(PASSWORD, '127.0.0.2')).status, 201);
    clock.advance(900_000);
    for (let n = 0; n < 5; n += 1) assert.equal((await attempt('wrong')).status, 401);
    assert.equal((await attempt('wrong')).headers['retry-after'], '1800');
    clock.advance(1_800_000);
    assert.equal((await attempt(PASSWORD)).status, 201);
  }),
);

test(
  'hashes one password at a time when forty users log in simultaneously',
  withTestApp(
    async ({ call, addUser, access }) => {
      for (let n = 0; n < 40; n += 1) await addUser(`user ${n}`);
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const body = { username: `user ${n}`, password: PASSWORD };
          return (await call('POST', '/login', { body, from: `127.0.4.${1 + (n % 4)}` })).status;
        }),
      );
      assert.equal(access.hasher.stats.maxRunning, 1);
      assert.ok(statuses.every((status) => status === 201 || status === 429));
      assert.ok(statuses.filter((status) => status === 201).length >= 33);
    },
    { hashCost: { ln: 13, r: 8, p: 2 } },
  ),
);

/** Records N, r, p, the key length and the salt length of every scrypt call during `run`. */
async function scryptCalls(run: () => Promise<unknown>): Promise<string[]> {
  const real = crypto.scrypt;
  const work: string[] = [];
  const counting = (
    password: string,
    salt: Buffer,
    length: number,
    options: ScryptOptions,
    done: never,
  ): void => {
    work.push([options.N, options.r, options.p, length, salt.length].join(' '));
    real(password, salt, length, options, done);
  };
  Object.assign(crypto, { scrypt: counting });
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    Object.assign(crypto, { scrypt: real });
    syncBuiltinESMExports();
  }
  return work;
}

test(
  'a login with an unknown username or a disabled user computes one hash, as with an incorrect password',
  withTestApp(
    async ({ call, addUser, access }) => {
      await addUser('anna');
      const carl = await addUser('carl');
      await access.users.change(carl.userId, { disabled: true }, userActor('test'));
      const attempt = (username: string, from: string) =>
        scryptCalls(() => call('POST', '/login', { body: { username, password: 'wrong' }, from }));
      const known = await attempt('anna', '127.0.3.1');
      assert.deepEqual(known, ['32 8 1 32 16']);
      assert.deepEqual(await attempt('nobody-of-that-name', '127.0.3.2'), known);
      assert.deepEqual(await attempt('carl', '127.0.3.3'), known);
    },
    { hashCost: CHEAP },
  ),
);

for (const [what, username, password] of [
  ['a user with a second factor', 'anna', 'wrong'],
  ['a name in capitals', 'ANNA', 'wrong'],
  ['a user whose password was revoked', 'dora', PASSWORD],
  ['a disabled user with the correct password', 'carl', PASSWORD],
  ['an unknown name with a common password', 'nobody', 'password'],
  ['an unknown name of 64 characters', 'x'.repeat(64), 'wrong'],
  ['an unknown name in another script', 'Анна', 'wrong'],
  ['the name of an object property', '__proto__', 'wrong'],
] as const) {
  test(
    `a login of ${what} computes one hash and receives the same response as a wrong password`,
    withTestApp(async ({ call, addUser, access, dir }) => {
      const { userId: anna } = await addUser('anna', 'operator');
      const carl = await addUser('carl');
      const { userId: dora } = await addUser('dora');
      await access.users.change(carl.userId, { disabled: true }, userActor('test'));
      const db = openPlain(join(dir, 'cartwright.db'), 5000);
      db.prepare('UPDATE users SET password_phc = ? WHERE id = ?').run(REVOKED_PASSWORD, dora);
      db.prepare('INSERT INTO totp VALUES (?, ?, 0, 0)').run(anna, Buffer.alloc(50));
      db.close();
      const logIn = (user: string, typed: string, from: string) =>
        call('POST', '/login', { body: { username: user, password: typed }, from });
      const expected = await logIn('anna', 'wrong', '127.0.3.1');
      let found: Answer | undefined;
      const work = await scryptCalls(async () => {
        found = await logIn(username, password, '127.0.3.2');
      });
      assert.deepEqual(work, ['32 8 1 32 16']);
      assert.deepEqual([found?.status, found?.text], [expected.status, expected.text]);
    }),
  );
}

for (const username of ['anna', 'nobody']) {
  test(
    `the sixth incorrect password for the ${username === 'anna' ? 'known' : 'unknown'} username from one address returns 429 without computing a hash`,
    withTestApp(async ({ call, addUser }) => {
      await addUser('anna');
      const logIn = () => call('POST', '/login', { body: { username, password: 'wrong' } });
      for (let n = 0; n < 5; n += 1) assert.equal((await logIn()).status, 401);
      let last: Answer | undefined;
      const work = await scryptCalls(async () => {
        last = await logIn();
      });
      assert.deepEqual([last?.status, last?.headers['retry-after'], work], [429, '900', []]);
    }),
  );
}

test("hashing does not block the main thread's event loop", async () => {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await hashPassword(PASSWORD, HASH_COST);
  clearImmediate(next);
  // If hashing ran on this thread, the event loop would complete at most one iteration.
  assert.ok(turns > 10, `${turns} turns`);
});

test(
  'a login accepts a password hashed with outdated parameters and rehashes it',
  withTestApp(
    async ({ call, addUser, store }) => {
      const { userId } = await addUser('anna');
      const phc = () =>
        store.read
          .prepare<{ phc: string }>('SELECT password_phc AS phc FROM users WHERE id = @userId')
          .get({ userId })?.phc;
      const body = { username: 'anna', password: PASSWORD };
      assert.match(phc() ?? '', /ln=5,/);
      assert.equal((await call('POST', '/login', { body })).status, 201);
      assert.match(phc() ?? '', /ln=6,/);
      assert.equal((await call('POST', '/login', { body })).status, 201);
      assert.equal(count(store, 'sessions'), 2);
    },
    { hashCost: { ln: 6, r: 8, p: 1 } },
  ),
);

test.run();
