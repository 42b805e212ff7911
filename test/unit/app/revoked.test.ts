import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { userActor } from '../../../src/shared/actor.js';
import { type OpenAccess, type TempAccess, withTempAccess } from '../access/temp-access.js';
import { PASSWORD } from '../access/test-app.js';
import { hasErrorCode } from '../store/temp-store.js';

const NEW_PASSWORD = 'a staple and four horses';
const REFUSED = hasErrorCode('INVALID_CREDENTIALS');

/** Events that replace the database with an older one. */
const RETURNS = {
  'a restored backup': (temp: TempAccess) => temp.chooseBackup(),
  'an uploaded backup': (temp: TempAccess) => temp.chooseUpload(),
  'recovery from a damaged file': async (temp: TempAccess) => temp.damage(),
} as const;

/** Creates the administrator `anna`, other users, an API key and a session, then a backup that contains them. */
async function backedUp(temp: TempAccess) {
  const running = await temp.open();
  await running.access.users.addFirst('anna', PASSWORD, userActor('test'));
  const eve = await running.addUser('eve', 'operator');
  const ben = await running.addUser('ben', 'operator');
  const cookie = await running.login('ben');
  const { keyId, key } = await running.access.keys.add(
    { name: 'robot', scopes: ['mqtt'] },
    userActor('anna'),
  );
  await running.store.backup();
  return { running, eve, ben, cookie, keyId, key };
}

for (const [name, bringBack] of Object.entries(RETURNS)) {
  const after = async (temp: TempAccess, running: OpenAccess): Promise<OpenAccess> => {
    await running.close();
    await bringBack(temp);
    return temp.open();
  };

  test(
    `a disabled user stays disabled after ${name}`,
    withTempAccess(async (temp) => {
      const { running, eve } = await backedUp(temp);
      await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
      const next = await after(temp, running);
      assert.equal(next.access.users.list().find(({ username }) => username === 'eve')?.disabled, true);
      await assert.rejects(next.login('eve'), REFUSED);
      await next.login('ben');
    }),
  );

  test(
    `a re-enabled user stays enabled after ${name}`,
    withTempAccess(async (temp) => {
      const { running, eve } = await backedUp(temp);
      await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
      await running.access.users.change(eve.userId, { disabled: false }, userActor('anna'));
      const next = await after(temp, running);
      await next.login('eve');
    }),
  );

  test(
    `a revoked key stays revoked after ${name}`,
    withTempAccess(async (temp) => {
      const { running, keyId, key } = await backedUp(temp);
      assert.ok(running.access.keys.find(key));
      await running.access.keys.revoke(keyId, userActor('anna'));
      const next = await after(temp, running);
      assert.equal(next.access.keys.find(key), undefined);
    }),
  );

  test(
    `a user whose role was lowered keeps the lower role after ${name}`,
    withTempAccess(async (temp) => {
      const { running, eve, ben } = await backedUp(temp);
      await running.access.users.change(eve.userId, { role: 'customer' }, userActor('anna'));
      await running.access.users.change(ben.userId, { role: 'admin' }, userActor('anna'));
      const next = await after(temp, running);
      const roles = next.access.users.list().map(({ username, role }) => [username, role]);
      assert.deepEqual(roles, [
        ['anna', 'admin'],
        ['eve', 'customer'],
        ['ben', 'operator'],
      ]);
    }),
  );

  test(
    `rejects both the old and the new password of a user after ${name}`,
    withTempAccess(async (temp) => {
      const { running, eve } = await backedUp(temp);
      await running.access.users.change(eve.userId, { password: NEW_PASSWORD }, userActor('anna'));
      const next = await after(temp, running);
      await assert.rejects(next.login('eve'), REFUSED);
      await assert.rejects(next.login('eve', NEW_PASSWORD), REFUSED);
      assert.equal(
        next.access.users.list().find(({ username }) => username === 'eve')?.passwordRevoked,
        true,
      );
      assert.equal(next.access.setup.isOpen, false);
      await next.access.users.change(eve.userId, { password: NEW_PASSWORD }, userActor('anna'));
      await next.login('eve', NEW_PASSWORD);
    }),
  );

  test(
    `every session ends after ${name}`,
    withTempAccess(async (temp) => {
      const { running, cookie } = await backedUp(temp);
      assert.ok(running.access.sessions.find(cookie));
      const next = await after(temp, running);
      assert.equal(next.access.sessions.find(cookie), undefined);
      const renewed = await next.login('ben');
      await next.close();
      const again = await temp.open();
      assert.ok(again.access.sessions.find(renewed), 'a further start ends no sessions');
    }),
  );

  test(
    `the setup code sets a new password after ${name} when the only administrator had changed their password`,
    withTempAccess(async (temp) => {
      const { running } = await backedUp(temp);
      const anna = running.access.users.list()[0];
      await running.access.users.change(anna?.userId ?? 0, { password: NEW_PASSWORD }, userActor('anna'));
      await running.close();
      await bringBack(temp);
      const next = await temp.open({
        CARTWRIGHT_ADMIN_USER: 'anna',
        CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
      });
      await assert.rejects(next.login('anna'), REFUSED);
      const code = readFileSync(join(temp.dir, 'setup-code'), 'utf8').trim();
      const password = 'the third of her passwords';
      await assert.rejects(
        next.access.setup.finish({ code, username: 'eve', password }, '::1'),
        hasErrorCode('CONFLICT'),
      );
      await next.access.setup.finish({ code, username: 'Anna', password }, '::1');
      await next.login('anna', password);
      assert.equal(next.access.setup.isOpen, false);
      assert.equal(next.access.users.list().length, 3);
    }),
  );

  test(
    `logs ${name} and the replayed revocations`,
    withTempAccess(async (temp) => {
      const { running, eve, keyId } = await backedUp(temp);
      await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
      await running.access.keys.revoke(keyId, userActor('anna'));
      temp.log.lines.length = 0;
      const next = await after(temp, running);
      const replayed = temp.log.lines.filter(({ event }) => event === 'store.revocation_replayed');
      assert.deepEqual(
        replayed.map(({ fields }) => fields),
        [
          { what: 'restored', source: next.store.status().restoredFrom?.split('/').at(-1) },
          { what: 'sessions_ended', sessions: 1 },
          { what: 'user_disabled', userId: eve.userId, username: 'eve' },
          { what: 'key_revoked', keyId, name: 'robot' },
        ],
      );
      const { notices, information } = next.store.status();
      assert.match([...notices, ...information].join(' '), /1 session.*eve.*robot/);
    }),
  );
}

test(
  'replays the revocation journal on an older copy of the database',
  withTempAccess(async (temp) => {
    const { running, cookie, key, keyId } = await backedUp(temp);
    await running.close();
    const file = join(temp.dir, 'cartwright.db');
    const older = readFileSync(file);
    const second = await temp.open();
    await second.access.sessions.end(cookie);
    await second.access.keys.revoke(keyId, userActor('anna'));
    await second.close();
    writeFileSync(file, older);
    const next = await temp.open();
    assert.equal(next.access.sessions.find(cookie), undefined);
    assert.equal(next.access.keys.find(key), undefined);
  }),
);

test(
  'does not restore the initial password from the environment after a database loss',
  withTempAccess(async (temp) => {
    const env = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
    const running = await temp.open(env);
    const anna = running.access.users.list()[0];
    await running.access.users.change(anna?.userId ?? 0, { password: NEW_PASSWORD }, userActor('anna'));
    await running.close();
    temp.damage();
    const next = await temp.open(env);
    assert.deepEqual([next.access.users.list(), next.access.setup.isOpen], [[], true]);
  }),
);

test.run();
