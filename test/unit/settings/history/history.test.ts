import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { test } from 'uvu';
import { HAND_EDIT, PROGRAM, RESTART, SettingsHistory } from '../../../../src/settings/history/history.js';
import { keyActor, LAN_ACTOR, userActor } from '../../../../src/shared/actor.js';
import { systemClock } from '../../../../src/shared/clock.js';
import { idle, withTempSettings } from '../temp-settings.js';

const ANNA = userActor('Anna');

test(
  'lists versions with the author, time, reason and changes, newest first',
  withTempSettings({}, async ({ open, clock }) => {
    const settings = await open();
    clock.advance(5000);
    await settings.update({ beacons: { maxRangeM: 50 } }, { ...idle, by: ANNA });
    const [newest, first] = settings.history.list();
    assert.deepEqual([newest?.version, newest?.by, newest?.why], [2, ANNA, 'save']);
    assert.equal(newest?.atMs, clock.wallTime());
    assert.deepEqual(
      newest?.changes.map(({ pointer, from, to }) => [pointer, from, to]),
      [['/beacons/maxRangeM', 100, 50]],
    );
    assert.deepEqual([first?.why, first?.changes], ['start', []]);
  }),
);

test(
  'reads the authors of changes, even from files of earlier versions, which contain only names',
  withTempSettings({}, async ({ open, dir, log }) => {
    const settings = await open();
    const authors = [userActor('restart'), keyActor('tablet'), { ...userActor('anna'), via: 'gw-2' }];
    for (const [n, by] of authors.entries())
      await settings.update({ beacons: { maxRangeM: 50 + n } }, { ...idle, by });
    await settings.close();
    const names = ['anna', 'the operator', 'key tablet', 'restart', 'variables.json', 'a program'];
    for (const [n, by] of names.entries()) {
      const entry = { version: 10 + n, atMs: 1, by, why: 'save', changes: [], document: {} };
      const text = JSON.stringify({ ...entry, checksum: crc32(JSON.stringify(entry)) });
      writeFileSync(join(dir, 'settings-history', `000000${10 + n}.json`), text);
    }
    const history = await SettingsHistory.open({ dir, clock: systemClock, log });
    assert.deepEqual(
      history.list().map(({ by }) => by),
      [
        HAND_EDIT,
        ...authors,
        ...[userActor('anna'), LAN_ACTOR, keyActor('tablet'), RESTART, HAND_EDIT, PROGRAM],
      ].toReversed(),
    );
  }),
);

test(
  'drops and logs a version in which any byte was flipped, unless its content is intact',
  withTempSettings({}, async ({ open, dir, log }) => {
    const settings = await open();
    await settings.update({ beacons: { maxRangeM: 50 } }, idle);
    const intact = settings.history.document(2);
    const [, name = ''] = readdirSync(join(dir, 'settings-history')).toSorted();
    await settings.close();
    const path = join(dir, 'settings-history', name);
    const bytes = readFileSync(path);
    for (let offset = 0; offset < bytes.length; offset += 7) {
      const flipped = Buffer.from(bytes);
      flipped[offset] = (flipped[offset] ?? 0) ^ 0x01;
      writeFileSync(path, flipped);
      const history = await SettingsHistory.open({ dir, clock: systemClock, log });
      const isKept = history.list().some(({ version }) => version === 2);
      if (isKept) assert.deepEqual(history.document(2), intact, `byte ${offset}`);
      else assert.ok(log.events().includes('settings.history_unreadable'));
    }
  }),
);

