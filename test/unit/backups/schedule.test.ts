import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { inspectBackup } from '../../../src/backups/archive.js';
import { GatewayBackups } from '../../../src/backups/gateway-backups.js';
import { BackupSchedule } from '../../../src/backups/schedule.js';
import { userActor } from '../../../src/shared/actor.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { hasCode } from '../../helpers/has-code.js';
import { ObservableClock } from '../../helpers/observable-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { until } from '../../helpers/until.js';
import { PASSPHRASE, type Sample, withSample } from './sample.js';

const test = suite('backup schedule');

const ANNA = userActor('anna');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAILY = { every: 'day', passphrase: PASSPHRASE, include: ['tls'] } as const;

interface Opened {
  schedule: BackupSchedule;
  clock: ObservableClock;
  log: RecordingLog;
  file: string;
  /** The events in the history. */
  events: string[];
  failures: string[];
  /** Thrown by the next backups. */
  fault: { error: GatewayError | undefined };
  /** Number of attempts to make a backup. */
  attempts: () => number;
}

async function open({ dir }: Sample, clock = new ObservableClock()): Promise<Opened> {
  const log = new RecordingLog();
  const backups = await GatewayBackups.open({
    dir,
    clock,
    log,
    database: {
      async snapshot(path) {
        await copyFile(join(dir, 'cartwright.db'), path);
        return { path, schemaVersion: 23, tables: { users: 1 } };
      },
    },
    facts: () => ({ gateway: 'gw-1', cartId: 7, version: '0.3.0', schemaVersion: 23 }),
  });
  const fault: Opened['fault'] = { error: undefined };
  let attempts = 0;
  const events: string[] = [];
  const schedule = await BackupSchedule.open({
    dir,
    clock,
    log,
    backups: {
      makeWith(...made) {
        attempts += 1;
        return fault.error ? Promise.reject(fault.error) : backups.makeWith(...made);
      },
    },
    record: (event) => events.push(event),
  });
  const failures: string[] = [];
  schedule.onFailed((reason) => failures.push(textOf(reason)));
  const file = join(dir, 'backup-schedule.json');
  return { schedule, clock, log, file, events, failures, fault, attempts: () => attempts };
}

test(
  'makes a backup that can be opened with the passphrase, although only the key is stored',
  withSample(async (sample) => {
    const { schedule, clock, events, file } = await open(sample);
    await schedule.set(DAILY, ANNA);
    const stored = readFileSync(file, 'utf8');
    assert.doesNotMatch(stored, new RegExp(PASSPHRASE));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    clock.advance(5000);
    await until(() => schedule.view()?.last !== null);
    const name = schedule.view()?.last?.name ?? '';
    const path = join(sample.dir, 'gateway-backups', name);
    assert.deepEqual((await inspectBackup({ path, passphrase: PASSPHRASE })).include, ['tls']);
    await assert.rejects(inspectBackup({ path, passphrase: 'another one' }), hasCode('BACKUP_PASSPHRASE'));
    assert.deepEqual(events, ['backup.scheduled', 'backup.made']);
    assert.equal(textOf(schedule.fault), '');
  }),
);

test(
  'the schedule continues after a restart, and the next backup is made when it is due',
  withSample(async (sample) => {
    const clock = new ObservableClock();
    const first = await open(sample, clock);
    await first.schedule.set(DAILY, ANNA);
    await first.schedule.makeScheduled('update', ANNA);
    first.schedule.close();
    const { schedule, attempts } = await open(sample, clock);
    assert.deepEqual(schedule.view(), first.schedule.view());
    clock.advance(HOUR_MS);
    assert.equal(attempts(), 0);
    clock.advance(26 * HOUR_MS);
    await until(() => schedule.view()?.last?.name !== first.schedule.view()?.last?.name);
  }),
);

test(
  'reports a failed scheduled backup once, retries and recovers',
  withSample(async (sample) => {
    const { schedule, clock, failures, fault, log, attempts } = await open(sample);
    await schedule.set(DAILY, ANNA);
    fault.error = new GatewayError('STORE_FULL', 'the disk is full');
    clock.advance(300_000);
    await until(() => failures.length === 1);
    clock.advance(900_000);
    await until(() => attempts() === 2);
    assert.deepEqual(failures, ['the disk is full']);
    assert.equal(log.lines.filter(({ event }) => event === 'backup_schedule.backup_failed').length, 1);
    assert.match(textOf(schedule.fault), /failed: the disk is full/);
    fault.error = undefined;
    clock.advance(900_000);
    await until(() => textOf(schedule.fault) === '');
    assert.notEqual(schedule.view()?.last, null);
  }),
);

test(
  'does not report a failure while another backup is being made',
  withSample(async (sample) => {
    const { schedule, clock, failures, fault, attempts } = await open(sample);
    await schedule.set(DAILY, ANNA);
    fault.error = new GatewayError('BUSY', 'another backup is being made');
    clock.advance(300_000);
    await until(() => attempts() === 1);
    await schedule.set(DAILY, ANNA);
    assert.deepEqual([failures, textOf(schedule.fault)], [[], '']);
  }),
);

test(
  'the schedule is overdue when the latest backup is older than two intervals',
  withSample(async (sample) => {
    const { schedule, clock, fault } = await open(sample);
    await schedule.set(DAILY, ANNA);
    fault.error = new GatewayError('BUSY', 'another backup is being made');
    clock.advance(2 * DAY_MS);
    assert.equal(schedule.view()?.isOverdue, false);
    clock.advance(1000);
    assert.equal(schedule.view()?.isOverdue, true);
    assert.match(textOf(schedule.fault), /overdue/);
  }),
);

test(
  'the schedule is overdue when the latest backup is more than a day in the future, and makes the next backup',
  withSample(async (sample) => {
    const { schedule, clock, attempts } = await open(sample);
    await schedule.set(DAILY, ANNA);
    await schedule.makeScheduled('update', ANNA);
    clock.stepWallTime(-DAY_MS);
    assert.equal(schedule.view()?.isOverdue, false);
    clock.stepWallTime(-365 * DAY_MS);
    assert.equal(schedule.view()?.isOverdue, true);
    assert.match(textOf(schedule.fault), /overdue/);
    clock.advance(HOUR_MS);
    await until(() => schedule.view()?.isOverdue === false);
    assert.equal(attempts(), 2);
  }),
);

test(
  'turning the schedule off deletes the key, and no further backups are made',
  withSample(async (sample) => {
    const { schedule, clock, file, attempts } = await open(sample);
    await assert.rejects(schedule.turnOff(ANNA), hasCode('NOT_FOUND'));
    await schedule.set(DAILY, ANNA);
    await schedule.turnOff(ANNA);
    assert.equal(existsSync(file), false);
    assert.equal(schedule.view(), undefined);
    assert.equal(await schedule.makeScheduled('update', ANNA), undefined);
    clock.advance(DAY_MS);
    assert.equal(attempts(), 0);
  }),
);

test(
  'a schedule whose file is unreadable is off and needs attention until it is turned off or set again',
  withSample(async (sample) => {
    writeFileSync(join(sample.dir, 'backup-schedule.json'), '{"every":"day","key":"00');
    const { schedule, file } = await open(sample);
    assert.equal(schedule.view(), undefined);
    assert.match(textOf(schedule.fault), /unreadable/);
    await schedule.turnOff(ANNA);
    assert.deepEqual([textOf(schedule.fault), existsSync(file)], ['', false]);
  }),
);

test.run();
