import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { atRevokedPlace, type RevokedPlace, type Running } from '../access/revoked-place.js';
import { PASSWORD } from '../access/site.js';
import { coded } from '../store/place.js';

const NEW_PASSWORD = 'a staple and four horses';
const REFUSED = coded('INVALID_CREDENTIALS');

/** The ways in which an older database comes back. */
const RETURNS = {
  'a restored backup': (place: RevokedPlace) => place.chooseBackup(),
  'recovery from a damaged file': async (place: RevokedPlace) => place.damage(),
} as const;

/** An administrator `anna`, users, a key and sessions, all of them in a backup. */
async function backedUp(place: RevokedPlace) {
  const running = await place.open();
  await running.access.users.addFirst('anna', PASSWORD, 'test');
  const eve = await running.addUser('eve', 'operator');
  const ben = await running.addUser('ben', 'operator');
  const cookie = await running.login('ben');
  const { keyId, key } = await running.access.keys.add({ name: 'robot', scopes: ['mqtt'] }, 'anna');
  await running.store.backup();
  return { running, eve, ben, cookie, keyId, key };
}

for (const [name, bringBack] of Object.entries(RETURNS)) {
  const after = async (place: RevokedPlace, running: Running): Promise<Running> => {
    await running.close();
    await bringBack(place);
    return place.open();
  };

  test(
    `a disabled user stays disabled after ${name}`,
    atRevokedPlace(async (place) => {
      const { running, eve } = await backedUp(place);
      await running.access.users.change(eve.userId, { disabled: true }, 'anna');
      const next = await after(place, running);
      assert.equal(next.access.users.list().find(({ username }) => username === 'eve')?.disabled, true);
      await assert.rejects(next.login('eve'), REFUSED);
      await next.login('ben');
    }),
  );

  test(
    `a user who was enabled again is not disabled after ${name}`,
    atRevokedPlace(async (place) => {
      const { running, eve } = await backedUp(place);
      await running.access.users.change(eve.userId, { disabled: true }, 'anna');
      await running.access.users.change(eve.userId, { disabled: false }, 'anna');
      const next = await after(place, running);
      await next.login('eve');
    }),
  );

  test(
    `a revoked key stays revoked after ${name}`,
    atRevokedPlace(async (place) => {
      const { running, keyId, key } = await backedUp(place);
      assert.ok(running.access.keys.find(key));
      await running.access.keys.revoke(keyId, 'anna');
      const next = await after(place, running);
      assert.equal(next.access.keys.find(key), undefined);
    }),
  );

  test(
    `a lowered role stays lowered after ${name}`,
    atRevokedPlace(async (place) => {
      const { running, eve, ben } = await backedUp(place);
      await running.access.users.change(eve.userId, { role: 'customer' }, 'anna');
      await running.access.users.change(ben.userId, { role: 'admin' }, 'anna');
      const next = await after(place, running);
      const roles = next.access.users.list().map(({ username, role }) => [username, role]);
      assert.deepEqual(roles, [
        ['anna', 'admin'],
        ['eve', 'customer'],
        ['ben', 'operator'],
      ]);
    }),
  );

  test(
    `a changed password does not open the door after ${name}, neither the old nor the new one`,
    atRevokedPlace(async (place) => {
      const { running, eve } = await backedUp(place);
      await running.access.users.change(eve.userId, { password: NEW_PASSWORD }, 'anna');
      const next = await after(place, running);
      await assert.rejects(next.login('eve'), REFUSED);
      await assert.rejects(next.login('eve', NEW_PASSWORD), REFUSED);
      assert.equal(
        next.access.users.list().find(({ username }) => username === 'eve')?.passwordRevoked,
        true,
      );
      assert.equal(next.access.setup.isOpen, false);
      await next.access.users.change(eve.userId, { password: NEW_PASSWORD }, 'anna');
      await next.login('eve', NEW_PASSWORD);
    }),
  );

  test(
    `every session ends after ${name}`,
    atRevokedPlace(async (place) => {
      const { running, cookie } = await backedUp(place);
      assert.ok(running.access.sessions.find(cookie));
      const next = await after(place, running);
      assert.equal(next.access.sessions.find(cookie), undefined);
      const renewed = await next.login('ben');
      await next.close();
      const again = await place.open();
      assert.ok(again.access.sessions.find(renewed), 'the start after it ends nothing');
    }),
  );

  test(
    `when the last administrator changed the password before ${name}, the setup code sets a new one`,
    atRevokedPlace(async (place) => {
      const { running } = await backedUp(place);
      const anna = running.access.users.list()[0];
      await running.access.users.change(anna?.userId ?? 0, { password: NEW_PASSWORD }, 'anna');
      await running.close();
      await bringBack(place);
      const next = await place.open({
        CARTWRIGHT_ADMIN_USER: 'anna',
        CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
      });
      await assert.rejects(next.login('anna'), REFUSED);
      const code = readFileSync(join(place.dir, 'setup-code'), 'utf8').trim();
      const password = 'the third of her passwords';
      await assert.rejects(
        next.access.setup.finish({ code, username: 'eve', password }, '::1'),
        coded('CONFLICT'),
      );
      await next.access.setup.finish({ code, username: 'Anna', password }, '::1');
      await next.login('anna', password);
      assert.equal(next.access.setup.isOpen, false);
      assert.equal(next.access.users.list().length, 3);
    }),
  );

  test(
    `the log records ${name} and what was revoked again`,
    atRevokedPlace(async (place) => {
      const { running, eve, keyId } = await backedUp(place);
      await running.access.users.change(eve.userId, { disabled: true }, 'anna');
      await running.access.keys.revoke(keyId, 'anna');
      place.log.lines.length = 0;
      const next = await after(place, running);
      const replayed = place.log.lines.filter(({ event }) => event === 'store.revocation_replayed');
      assert.deepEqual(
        replayed.map(({ fields }) => fields),
        [
          { what: 'restored', source: next.store.status().restoredFrom?.split('/').at(-1) },
          { what: 'sessions_ended', sessions: 1 },
          { what: 'user_disabled', userId: eve.userId, username: 'eve' },
          { what: 'key_revoked', keyId, name: 'robot' },
        ],
      );
      assert.match(next.store.status().notices.join(' '), /1 session.*eve.*robot/);
    }),
  );
}

test(
  'an older copy of the database that is put in its place revokes what the journal knows',
  atRevokedPlace(async (place) => {
    const { running, cookie, key, keyId } = await backedUp(place);
    await running.close();
    const file = join(place.dir, 'cartwright.db');
    const older = readFileSync(file);
    const second = await place.open();
    await second.access.sessions.end(cookie);
    await second.access.keys.revoke(keyId, 'anna');
    await second.close();
    writeFileSync(file, older);
    const next = await place.open();
    assert.equal(next.access.sessions.find(cookie), undefined);
    assert.equal(next.access.keys.find(key), undefined);
  }),
);

test(
  'a database that is lost without a backup does not bring back the first password of the environment',
  atRevokedPlace(async (place) => {
    const env = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
    const running = await place.open(env);
    const anna = running.access.users.list()[0];
    await running.access.users.change(anna?.userId ?? 0, { password: NEW_PASSWORD }, 'anna');
    await running.close();
    place.damage();
    const next = await place.open(env);
    assert.deepEqual([next.access.users.list(), next.access.setup.isOpen], [[], true]);
  }),
);

test.run();
