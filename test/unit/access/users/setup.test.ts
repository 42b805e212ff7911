import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { Access } from '../../../../src/access/access.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { hasCode } from '../../../helpers/has-code.js';
import { CHEAP, count, PASSWORD, withTestApp } from '../test-app.js';

test(
  'a gateway without users logs a setup code and writes it to a file with mode 0600',
  withTestApp(async ({ access, call, dir, log, store }) => {
    assert.equal(count(store, 'users'), 0);
    access.setup.announce('http://cart:3000');
    const { url } = log.lines.find(({ event }) => event === 'access.setup_announced')?.fields ?? {};
    const file = join(dir, 'setup-code');
    const code = readFileSync(file, 'utf8').trim();
    assert.match(code, /^([0-9a-f]{4}-){3}[0-9a-f]{4}$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(url, `http://cart:3000/setup?code=${code}`);
    const page = await call('GET', `/setup?code=${code}`, { headers: { accept: 'text/html' } });
    assert.ok(page.text.includes(`value="${code}"`));
    assert.equal(
      (await call('GET', '/login', { headers: { accept: 'text/html' } })).headers.location,
      '/setup',
    );
  }),
);

const CHOSEN = '0123-4567-89ab-cdef';

test(
  'a setup code that was chosen before the first start creates the administrator',
  withTestApp(
    async ({ call, dir }) => {
      assert.equal(readFileSync(join(dir, 'setup-code'), 'utf8').trim(), CHOSEN);
      const body = { code: CHOSEN, username: 'root', password: PASSWORD };
      assert.equal(
        (await call('POST', '/setup', { body: { ...body, code: '0123-4567-89ab-cdee' } })).status,
        403,
      );
      assert.equal((await call('POST', '/setup', { body })).status, 201);
      assert.equal((await call('POST', '/setup', { body: { ...body, username: 'thief' } })).status, 409);
    },
    { setupCode: CHOSEN },
  ),
);

test(
  'the gateway does not start when the chosen setup code is easy to guess',
  withTestApp(async ({ store, clock, log, dir }) => {
    const options = { store, clock, log, dataDir: dir, mode: 'required', hashCost: CHEAP, env: {} } as const;
    for (const setupCode of ['1234', 'cartwright', '0123-4567-89AB-cdef', '0123-4567-89ab-cdef-'])
      await assert.rejects(Access.open({ ...options, setupCode }), hasCode('CONFIG_INVALID'));
  }),
);

test(
  'the login page redirects to the setup page on a trusted network while no user exists',
  withTestApp(
    async ({ call, addUser }) => {
      const login = () => call('GET', '/login', { headers: { accept: 'text/html' } });
      assert.equal((await login()).headers.location, '/setup');
      await addUser('root', 'admin');
      assert.equal((await login()).status, 200);
    },
    { mode: 'trusted-lan' },
  ),
);

test(
  'the setup code creates one administrator, starts a session and is removed',
  withTestApp(async ({ call, dir, store }) => {
    const code = readFileSync(join(dir, 'setup-code'), 'utf8').trim();
    const body = { code, username: 'root', password: PASSWORD };
    const [first, second] = await Promise.all([
      call('POST', '/setup', { body }),
      call('POST', '/setup', { body: { ...body, username: 'thief' } }),
    ]);
    assert.deepEqual([first.status, second.status].toSorted(), [201, 409]);
    const { cookie } = first.status === 201 ? first : second;
    assert.equal((await call('GET', '/users', { cookie })).status, 200);
    assert.equal(count(store, 'users'), 1);
    assert.equal(existsSync(join(dir, 'setup-code')), false);
    assert.equal((await call('POST', '/setup', { body })).status, 409);
    assert.equal((await call('GET', '/setup')).headers.location, '/login');
  }),
);

test(
  'an incorrect code, an expired code or a weak password does not create a user',
  withTestApp(async ({ call, dir, store, clock }) => {
    const code = readFileSync(join(dir, 'setup-code'), 'utf8').trim();
    const attempt = async (body: object) =>
      (await call('POST', '/setup', { body: { code, username: 'root', password: PASSWORD, ...body } }))
        .status;
    assert.equal(await attempt({ code: '0000-0000-0000-0000' }), 403);
    for (const password of ['short', 'password1', 'PASSWORD1', 'x'.repeat(257)]) {
      assert.equal(await attempt({ password }), 400, password);
    }
    assert.equal(await attempt({ username: 'root user', password: 'Root User' }), 400);
    clock.advance(24 * 3_600_000);
    assert.equal(await attempt({}), 403);
    assert.equal(count(store, 'users'), 0);
  }),
);

test(
  'limits incorrect setup codes per address',
  withTestApp(async ({ call, dir, clock }) => {
    const right = readFileSync(join(dir, 'setup-code'), 'utf8').trim();
    const attempt = (code: string, from: string) =>
      call('POST', '/setup', { body: { code, username: 'root', password: PASSWORD }, from });
    for (let n = 0; n < 30; n += 1)
      assert.equal((await attempt('0000-0000-0000-0000', '127.0.0.2')).status, 403);
    for (const code of ['0000-0000-0000-0001', right]) {
      const blocked = await attempt(code, '127.0.0.2');
      assert.deepEqual([blocked.status, blocked.headers['retry-after']], [429, '10']);
    }
    clock.advance(10_000);
    assert.deepEqual(
      [
        (await attempt('0000-0000-0000-0002', '127.0.0.2')).status,
        (await attempt(right, '127.0.0.2')).status,
      ],
      [403, 429],
    );
    assert.equal((await attempt(right, '127.0.0.3')).status, 201);
  }),
);

test(
  'counts only incorrect setup codes towards the rate limit of requests that replace the data',
  withTestApp(async ({ access, dir }) => {
    const right = readFileSync(join(dir, 'setup-code'), 'utf8').trim();
    const wrong = '0000-0000-0000-0000';
    for (let n = 0; n < 100; n += 1) access.setup.authorise(right, '127.0.0.2');
    for (let n = 0; n < 30; n += 1) {
      assert.throws(() => access.setup.authorise(wrong, '127.0.0.2'), hasCode('FORBIDDEN'));
    }
    for (const code of [wrong, right, '']) {
      assert.throws(() => access.setup.authorise(code, '127.0.0.2'), hasCode('RATE'));
    }
    access.setup.authorise(right, '127.0.0.3');
  }),
);

test(
  'rejects a request that replaces the data when its setup code has expired or an administrator exists',
  withTestApp(async ({ access, addUser, clock, dir }) => {
    const code = readFileSync(join(dir, 'setup-code'), 'utf8').trim();
    const authorise = () => access.setup.authorise(code, '127.0.0.2');
    authorise();
    await addUser('root', 'admin');
    assert.throws(authorise, hasCode('FORBIDDEN'));
    clock.advance(24 * 3_600_000);
    assert.throws(authorise, hasCode('FORBIDDEN'));
  }),
);

const ENV = { CARTWRIGHT_ADMIN_USER: 'root', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };

test(
  'environment variables create the first administrator only once',
  withTestApp(
    async ({ access, store, clock, log, dir, login }) => {
      assert.deepEqual(
        access.users.list().map(({ username, role }) => [username, role]),
        [['root', 'admin']],
      );
      assert.equal(existsSync(join(dir, 'setup-code')), false);
      const env = { ...ENV, CARTWRIGHT_ADMIN_PASSWORD: 'another password' };
      const options = { store, clock, log, dataDir: dir, mode: 'required', hashCost: CHEAP } as const;
      const again = await Access.open({ ...options, env });
      assert.equal(count(store, 'users'), 1);
      await again.close();
      assert.ok(await login('root'));
    },
    { env: ENV },
  ),
);

test(
  'the gateway does not start when the environment variables for the administrator are incomplete',
  withTestApp(async ({ store, clock, log, dir }) => {
    const options = { store, clock, log, dataDir: dir, mode: 'required', hashCost: CHEAP } as const;
    await assert.rejects(Access.open({ ...options, env: { CARTWRIGHT_ADMIN_USER: 'root' } }), {
      code: 'CONFIG_INVALID',
    });
    assert.equal(count(store, 'users'), 0);
  }),
);

test(
  'a gateway with a read-only store does not create a setup code, and rejects every code with a reason',
  withTestApp(async ({ store, clock, log, dir }) => {
    const before = readFileSync(join(dir, 'setup-code'), 'utf8');
    const status = () => ({ ...store.status(), readOnly: true, reason: 'the file system is read-only' });
    const readOnly: Store = {
      read: store.read,
      unwritableReason: 'the file system is read-only',
      wasReplaced: false,
      write: (name, args) => store.write(name, args),
      status,
      onCommit: (listener) => store.onCommit(listener),
      onBackupFailed: (listener) => store.onBackupFailed(listener),
      acknowledgeLostWrites: () => store.acknowledgeLostWrites(),
      confirmRestore: () => store.confirmRestore(),
      backup: () => store.backup(),
      close: () => store.close(),
    };
    const base = { store: readOnly, clock, log, dataDir: dir, mode: 'required', hashCost: CHEAP } as const;
    const access = await Access.open({ ...base, env: ENV });
    assert.equal(readFileSync(join(dir, 'setup-code'), 'utf8'), before);
    const form = { code: before.trim(), username: 'root', password: PASSWORD };
    await assert.rejects(access.setup.finish(form, '127.0.0.1'), { code: 'STORE_FAILED' });
    assert.equal(count(store, 'users'), 0);
    await access.close();
  }),
);

test(
  'an administrator adds users with a form, but cannot demote or disable the last administrator',
  withTestApp(
    async ({ call, login, port, store }) => {
      const cookie = await login('root');
      const headers = { accept: 'text/html', origin: `http://127.0.0.1:${port}` };
      const body = 'username=anna&password=correct+horse+battery&role=operator';
      const added = await call('POST', '/users', { cookie, headers, body });
      assert.deepEqual([added.status, added.headers.location], [303, '/users?done=user-added']);
      const page = await call('GET', '/users', { cookie, headers });
      assert.match(page.text, /anna/);
      assert.doesNotMatch(page.text, /scrypt|\{\{/);
      const twice = await call('POST', '/users', { cookie, headers, body: body.replace('anna', 'ANNA') });
      assert.equal(twice.status, 409);
      assert.match(twice.text, /with this name already exists/);
      const disabled = await call('POST', '/users/2', { cookie, headers, body: 'disabled=true' });
      assert.equal(disabled.status, 303);
      for (const patch of [{ role: 'operator' }, { disabled: true }]) {
        const { status, json } = await call('PATCH', '/users/1', { cookie, body: patch });
        assert.deepEqual([status, json.code], [409, 'CONFLICT']);
      }
      assert.equal((await call('PATCH', '/users/9', { cookie, body: { role: 'admin' } })).status, 404);
      assert.equal((await call('PATCH', '/users/1', { cookie, body: { userId: 2 } })).status, 400);
      assert.equal(count(store, 'users'), 2);
    },
    { env: ENV },
  ),
);

for (const [name, form, role] of [
  ['a weak password', { username: 'bo', password: 'password1', role: 'customer' }, 'customer'],
  ['a name in use', { username: 'root', password: PASSWORD, role: 'admin' }, 'admin'],
  ['a name that is too long', { username: 'b'.repeat(65), password: PASSWORD, role: 'customer' }, 'customer'],
  ['an unknown role', { username: 'bo', password: PASSWORD, role: 'chief' }, 'operator'],
] as const) {
  test(
    `the form for a new user keeps the name and the role, but not the password, after ${name}`,
    withTestApp(
      async ({ call, login, port }) => {
        const cookie = await login('root');
        const headers = { accept: 'text/html', origin: `http://127.0.0.1:${port}` };
        const body = new URLSearchParams(form).toString();
        const { status, text } = await call('POST', '/users', { cookie, headers, body });
        assert.ok(status === 400 || status === 409, String(status));
        assert.ok(text.includes(`name="username" value="${form.username}"`));
        const select = /<select id="new-role"[\s\S]*?<\/select>/.exec(text)?.[0] ?? '';
        assert.deepEqual(
          [...select.matchAll(/<option value="(\w+)" selected>/g)].map(([, selected]) => selected),
          [role],
        );
        assert.equal(text.includes(form.password), false);
      },
      { env: ENV },
    ),
  );
}

test.run();
