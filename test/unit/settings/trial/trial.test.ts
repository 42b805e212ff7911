import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import type { SettingsRoom } from '../../../../src/settings/document/settings.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { idle, moving, type TempSettings, withTempSettings } from '../temp-settings.js';

const onTrial = { ...idle, by: 'Anna', onTrial: true };
const AWAY = { mqtt: { broker: 'external', host: '192.0.2.1' } };
const host = (room: SettingsRoom) => room.current.mqtt.host;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'taken',
    (error) => error.code,
  );
const trialFile = ({ dir }: TempSettings) => existsSync(join(dir, 'variables.json.trial'));

/** Until everything that was under way in the room has ended. */
const settled = (room: SettingsRoom) => code(room.update({}, idle));

test(
  'a change that could cut off whoever made it is undone after 60 s',
  withTempSettings({}, async (temp) => {
    const { open, clock, json, log } = temp;
    const room = await open();
    const before = json();
    await room.update(AWAY, onTrial);
    assert.equal(host(room), '192.0.2.1', 'it is in force at once');
    clock.advance(59_000);
    const view = room.trial.view();
    assert.deepEqual([view?.by, textOf(view?.what ?? ''), view?.leftMs], ['Anna', 'MQTT broker', 1000]);
    const undone = log.next('settings.rolled_back');
    clock.advance(1000);
    await undone;
    assert.deepEqual(json(), before);
    assert.deepEqual([host(room), room.trial.view(), trialFile(temp)], ['127.0.0.1', undefined, false]);
  }),
);

test(
  'a confirmed change stays, through the minute and through a start',
  withTempSettings({}, async (temp) => {
    const { open, clock } = temp;
    const room = await open();
    await room.update(AWAY, onTrial);
    await room.trial.confirm(room.trial.view()?.id ?? '', 'Anna');
    clock.advance(120_000);
    await settled(room);
    assert.deepEqual([host(room), trialFile(temp), clock.timers], ['192.0.2.1', false, 0]);
    await room.close();
    assert.equal(host(await open()), '192.0.2.1');
  }),
);

test(
  'it can be undone at once',
  withTempSettings({}, async ({ open, clock }) => {
    const room = await open();
    await room.update(AWAY, onTrial);
    await room.trial.rollBack(room.trial.view()?.id ?? '', { ...idle, by: 'Bo' });
    assert.deepEqual([host(room), room.trial.view(), clock.timers], ['127.0.0.1', undefined, 0]);
    assert.deepEqual(
      room.history.list().map(({ why, by }) => [why, by]),
      [
        ['rollback', 'Bo'],
        ['save', 'Anna'],
        ['start', 'variables.json'],
      ],
    );
  }),
);

test(
  'only what is on trial can be confirmed or undone, and only once',
  withTempSettings({}, async ({ open }) => {
    const room = await open();
    assert.equal(await code(room.trial.confirm('', 'Anna')), 'CONFLICT');
    await room.update(AWAY, onTrial);
    const id = room.trial.view()?.id ?? '';
    assert.equal(await code(room.trial.confirm('other', 'Anna')), 'CONFLICT');
    await room.trial.confirm(id, 'Anna');
    assert.equal(await code(room.trial.rollBack(id, { ...idle, by: 'Anna' })), 'CONFLICT');
    assert.equal(host(room), '192.0.2.1');
  }),
);

test(
  'a change without such risk, or without asking for a trial, is made for good',
  withTempSettings({}, async (temp) => {
    const { open } = temp;
    const room = await open();
    await room.update({ beacons: { maxRangeM: 9 } }, onTrial);
    await room.update({ limits: { ttlMs: 900 } }, idle);
    assert.deepEqual([room.trial.view(), trialFile(temp)], [undefined, false]);
  }),
);

test(
  'while one change waits a second trial is refused, and what is changed for good outlives the rollback',
  withTempSettings({}, async ({ open, clock, log }) => {
    const room = await open();
    await room.update(AWAY, onTrial);
    assert.equal(await code(room.update({ limits: { ttlMs: 900 } }, onTrial)), 'CONFLICT');
    await room.update({ mqtt: { keepaliveS: 20 } }, idle);
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    assert.deepEqual([host(room), room.current.mqtt.keepaliveS], ['127.0.0.1', 20]);
  }),
);