test(
  'keeps the last 20 versions, even after a restart',
  withTempSettings({}, async ({ open, dir }) => {
    const settings = await open();
    for (let m = 1; m <= 24; m += 1) await settings.update({ beacons: { maxRangeM: m } }, idle);
    const versions = () => settings.history.list().map(({ version }) => version);
    assert.deepEqual(
      versions(),
      Array.from({ length: 20 }, (_, at) => 25 - at),
    );
    assert.equal(readdirSync(join(dir, 'settings-history')).length, 20);
    await settings.close();
    const next = await open();
    assert.deepEqual(
      next.history.list().map(({ version }) => version),
      versions(),
    );
    await next.update({ beacons: { maxRangeM: 99 } }, idle);
    assert.equal(next.history.list()[0]?.version, 26);
  }),
);

test(
  'does not store secrets in the history',
  withTempSettings({}, async ({ open, dir }) => {
    const settings = await open();
    await settings.update({ mqtt: { password: 'tulip-7' } }, idle);
    await settings.update({ mqtt: { password: 'tulip-8' } }, idle);
    const folder = join(dir, 'settings-history');
    for (const name of readdirSync(folder)) {
      assert.equal(readFileSync(join(folder, name), 'utf8').includes('tulip'), false, name);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    }
    const { changes } = settings.history.list()[0] ?? {};
    assert.deepEqual(
      changes?.map(({ from, to }) => [from, to]),
      [['***', '***']],
      'a new secret is a change',
    );
  }),
);

test(
  'restoring a version restores its values, keeps the current secret and removes entries added later',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const presets = { distance: { 1: 500 } };
    await settings.update({ mqtt: { host: 'old.lan', password: 'one' }, presets }, idle);
    await settings.update(
      { mqtt: { host: 'new.lan', password: 'two' }, presets: { distance: { 2: 9 } } },
      idle,
    );
    const patch = settings.replacing(settings.history.document(2));
    assert.deepEqual(
      settings.preview(patch).changes.map(({ pointer }) => pointer),
      ['/mqtt/host', '/presets/distance/2'],
    );
    await settings.update(patch, { ...idle, why: 'restore' });
    assert.deepEqual(settings.current.presets.distance, { 1: 500 });
    assert.deepEqual([settings.current.mqtt.host, settings.current.mqtt.password], ['old.lan', 'two']);
  }),
);

test(
  'records an edit made while the gateway was stopped, but not a start without changes',
  withTempSettings({}, async ({ open, json, write }) => {
    await (await open()).close();
    await (await open()).close();
    write(JSON.stringify({ ...json(), gateway: { name: 'Bo' } }));
    const settings = await open();
    assert.deepEqual(
      settings.history.list().map(({ why }) => why),
      ['start', 'start'],
    );
    assert.deepEqual(
      settings.history.list()[0]?.changes.map(({ pointer }) => pointer),
      ['/gateway/name'],
    );
  }),
);

test(
  'omits an unreadable version from the list and reports it as not found on request',
  withTempSettings({}, async ({ open, dir, log }) => {
    const settings = await open();
    await settings.update({ beacons: { maxRangeM: 50 } }, idle);
    await settings.close();
    writeFileSync(join(dir, 'settings-history', '00000001.json'), 'torn');
    const next = await open();
    assert.deepEqual(
      next.history.list().map(({ version }) => version),
      [2],
    );
    assert.ok(log.events().includes('settings.history_unreadable'));
    assert.throws(() => next.history.document(1), /version 1 of the settings does not exist/);
  }),
);

test(
  'a preview marks risky changes but changes nothing',
  withTempSettings({}, async ({ open, read }) => {
    const settings = await open();
    const before = [read(), settings.etag];
    assert.equal(settings.preview({ limits: { ttlMs: 3000 } }).isRisky, true);
    assert.equal(settings.preview({ beacons: { maxRangeM: 9 } }).isRisky, false);
    assert.equal(settings.preview({ gateway: { name: 'Bo' } }).isRisky, false);
    assert.equal(settings.preview({ gateway: { name: 'Bo', fleet: 'b' } }).isRisky, true);
    assert.throws(() => settings.preview({ limits: { ttlMs: 'soon' } }), /ttlMs/);
    assert.deepEqual([read(), settings.etag], before);
  }),
);

test.run();
