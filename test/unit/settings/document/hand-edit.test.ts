import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import type { SettingsRoom } from '../../../../src/settings/document/settings.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { idle, inPlace, moving, type Place } from '../room.js';

/** Opens a room that watches, edits the file and turns the clock until the edit has been looked at. */
async function edited(place: Place, edit: () => void, isIdle = idle.isIdle): Promise<SettingsRoom> {
  const room = await place.open();
  room.watch(isIdle);
  await settled(room);
  await seen(place, room, edit, isIdle);
  return room;
}

async function seen(
  { clock }: Place,
  room: SettingsRoom,
  edit: () => void,
  isIdle = idle.isIdle,
): Promise<void> {
  const timer = clock.nextTimer();
  edit();
  await timer;
  clock.advance(300);
  await settled(room, isIdle);
}

/** A refused update comes after everything that is under way, and changes nothing. */
async function settled(room: SettingsRoom, isIdle = idle.isIdle): Promise<void> {
  await room.update('nothing', { isIdle }).catch(() => {});
}

const edit = (members: object) => JSON.stringify(members);

test(
  'an edit by hand is taken, completed and told like an update',
  inPlace({}, async (place) => {
    const before = place.log.lines.length;
    const room = await edited(place, () => place.write(edit({ limits: { maxSpeedMmps: 150 } })));
    assert.equal(room.current.limits.maxSpeedMmps, 150);
    assert.deepEqual(place.json(), room.current);
    assert.ok(place.log.events().slice(before).includes('settings.changed'));
    assert.deepEqual(room.faults, []);
  }),
);

test(
  'an edit by renaming, as editors save, is noticed every time',
  inPlace({}, async (place) => {
    const save = (ttlMs: number) => () => {
      writeFileSync(join(place.dir, '.variables.json.swp'), edit({ limits: { ttlMs } }));
      renameSync(join(place.dir, '.variables.json.swp'), join(place.dir, 'variables.json'));
    };
    const room = await edited(place, save(700));
    assert.equal(room.current.limits.ttlMs, 700);
    await seen(place, room, save(800));
    assert.equal(room.current.limits.ttlMs, 800);
  }),
);

for (const [name, text, path] of [
  ['not JSON', '{"limits": ', 'variables.json'],
  ['not valid', edit({ limits: { ttlMs: 1 }, beacons: { maxRangeM: 5 } }), 'variables.json:/limits/ttlMs'],
  ['empty', '', 'variables.json'],
] as const) {
  test(
    `an edit that is ${name} is a fault, the old settings stay, and the next save keeps it as .broken`,
    inPlace({}, async (place) => {
      const room = await edited(place, () => place.write(text));
      assert.deepEqual([room.current.limits.ttlMs, room.current.beacons.maxRangeM], [2000, 100]);
      assert.deepEqual(
        room.faults.map((fault) => fault.path),
        [path],
      );
      assert.equal(room.invalidReason, '');
      await room.update({ limits: { ttlMs: 500 } }, idle);
      assert.deepEqual(room.faults, []);
      if (text) assert.equal(place.read('variables.json.broken'), text);
    }),
  );
}

test(
  'an edit of a held section while the cart moves waits until it stands still, and stands in the way of updates',
  inPlace({}, async (place) => {
    let isStill = false;
    const text = edit({ serial: { retries: 4 } });
    const room = await edited(
      place,
      () => place.write(text),
      () => isStill,
    );
    assert.equal(room.current.serial.retries, 2);
    assert.match(
      textOf(room.faults[0]?.message ?? ''),
      /waits: serial can only be changed while the cart stands still/,
    );
    const update = await room
      .update({ beacons: { maxRangeM: 5 } }, moving)
      .catch((thrown: unknown) => thrown);
    assert.ok(update instanceof GatewayError);
    assert.equal(update.code, 'NOT_IDLE');
    assert.equal(place.read(), text);

    isStill = true;
    const taken = place.log.next('settings.changed');
    place.clock.advance(1000);
    await taken;
    assert.deepEqual([room.current.serial.retries, room.faults], [4, []]);
  }),
);

test(
  'an update takes an edit with it that the watch has not noticed yet',
  inPlace({}, async (place) => {
    const room = await place.open();
    place.write(edit({ limits: { ttlMs: 600 } }));
    await room.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.deepEqual([room.current.limits.ttlMs, room.current.beacons.maxRangeM], [600, 5]);
  }),
);

test(
  'a masked password in an edit is the old one, in the file too',
  inPlace({ 'variables.json': edit({ mqtt: { password: 'old' } }) }, async (place) => {
    const room = await edited(place, () => place.write(edit({ mqtt: { password: '***', username: 'bo' } })));
    assert.deepEqual([await room.password(), room.current.mqtt.username], ['old', 'bo']);
    assert.match(place.read(), /"password": "old"/);
  }),
);

test(
  'its own writes are no edits',
  inPlace({}, async (place) => {
    const room = await place.open();
    room.watch(idle.isIdle);
    await settled(room);
    let changes = 0;
    room.onChange(() => {
      changes += 1;
    });
    const timer = place.clock.nextTimer();
    await room.update({ beacons: { maxRangeM: 5 } }, idle);
    const { etag } = room;
    const text = place.read();
    await timer;
    place.clock.advance(300);
    await settled(room);
    assert.deepEqual([changes, room.etag, place.read(), room.faults], [1, etag, text, []]);
  }),
);

test(
  'a removed file is a fault, and the next save brings it back',
  inPlace({}, async (place) => {
    const room = await edited(place, () => rmSync(join(place.dir, 'variables.json')));
    assert.match(textOf(room.faults[0]?.message ?? ''), /removed/);
    await room.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.deepEqual([place.json(), room.faults], [room.current, []]);
  }),
);

test(
  'a directory that cannot be watched is a fault, and everything else goes on',
  inPlace({}, async (place) => {
    const room = await place.open();
    rmSync(place.dir, { recursive: true });
    room.watch(idle.isIdle);
    assert.match(textOf(room.faults[0]?.message ?? ''), /cannot be watched/);
    mkdirSync(place.dir);
    await room.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.equal(place.json().schemaVersion, 1);
  }),
);

test(
  'after close no timer is left',
  inPlace({}, async (place) => {
    const room = await place.open();
    room.watch(idle.isIdle);
    await settled(room);
    const timer = place.clock.nextTimer();
    place.write(edit({}));
    await timer;
    await room.close();
    assert.equal(place.clock.timers, 0);
  }),
);

test.run();
