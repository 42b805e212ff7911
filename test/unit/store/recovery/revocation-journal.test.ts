import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { replayAccess } from '../../../../src/access/revocations/replay.js';
import { accessWrites } from '../../../../src/access/writes.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { writeDatabase } from '../../../../src/store/connection.js';
import { ON_READ_ONLY } from '../../../../src/store/disk-errors.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { startDatabase } from '../../../../src/store/recovery/open-database.js';
import { openReadOnlyStore } from '../../../../src/store/recovery/read-only.js';
import { readRevocations, rewriteRevocations } from '../../../../src/store/recovery/revocation-file.js';
import { until } from '../../../helpers/until.js';
import { type TempAccess, withTempAccess } from '../../access/temp-access.js';
import { PASSWORD } from '../../access/test-app.js';
import { hasErrorCode } from '../temp-store.js';
import { flipByte } from './crash-image.js';

const journalIn = ({ dir }: TempAccess): string => join(dir, 'revocations.journal');

async function withBackup(temp: TempAccess) {
  const running = await temp.open();
  await running.access.users.addFirst('anna', PASSWORD, userActor('test'));
  const eve = await running.addUser('eve', 'operator');
  await running.store.backup();
  return { running, eve };
}

async function isDisabled(temp: TempAccess): Promise<boolean | undefined> {
  const next = await temp.open();
  return next.access.users.list().find(({ username }) => username === 'eve')?.disabled;
}

test(
  'only the owner can access the journal, which contains no names, passwords or keys',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(
      eve.userId,
      { disabled: true, password: 'another password' },
      userActor('anna'),
    );
    const { key, keyId } = await running.access.keys.add(
      { name: 'robot', scopes: ['mqtt'] },
      userActor('anna'),
    );
    await running.access.keys.revoke(keyId, userActor('anna'));
    assert.equal(statSync(journalIn(temp)).mode & 0o777, 0o600);
    const text = readFileSync(journalIn(temp), 'utf8');
    assert.equal(text.split('\n').length, 4);
    for (const secret of ['eve', 'robot', key, 'scrypt']) assert.equal(text.includes(secret), false, secret);
  }),
);

test(
  'the journal does not contain rejected changes',
  withTempAccess(async (temp) => {
    const { running } = await withBackup(temp);
    const anna = running.access.users.list()[0]?.userId ?? 0;
    await assert.rejects(
      running.access.users.change(anna, { disabled: true }, userActor('anna')),
      hasErrorCode('CONFLICT'),
    );
    await assert.rejects(running.access.keys.revoke(99, userActor('anna')), hasErrorCode('NOT_FOUND'));
    assert.deepEqual(readRevocations(journalIn(temp)).entries, []);
  }),
);

test(
  'startup completes the journal if the process was killed between the commit and the journal write',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.close();
    const { db } = await startDatabase(temp.dir, STORE_LIMITS, true, { replay: replayAccess });
    accessWrites['access.changeUser'](writeDatabase(db), { userId: eve.userId, disabled: true, now: 1 });
    db.close();
    assert.equal(readRevocations(journalIn(temp)).entries.length, 0);
    await (await temp.open()).close();
    assert.equal(readRevocations(journalIn(temp)).entries.length, 1);
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  'replaces an incomplete line left by a power cut',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await running.close();
    truncateSync(journalIn(temp), statSync(journalIn(temp)).size - 20);
    const next = await temp.open();
    assert.deepEqual(next.store.status().notices, []);
    await next.close();
    const { entries, end, bytes } = readRevocations(journalIn(temp));
    assert.deepEqual([entries.length, end], [1, bytes]);
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  'reports a damaged journal, keeps it under a different name and rebuilds it',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await running.access.users.change(eve.userId, { role: 'customer' }, userActor('anna'));
    await running.close();
    const text = readFileSync(journalIn(temp), 'utf8');
    writeFileSync(journalIn(temp), text.replace('disabled', 'diSabled'));
    const next = await temp.open();
    assert.match(
      next.store.status().notices.join(' '),
      /revocation journal was damaged \(unreadable lines: 1\)/,
    );
    assert.ok(temp.log.events().includes('store.notice_issued'));
    await next.close();
    assert.equal(readFileSync(journalIn(temp), 'utf8'), text);
    assert.ok(readdirSync(temp.dir).some((name) => name.startsWith('revocations.journal.damaged-')));
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  'keeps every entry, or reports damage, when any byte of the journal is flipped',
  withTempAccess(async (temp) => {
    const path = journalIn(temp);
    const entry = { subject: 'user 1', what: 'disabled', value: '1' };
    const entries = [1, 2].map((sequence) => ({ ...entry, sequence }));
    rewriteRevocations(path, entries);
    const intact = readFileSync(path);
    for (let offset = 0; offset < intact.length; offset += 1) {
      writeFileSync(path, intact);
      flipByte(path, offset);
      const found = readRevocations(path);
      if (found.damagedLines === 0) assert.deepEqual(found.entries, entries, `byte ${offset}`);
    }
  }),
);

