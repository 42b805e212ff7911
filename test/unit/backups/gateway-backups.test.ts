import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { extractBackup } from '../../../src/backups/archive.js';
import { type GatewayBackup, GatewayBackups } from '../../../src/backups/gateway-backups.js';
import { newBackupOf, passphraseOf } from '../../../src/backups/schema.js';
import { userActor } from '../../../src/shared/actor.js';
import { textOf } from '../../../src/shared/messages/message.js';
import type { DatabaseSnapshot } from '../../../src/shared/ports/backups.js';
import { hasCode } from '../../helpers/has-code.js';
import { ObservableClock } from '../../helpers/observable-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { bytesOf, FILES, filesIn, PASSPHRASE, type Sample, withSample } from './sample.js';

const test = suite('gateway backups');
const ANNA = userActor('anna');
const NAME = 'cartwright-gw-2-20260504T120000Z.cwbackup';

interface Opened {
  backups: GatewayBackups;
  clock: ObservableClock;
  log: RecordingLog;
  folder: string;
}

type Copy = (path: string) => Promise<void>;

/** Opens the backups of the sample's data directory. `copy` makes the copy of the database. */
async function open({ dir }: Sample, copy?: Copy, schemaVersion = 23, cartId = 7): Promise<Opened> {
  const clock = new ObservableClock();
  const log = new RecordingLog();
  const snapshot = async (path: string): Promise<DatabaseSnapshot> => {
    await (copy ?? ((target) => copyFile(join(dir, 'cartwright.db'), target)))(path);
    return { path, schemaVersion: 23, tables: { users: 1 } };
  };
  const facts = () => ({ gateway: 'Kar één / 1', cartId, version: '0.3.0', schemaVersion });
  const backups = await GatewayBackups.open({ dir, clock, log, database: { snapshot }, facts });
  return { backups, clock, log, folder: join(dir, 'gateway-backups') };
}

const namesOf = (list: readonly GatewayBackup[]): string[] => list.map(({ name }) => name);

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

/** Sends a whole file, in parts of `partBytes`. */
async function upload({ backups }: Opened, name: string, bytes: Buffer, partBytes = bytes.length) {
  for (let first = 0; ; first += partBytes) {
    const part = bytes.subarray(first, first + partBytes);
    const range = { first, last: first + part.length - 1, total: bytes.length };
    const stored = await backups.upload(name, range, chunksOf(part), ANNA);
    if (range.last === bytes.length - 1) return stored;
    assert.deepEqual(stored, { received: range.last + 1, bytes: bytes.length });
  }
}

test(
  'creates a private file named after the gateway and reports its contents',
  withSample(async (sample) => {
    const { backups, clock, log, folder } = await open(sample);
    const made = await backups.make(PASSPHRASE, ['photos'], ANNA);
    assert.match(made.name, /^cartwright-Kar-e-e-n-1-000001-\d{8}T\d{6}Z\.cwbackup$/);
    const path = await backups.pathOf(made.name);
    const file = readFileSync(path);
    assert.deepEqual(
      [made.bytes, made.sha256],
      [file.length, createHash('sha256').update(file).digest('hex')],
    );
    assert.deepEqual(await backups.list(), [
      {
        name: made.name,
        bytes: file.length,
        at: Math.floor(clock.wallTime() / 1000) * 1000,
        uploaded: false,
        usb: false,
      },
    ]);
    assert.deepEqual(readdirSync(folder), [made.name]);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(
      made.contents.find(({ what }) => what === 'camera'),
      { what: 'camera', files: 1, bytes: 300_000 },
    );
    const [line] = log.lines.filter(({ event }) => event === 'gateway_backup.made');
    assert.deepEqual([line?.fields?.name, line?.fields?.by], [made.name, 'anna']);
    assert.doesNotMatch(JSON.stringify(log.lines), new RegExp(PASSPHRASE));
    const into = join(sample.work, 'into');
    await extractBackup({ path, passphrase: PASSPHRASE, into });
    assert.deepEqual(filesIn(into)['cartwright.db'], FILES['cartwright.db']);
  }),
);

test(
  'keeps the latest three backups, and never deletes a new one even if the clock was set back',
  withSample(async (sample) => {
    const { backups, clock } = await open(sample);
    const made: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      clock.advance(60_000);
      made.push((await backups.make(PASSPHRASE, [], ANNA)).name);
    }
    assert.deepEqual(namesOf(await backups.list()), made.slice(1).toReversed());
    clock.stepWallTime(-86_400_000);
    for (let n = 0; n < 3; n += 1) {
      made.push((await backups.make(PASSPHRASE, [], ANNA)).name);
      assert.deepEqual(namesOf(await backups.list()).toSorted(), made.slice(-3).toSorted());
    }
  }),
);

test(
  'gives different names to backups made within the same second',
  withSample(async (sample) => {
    const { backups } = await open(sample);
    const [first, second] = [
      await backups.make(PASSPHRASE, [], ANNA),
      await backups.make(PASSPHRASE, [], ANNA),
    ];
    assert.notEqual(first.name, second.name);
    assert.equal((await backups.list()).length, 2);
  }),
);

