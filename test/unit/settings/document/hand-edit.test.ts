import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import type { SettingsService } from '../../../../src/settings/document/settings.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { idle, moving, type TempSettings, withTempSettings } from '../temp-settings.js';

/** Opens the settings, watches the file, edits it and advances the clock until the edit is processed. */
async function edited(temp: TempSettings, edit: () => void, isIdle = idle.isIdle): Promise<SettingsService> {
  const settings = await temp.open();
  settings.watch(isIdle);
  await settled(settings);
  await performEdit(temp, settings, edit, isIdle);
  return settings;
}

async function performEdit(
  { clock }: TempSettings,
  settings: SettingsService,
  edit: () => void,
  isIdle = idle.isIdle,
): Promise<void> {
  const timer = clock.nextTimer();
  edit();
  await timer;
  clock.advance(300);
  await settled(settings, isIdle);
}

/** Waits for pending work by queuing an invalid update after it; the update changes nothing. */
async function settled(settings: SettingsService, isIdle = idle.isIdle): Promise<void> {
  await settings.update('nothing', { isIdle }).catch(() => {});
}

const edit = (members: object) => JSON.stringify(members);

test(
  'applies, completes and reports a manual edit in the same way as an update',
  withTempSettings({}, async (temp) => {
    const before = temp.log.lines.length;
    const settings = await edited(temp, () => temp.write(edit({ limits: { maxSpeedMmps: 150 } })));
    assert.equal(settings.current.limits.maxSpeedMmps, 150);
    assert.deepEqual(temp.json(), settings.current);
    assert.ok(temp.log.events().slice(before).includes('settings.changed'));
    assert.deepEqual(settings.faults, []);
  }),
);

test(
  'detects every edit that is saved by renaming a temporary file',
  withTempSettings({}, async (temp) => {
    const save = (ttlMs: number) => () => {
      writeFileSync(join(temp.dir, '.variables.json.swp'), edit({ limits: { ttlMs } }));
      renameSync(join(temp.dir, '.variables.json.swp'), join(temp.dir, 'variables.json'));
    };
    const settings = await edited(temp, save(700));
    assert.equal(settings.current.limits.ttlMs, 700);
    await performEdit(temp, settings, save(800));
    assert.equal(settings.current.limits.ttlMs, 800);
  }),
);

for (const [name, text, path] of [
  ['not JSON', '{"limits": ', 'variables.json'],
  ['not valid', edit({ limits: { ttlMs: 1 }, beacons: { maxRangeM: 5 } }), 'variables.json:/limits/ttlMs'],
  ['empty', '', 'variables.json'],
] as const) {
  test(
    `rejects an edit that is ${name}, keeps the settings and saves the edit as .broken at the next save`,
    withTempSettings({}, async (temp) => {
      const settings = await edited(temp, () => temp.write(text));
      assert.deepEqual([settings.current.limits.ttlMs, settings.current.beacons.maxRangeM], [2000, 100]);
      assert.deepEqual(
        settings.faults.map((fault) => fault.path),
        [path],
      );
      assert.equal(settings.invalidReason, '');
      await settings.update({ limits: { ttlMs: 500 } }, idle);
      assert.deepEqual(settings.faults, []);
      if (text) assert.equal(temp.read('variables.json.broken'), text);
    }),
  );
}

test(
  'defers an edit to an idle-only section while the cart moves, and rejects updates until then',
  withTempSettings({}, async (temp) => {
    let isIdle = false;
    const text = edit({ serial: { retries: 4 } });
    const settings = await edited(
      temp,
      () => temp.write(text),
      () => isIdle,
    );
    assert.equal(settings.current.serial.retries, 2);
    assert.match(
      textOf(settings.faults[0]?.message ?? ''),
      /deferred: serial can be changed only while the cart is stationary/,
    );
    const update = await settings
      .update({ beacons: { maxRangeM: 5 } }, moving)
      .catch((thrown: unknown) => thrown);
    assert.ok(update instanceof GatewayError);
    assert.equal(update.code, 'NOT_IDLE');
    assert.equal(temp.read(), text);

    isIdle = true;
    const applied = temp.log.next('settings.changed');
    temp.clock.advance(1000);
    await applied;
    assert.deepEqual([settings.current.serial.retries, settings.faults], [4, []]);
  }),
);

test(
  'an update includes a manual edit that has not been detected yet',
  withTempSettings({}, async (temp) => {
    const settings = await temp.open();
    temp.write(edit({ limits: { ttlMs: 600 } }));
    await settings.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.deepEqual([settings.current.limits.ttlMs, settings.current.beacons.maxRangeM], [600, 5]);
  }),
);

test(
  'a masked password in a manual edit preserves the stored password and restores it in the file',
  withTempSettings({ 'variables.json': edit({ mqtt: { password: 'old' } }) }, async (temp) => {
    const settings = await edited(temp, () =>
      temp.write(edit({ mqtt: { password: '***', username: 'bo' } })),
    );
    assert.deepEqual([await settings.password(), settings.current.mqtt.username], ['old', 'bo']);
    assert.match(temp.read(), /"password": "old"/);
  }),
);

test(
  "does not treat the gateway's own writes as manual edits",
  withTempSettings({}, async (temp) => {
    const settings = await temp.open();
    settings.watch(idle.isIdle);
    await settled(settings);
    let changes = 0;
    settings.onChange(() => {
      changes += 1;
    });
    const timer = temp.clock.nextTimer();
    await settings.update({ beacons: { maxRangeM: 5 } }, idle);
    const { etag } = settings;
    const text = temp.read();
    await timer;
    temp.clock.advance(300);
    await settled(settings);
    assert.deepEqual([changes, settings.etag, temp.read(), settings.faults], [1, etag, text, []]);
  }),
);

test(
  'reports a deleted file, and the next save restores it',
  withTempSettings({}, async (temp) => {
    const settings = await edited(temp, () => rmSync(join(temp.dir, 'variables.json')));
    assert.match(textOf(settings.faults[0]?.message ?? ''), /removed/);
    await settings.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.deepEqual([temp.json(), settings.faults], [settings.current, []]);
  }),
);

test(
  'reports a directory that cannot be watched, but can still save the settings',
  withTempSettings({}, async (temp) => {
    const settings = await temp.open();
    rmSync(temp.dir, { recursive: true });
    settings.watch(idle.isIdle);
    assert.match(textOf(settings.faults[0]?.message ?? ''), /cannot be watched/);
    mkdirSync(temp.dir);
    await settings.update({ beacons: { maxRangeM: 5 } }, idle);
    assert.equal(temp.json().schemaVersion, 1);
  }),
);

test(
  'leaves no timers running after close()',
  withTempSettings({}, async (temp) => {
    const settings = await temp.open();
    settings.watch(idle.isIdle);
    await settled(settings);
    const timer = temp.clock.nextTimer();
    temp.write(edit({}));
    await timer;
    await settings.close();
    assert.equal(temp.clock.timers, 0);
  }),
);

test.run();
