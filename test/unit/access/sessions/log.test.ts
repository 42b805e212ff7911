import assert from 'node:assert/strict';
import { test } from 'uvu';
import { PASSWORD, type TestApp, withTestApp } from '../test-app.js';

const ip = '127.0.0.1';

function logged({ log }: TestApp, event: string) {
  return log.lines.filter((line) => line.event === event).map(({ level, fields }) => ({ level, ...fields }));
}

test(
  'logs the user and the address of every login and logout',
  withTestApp(async (app) => {
    const { userId } = await app.addUser('anna');
    const { cookie } = await app.call('POST', '/login', { body: { username: 'anna', password: PASSWORD } });
    await app.call('POST', '/logout', { cookie });
    await app.call('POST', '/logout', { cookie });
    const who = { level: 'info', userId, username: 'anna', ip };
    assert.deepEqual(logged(app, 'access.logged_in'), [{ ...who, factor: 'none' }]);
    assert.deepEqual(logged(app, 'access.logged_out'), [who], 'only the logout that ended a session');
    const again = await app.call('POST', '/login', { body: { username: 'anna', password: PASSWORD } });
    await app.call('POST', '/logout/everywhere', { cookie: again.cookie });
    assert.deepEqual(logged(app, 'access.logged_out_everywhere'), [{ ...who, ended: 1 }]);
  }),
);

test(
  'logs failed logins and rejected API keys without the password, the key or an unknown username',
  withTestApp(async (app) => {
    await app.addUser('anna');
    const wrong = 'not the right password';
    await app.call('POST', '/login', { body: { username: 'anna', password: wrong } });
    await app.call('POST', '/login', { body: { username: wrong, password: wrong } });
    const key = `gk_00000000_${'A'.repeat(43)}`;
    await app.call('GET', '/beacons', { headers: { 'x-api-key': key } });
    assert.deepEqual(logged(app, 'access.login_failed'), [
      { level: 'warn', username: 'anna', ip },
      { level: 'warn', ip },
    ]);
    assert.deepEqual(logged(app, 'access.key_rejected'), [{ level: 'warn', ip }]);
    const all = JSON.stringify(app.log.lines);
    assert.ok(!all.includes(wrong) && !all.includes(key));
  }),
);

test.run();