test(
  'reports a missing journal and rebuilds it',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await running.close();
    rmSync(journalIn(temp));
    const next = await temp.open();
    assert.match(next.store.status().notices.join(' '), /revocation journal was missing/);
    await next.close();
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  'does not acknowledge revocations while the journal cannot be written, and reports the reason',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    rmSync(journalIn(temp), { force: true });
    mkdirSync(journalIn(temp));
    const change = running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await assert.rejects(change, hasErrorCode('STORE_FAILED', /not known whether.*revocation journal/));
    assert.match(textOf(running.store.status().reason), /revocation journal/);
    rmdirSync(journalIn(temp));
    await until(() => running.store.status().healthy);
    assert.equal(readRevocations(journalIn(temp)).entries.length, 1);
  }),
);

test(
  'compaction limits the size of the journal and preserves the latest state of each user and key',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    const { userId } = eve;
    const write = (disabled: boolean) =>
      running.store.write('access.changeUser', { userId, disabled, now: 1 });
    for (let n = 0; n < 500; n += 1) await write(n % 2 === 0);
    await write(true);
    const { entries } = readRevocations(journalIn(temp));
    assert.ok(entries.length < 300, `${entries.length} lines`);
    assert.deepEqual([entries.at(-1)?.what, entries.at(-1)?.value], ['disabled', '1']);
    assert.equal(statSync(journalIn(temp)).mode & 0o777, 0o600);
    await running.close();
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  'an interrupted compaction does not change the journal',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await running.close();
    appendFileSync(`${journalIn(temp)}.tmp`, 'partial');
    await temp.chooseBackup();
    assert.equal(await isDisabled(temp), true);
  }),
);

test(
  "a user who receives a revoked user's ID after a restore keeps access",
  withTempAccess(async (temp) => {
    const { running } = await withBackup(temp);
    const first = await running.addUser('mallory');
    await running.access.users.change(first.userId, { disabled: true }, userActor('anna'));
    await running.close();
    await temp.chooseBackup();
    const second = await temp.open();
    const frank = await second.addUser('frank');
    assert.equal(frank.userId, first.userId);
    await second.store.backup();
    await second.close();
    await temp.chooseBackup();
    await (await temp.open()).login('frank');
  }),
);

test(
  'applies the revocation journal to a read-only store',
  withTempAccess(async (temp) => {
    const { running, eve } = await withBackup(temp);
    await running.access.users.change(eve.userId, { disabled: true }, userActor('anna'));
    await running.close();
    temp.damage();
    const scratch = mkdtempSync(join(tmpdir(), 'cartwright-scratch-'));
    const { dir, log } = temp;
    const options = { dir, log, cause: ON_READ_ONLY, limits: STORE_LIMITS, replay: replayAccess };
    const store = openReadOnlyStore({ ...options, env: { RUNTIME_DIRECTORY: scratch } });
    try {
      const sql = "SELECT disabled_at IS NOT NULL AS off FROM users WHERE username = 'eve'";
      assert.deepEqual(store.read.prepare(sql).get(), { off: 1 });
      assert.match(store.status().notices.join(' '), /user eve disabled/);
    } finally {
      await store.close();
      rmSync(scratch, { recursive: true });
    }
  }),
);

test.run();
