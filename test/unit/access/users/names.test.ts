import assert from 'node:assert/strict';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { PASSWORD, withTestApp } from '../test-app.js';

for (const [what, name] of [
  ['a leading space', ' anna'],
  ['a trailing space', 'anna '],
  ['a trailing tab', 'anna\t'],
  ['a no-break space', '\u00a0anna\u00a0'],
  ['an ideographic space', 'anna\u3000'],
] as const) {
  test(
    `ignores ${what} in the username when a user is created or logs in`,
    withTestApp(async ({ access }) => {
      const client = { ip: '192.0.2.1', userAgent: '', cookies: [] };
      const { username } = await access.users.add({ username: name, password: PASSWORD }, userActor('test'));
      assert.equal(username, 'anna');
      for (const entered of ['anna', name]) {
        const { username: loggedIn } = await access.logins.login(
          { username: entered, password: PASSWORD },
          client,
        );
        assert.equal(loggedIn, 'anna');
      }
      await assert.rejects(
        access.users.add({ username: `${name} `, password: PASSWORD }, userActor('test')),
        {
          code: 'CONFLICT',
        },
      );
    }),
  );
}

test(
  'rejects a username that consists only of spaces, but preserves spaces inside a username',
  withTestApp(async ({ access }) => {
    await assert.rejects(access.users.add({ username: ' \t ', password: PASSWORD }, userActor('test')), {
      code: 'INVALID_INPUT',
    });
    const { username } = await access.users.add(
      { username: ' Anna de Vries ', password: PASSWORD },
      userActor('test'),
    );
    assert.equal(username, 'Anna de Vries');
  }),
);

test(
  'a user whose username an earlier version stored with a leading or trailing space can still log in',
  withTestApp(async ({ access, store }) => {
    const client = { ip: '192.0.2.1', userAgent: '', cookies: [] };
    await access.users.add({ username: 'anna', password: PASSWORD }, userActor('test'));
    const account = access.users.list().find(({ username }) => username === 'anna');
    assert.ok(account);
    const { phc } = store.read
      .prepare<{ phc: string }>('SELECT password_phc AS phc FROM users WHERE id = @id')
      .get({ id: account.userId }) ?? { phc: '' };
    await store.write('access.addUser', {
      username: 'ben ',
      usernameKey: 'ben ',
      passwordPhc: phc,
      role: 'operator',
      now: 0,
      first: false,
    });
    const { username } = await access.logins.login({ username: 'ben ', password: PASSWORD }, client);
    assert.equal(username, 'ben ');
  }),
);

test(
  'the Dutch Users page shows roles in Dutch but submits their identifiers',
  withTestApp(async ({ call, addUser, login }) => {
    await addUser('root', 'admin');
    await addUser('olga', 'operator');
    const headers = { accept: 'text/html', 'accept-language': 'nl' };
    const { text } = await call('GET', '/users', { cookie: await login('root'), headers });
    const options = [...text.matchAll(/<option value="(\w+)"[^>]*>([^<]+)</g)].map((found) => found.slice(1));
    const roles = [
      ['customer', 'Klant'],
      ['operator', 'Bediener'],
      ['admin', 'Beheerder'],
    ];
    assert.deepEqual(options.slice(0, 3), roles);
    assert.match(text, /<strong>olga<\/strong> <span class="quiet">Bediener/);
    assert.doesNotMatch(text, />(customer|operator|admin)\b/);
  }),
);

test.run();