test(
  'where the two do not fit together the sections are as they were',
  withTempSettings({}, async ({ open, clock, log }) => {
    const room = await open({ initial: AWAY });
    await room.update({ mqtt: { broker: 'embedded' } }, onTrial);
    // The embedded broker may take any port, the external one that comes back may not.
    await room.update({ mqtt: { port: 0 } }, idle);
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    assert.deepEqual([room.current.mqtt.broker, room.current.mqtt.port], ['external', 1883]);
  }),
);

test(
  'while the cart moves the rollback waits until it stands',
  withTempSettings({}, async ({ open, clock, log }) => {
    const room = await open();
    let isIdle = true;
    await room.update({ limits: { maxSpeedMmps: 100 } }, { ...onTrial, isIdle: () => isIdle });
    isIdle = false;
    const waits = log.next('settings.rollback_waits');
    clock.advance(60_000);
    await waits;
    assert.deepEqual([room.current.limits.maxSpeedMmps, room.trial.view()?.leftMs], [100, 0]);
    const id = room.trial.view()?.id ?? '';
    assert.equal(await code(room.trial.rollBack(id, { ...moving, by: 'Anna' })), 'NOT_IDLE');
    isIdle = true;
    const undone = log.next('settings.rolled_back');
    clock.advance(1000);
    await undone;
    assert.equal(room.current.limits.maxSpeedMmps, 300);
  }),
);

test(
  'what nobody had confirmed is undone at the next start, before anything uses it',
  withTempSettings({}, async (temp) => {
    const { open, json } = temp;
    const room = await open();
    const before = json();
    await room.update(AWAY, onTrial);
    await room.close();
    assert.equal(trialFile(temp), true);
    const next = await open();
    assert.deepEqual([host(next), json(), trialFile(temp)], ['127.0.0.1', before, false]);
    assert.equal(next.history.list()[0]?.why, 'rollback');
    assert.deepEqual(next.faults, []);
  }),
);

test(
  'after a power cut between the record and the change nothing is lost and nothing is left',
  withTempSettings({}, async (temp) => {
    const { open, dir, json, write, read } = temp;
    const room = await open();
    const old = read();
    await room.update(AWAY, onTrial);
    await room.close();
    // As the disk would be: the record is there, the change is not.
    write(old);
    const next = await open();
    assert.deepEqual([host(next), trialFile(temp)], ['127.0.0.1', false]);
    assert.deepEqual(json(), JSON.parse(old));
    assert.equal(existsSync(join(dir, 'variables.json.broken')), false);
  }),
);

test(
  'a record that cannot be read keeps nobody from starting',
  withTempSettings({ 'variables.json.trial': '{"id": "a"' }, async ({ open, log }) => {
    const room = await open();
    assert.equal(host(room), '127.0.0.1');
    assert.ok(log.events().includes('settings.trial_unreadable'));
  }),
);

test(
  'a change that could not be saved is not on trial',
  withTempSettings({}, async (temp) => {
    const room = await temp.open();
    const update = room.update({ limits: { ttlMs: 900 } }, { ...onTrial, isIdle: answers(true, false) });
    assert.equal(await code(update), 'NOT_IDLE');
    assert.deepEqual([room.trial.view(), trialFile(temp)], [undefined, false]);
  }),
);

test(
  'when its record cannot be written the change is not made',
  withTempSettings({}, async ({ open, dir }) => {
    const room = await open();
    mkdirSync(join(dir, 'variables.json.trial', 'in-the-way'), { recursive: true });
    assert.equal(await code(room.update(AWAY, onTrial)), 'WRITE_FAILED');
    assert.deepEqual([host(room), room.trial.view()], ['127.0.0.1', undefined]);
  }),
);

test(
  'its record is for nobody else to read',
  withTempSettings({}, async ({ open, dir }) => {
    const room = await open();
    await room.update({ mqtt: { password: 'tulip' } }, onTrial);
    assert.equal(statSync(join(dir, 'variables.json.trial')).mode & 0o777, 0o600);
  }),
);

/** `isIdle` that answers in turn. */
function answers(...list: boolean[]): () => boolean {
  return () => list.shift() ?? false;
}

test.run();