test(
  'runs one job at a time and rejects others with BUSY',
  withSample(async (sample) => {
    let release = (): void => {};
    let held = Promise.resolve();
    const copied = join(sample.dir, 'cartwright.db');
    const { backups } = await open(sample, async (path) => {
      await held;
      await copyFile(copied, path);
    });
    const { name } = await backups.make(PASSPHRASE, [], ANNA);
    held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const second = backups.make(PASSPHRASE, [], ANNA);
    await assert.rejects(backups.make(PASSPHRASE, [], ANNA), hasCode('BUSY'));
    await assert.rejects(backups.inspect(name, PASSPHRASE), hasCode('BUSY'));
    await assert.rejects(backups.remove(name, ANNA), hasCode('BUSY'));
    release();
    await second;
    assert.equal((await backups.inspect(name, PASSPHRASE)).manifest.gateway, 'Kar één / 1');
  }),
);

test(
  'rejects an unknown backup with NOT_FOUND, even during another job',
  withSample(async (sample) => {
    const { backups } = await open(sample);
    const first = backups.make(PASSPHRASE, [], ANNA);
    await assert.rejects(backups.inspect('none', PASSPHRASE), hasCode('NOT_FOUND'));
    await assert.rejects(backups.remove('none', ANNA), hasCode('NOT_FOUND'));
    await first;
  }),
);

test(
  'leaves no file behind when a backup fails, and keeps the earlier backups',
  withSample(async (sample) => {
    const opened = await open(sample);
    const { name } = await opened.backups.make(PASSPHRASE, [], ANNA);
    const failing = await open(sample, async (path) => {
      writeFileSync(path, 'half');
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28 });
    });
    await assert.rejects(failing.backups.make(PASSPHRASE, [], ANNA), hasCode('STORE_FULL'));
    assert.deepEqual(readdirSync(opened.folder), [name]);
    await assert.rejects(failing.backups.make('', [], ANNA), hasCode('BACKUP_PASSPHRASE'));
  }),
);

test(
  'never lists unfinished files, and deletes them at the next start',
  withSample(async (sample) => {
    const folder = join(sample.dir, 'gateway-backups');
    mkdirSync(join(folder, 'uploads'), { recursive: true });
    const left = [`${NAME}.part`, `${NAME}.db.part`, `${NAME}.db.part-journal`, `uploads/${NAME}.part`];
    const { backups } = await open(sample);
    for (const name of left) writeFileSync(join(folder, name), 'half');
    assert.deepEqual(await backups.list(), []);
    await open(sample);
    assert.deepEqual(
      left.filter((name) => existsSync(join(folder, name))),
      [],
    );
  }),
);

test(
  'stores an uploaded backup after its last part, under its own name, and replaces the previous upload',
  withSample(async (sample) => {
    const opened = await open(sample);
    const bytes = readFileSync((await sample.make()).path);
    const stored = await upload(opened, NAME, bytes, 1_000_000);
    const at = Date.UTC(2026, 4, 4, 12);
    assert.deepEqual(stored, { name: NAME, bytes: bytes.length, at, uploaded: true, usb: false });
    assert.deepEqual(readFileSync(await opened.backups.pathOf(NAME)), bytes);
    const { manifest, problems } = await opened.backups.inspect(NAME, PASSPHRASE);
    // The names may differ, because a gateway on a new SD card does not have its name yet.
    assert.deepEqual([manifest.gateway, problems], ['gw-1', []]);
    const elsewhere = await open(sample, undefined, undefined, 8);
    assert.deepEqual((await elsewhere.backups.inspect(NAME, PASSPHRASE)).problems.map(textOf), [
      'The backup belongs to another gateway: gw-1, cart 7.',
    ]);

    const other = 'cartwright-gw-2-20260505T120000Z.cwbackup';
    await upload(opened, other, bytes);
    assert.deepEqual(namesOf(await opened.backups.list()), [other]);
    const { name } = await opened.backups.make(PASSPHRASE, [], ANNA);
    assert.deepEqual(namesOf(await opened.backups.list()).toSorted(), [name, other].toSorted());
    await assert.rejects(upload(opened, name, bytes), hasCode('CONFLICT'));
  }),
);

test(
  'rejects uploads that are not backups and parts that do not continue the upload',
  withSample(async (sample) => {
    const opened = await open(sample);
    const { backups, folder } = opened;
    const bytes = readFileSync((await sample.make()).path);
    for (const name of ['../x', 'x.cwbackup', `${NAME}x`, 'cartwright-a b-20260504T120000Z.cwbackup', '']) {
      await assert.rejects(upload(opened, name, bytes), hasCode('INVALID_INPUT'));
    }
    await assert.rejects(upload(opened, NAME, bytesOf(100_000, 1)), hasCode('BACKUP_DAMAGED'));
    await assert.rejects(upload(opened, NAME, bytes.subarray(0, 40)), hasCode('BACKUP_DAMAGED'));
    const begin = { first: 0, last: 9, total: 100 };
    const next = { first: 10, last: 19, total: 100 };
    await backups.upload(NAME, begin, chunksOf(bytes.subarray(0, 10)), ANNA);
    const other = 'cartwright-gw-3-20260504T120000Z.cwbackup';
    const part = bytes.subarray(10, 20);
    await assert.rejects(backups.upload(other, next, chunksOf(part), ANNA), hasCode('CONFLICT'));
    await assert.rejects(
      backups.upload(NAME, { ...next, first: 11 }, chunksOf(part), ANNA),
      hasCode('CONFLICT'),
    );
    const huge = { first: 0, last: 9, total: 2 ** 50 };
    await assert.rejects(
      backups.upload(NAME, huge, chunksOf(bytes.subarray(0, 10)), ANNA),
      hasCode('TOO_LARGE'),
    );
    assert.deepEqual(readdirSync(join(folder, 'uploads')), []);
    assert.deepEqual(await backups.list(), []);
  }),
);

test(
  'deletes an upload that receives no data for ten minutes',
  withSample(async (sample) => {
    const { backups, clock, folder } = await open(sample);
    const bytes = readFileSync((await sample.make()).path);
    await backups.upload(
      NAME,
      { first: 0, last: 99, total: bytes.length },
      chunksOf(bytes.subarray(0, 100)),
      ANNA,
    );
    assert.deepEqual(readdirSync(join(folder, 'uploads')), [`${NAME}.part`]);
    clock.advance(600_000);
    const next = { first: 100, last: 199, total: bytes.length };
    await assert.rejects(
      backups.upload(NAME, next, chunksOf(bytes.subarray(100, 200)), ANNA),
      hasCode('CONFLICT'),
    );
  }),
);

test(
  'inspection reports damage, a wrong passphrase and a newer schema, and changes nothing',
  withSample(async (sample) => {
    const { backups } = await open(sample);
    const { name } = await backups.make(PASSPHRASE, [], ANNA);
    const before = filesIn(sample.dir);
    const found = await backups.inspect(name, PASSPHRASE);
    assert.deepEqual(found.problems, []);
    assert.deepEqual(found.manifest.tables, { users: 1 });
    await assert.rejects(backups.inspect(name, ''), hasCode('BACKUP_PASSPHRASE'));
    await assert.rejects(backups.inspect(name, 'incorrect horse battery'), hasCode('BACKUP_PASSPHRASE'));
    await assert.rejects(backups.inspect(NAME, PASSPHRASE), hasCode('NOT_FOUND'));
    const older = await open(sample, undefined, 22);
    await assert.rejects(older.backups.inspect(name, PASSPHRASE), hasCode('BACKUP_NEWER'));
    assert.deepEqual(filesIn(sample.dir), before);
    const path = await backups.pathOf(name);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
    writeFileSync(path, bytes);
    await assert.rejects(backups.inspect(name, PASSPHRASE), hasCode('BACKUP_DAMAGED'));
  }),
);

test(
  'deletes a backup by name',
  withSample(async (sample) => {
    const { backups } = await open(sample);
    const { name } = await backups.make(PASSPHRASE, [], ANNA);
    await assert.rejects(backups.remove(`../${name}`, ANNA), hasCode('NOT_FOUND'));
    await backups.remove(name, ANNA);
    assert.deepEqual(await backups.list(), []);
    await assert.rejects(backups.remove(name, ANNA), hasCode('NOT_FOUND'));
  }),
);

test(
  'closing ends the work in progress and rejects new work',
  withSample(async (sample) => {
    const { backups } = await open(sample);
    const making = backups.make(PASSPHRASE, [], ANNA);
    await backups.close();
    await assert.rejects(making, hasCode('CANCELLED'));
    await assert.rejects(backups.make(PASSPHRASE, [], ANNA), hasCode('STOPPING'));
    assert.deepEqual(await backups.list(), []);
  }),
);

test(
  'closing deletes an unfinished upload',
  withSample(async (sample) => {
    const { backups, folder } = await open(sample);
    const bytes = readFileSync((await sample.make()).path);
    const part = { first: 0, last: 99, total: bytes.length };
    await backups.upload(NAME, part, chunksOf(bytes.subarray(0, 100)), ANNA);
    await backups.close();
    assert.deepEqual(readdirSync(join(folder, 'uploads')), []);
  }),
);

test('a passphrase has 12 to 256 characters and must be entered twice in a form', () => {
  const emoji = '🚲'.repeat(12);
  for (const passphrase of ['a'.repeat(12), 'a'.repeat(256), emoji]) {
    assert.deepEqual(newBackupOf({ passphrase }), { passphrase });
  }
  assert.deepEqual(newBackupOf({}), {});
  assert.equal(passphraseOf({}), '');
  const invalid = [
    { passphrase: 'a'.repeat(11) },
    { passphrase: 'a'.repeat(257) },
    { passphrase: PASSPHRASE, repeat: '' },
    { passphrase: PASSPHRASE, repeat: `${PASSPHRASE} ` },
    { passphrase: 1 },
    { include: ['all'] },
    { include: ['tls', 'tls'] },
    { other: 1 },
    [],
  ];
  for (const input of invalid) assert.throws(() => newBackupOf(input), hasCode('INVALID_INPUT'));
});

test.run();
