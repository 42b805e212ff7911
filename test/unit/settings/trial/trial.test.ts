import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { SettingsFile } from '../../../../src/settings/document/file.js';
import type { SettingsService } from '../../../../src/settings/document/settings.js';
import type { Settings } from '../../../../src/settings/schema/schema.js';
import { TrialFile } from '../../../../src/settings/trial/trial-file.js';
import { actorName, keyActor, userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { messageJson, textOf } from '../../../../src/shared/messages/message.js';
import { idle, moving, type TempSettings, withTempSettings } from '../temp-settings.js';

const ANNA = userActor('Anna');
const BERT = userActor('Bert');

const onTrial = { ...idle, by: ANNA, onTrial: true };
const LOCAL = { broker: 'embedded', host: '127.0.0.1' };
const UNREACHABLE = { mqtt: { broker: 'external', host: '192.0.2.1' } };
const host = (settings: SettingsService) => settings.current.mqtt.host;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error) => error.code,
  );
const trialFile = ({ dir }: TempSettings) => existsSync(join(dir, 'variables.json.trial'));

/** Waits for pending updates, and applies a pending edit of the file. */
const settled = (settings: SettingsService) => code(settings.update({}, idle));

/** Returns the text of the document with these values in its sections. */
function edited(document: Record<string, unknown>, values: Record<string, object>): string {
  const sections = Object.entries(values).map(([name, part]) => [
    name,
    { ...(document[name] as object), ...part },
  ]);
  return JSON.stringify({ ...document, ...Object.fromEntries(sections) });
}

test(
  'rolls back a risky change after 60 s',
  withTempSettings({}, async (temp) => {
    const { open, clock, json, log } = temp;
    const settings = await open();
    const before = json();
    await settings.update(UNREACHABLE, onTrial);
    assert.equal(host(settings), '192.0.2.1', 'applies immediately');
    clock.advance(59_000);
    const view = settings.trial.view();
    assert.deepEqual([view?.by, textOf(view?.what ?? ''), view?.leftMs], ['Anna', 'MQTT server', 1000]);
    const undone = log.next('settings.rolled_back');
    clock.advance(1000);
    await undone;
    assert.deepEqual(json(), before);
    assert.deepEqual(
      [host(settings), settings.trial.view(), trialFile(temp)],
      ['127.0.0.1', undefined, false],
    );
  }),
);

test(
  'saves, confirms and rolls back changes even if listeners throw',
  withTempSettings({}, async ({ open, log }) => {
    const settings = await open();
    const heard: string[] = [];
    const throwing = (name: string) => () => {
      heard.push(name);
      throw new Error(name);
    };
    for (const name of ['first', 'second']) settings.onChange(throwing(name));
    settings.trial.onChange(throwing('trial'));
    const { trialId = '' } = await settings.update(UNREACHABLE, onTrial);
    assert.deepEqual(heard, ['trial', 'first', 'second']);
    await settings.trial.confirm(trialId, { by: ANNA });
    const { trialId: next = '' } = await settings.update({ mqtt: LOCAL }, onTrial);
    await settings.trial.rollBack(next, { ...idle, by: ANNA });
    assert.equal(host(settings), '192.0.2.1');
    const failed = log.lines.filter(({ event }) => event === 'settings.listener_failed');
    assert.deepEqual(
      failed.map(({ fields }) => fields?.reason),
      heard,
    );
  }),
);

test(
  'keeps a confirmed change after the trial and after a restart',
  withTempSettings({}, async (temp) => {
    const { open, clock } = temp;
    const settings = await open();
    await settings.update(UNREACHABLE, onTrial);
    await settings.trial.confirm(settings.trial.view()?.id ?? '', { by: ANNA });
    clock.advance(120_000);
    await settled(settings);
    assert.deepEqual([host(settings), trialFile(temp), clock.timers], ['192.0.2.1', false, 0]);
    await settings.close();
    assert.equal(host(await open()), '192.0.2.1');
  }),
);

test(
  'rolls back a change on request',
  withTempSettings({}, async ({ open, clock }) => {
    const settings = await open();
    await settings.update(UNREACHABLE, onTrial);
    await settings.trial.rollBack(settings.trial.view()?.id ?? '', { ...idle, by: userActor('Bo') });
    assert.deepEqual([host(settings), settings.trial.view(), clock.timers], ['127.0.0.1', undefined, 0]);
    assert.deepEqual(
      settings.history.list().map(({ why, by }) => [why, actorName(by)]),
      [
        ['rollback', 'Bo'],
        ['save', 'Anna'],
        ['start', 'variables.json'],
      ],
    );
  }),
);

test(
  'a rollback keeps a file edit that has not taken effect yet',
  withTempSettings({}, async ({ open, write, json }) => {
    const settings = await open();
    const maxSpeed = () => (json() as unknown as Settings).limits.maxSpeedMmps;
    await settings.update(UNREACHABLE, onTrial);
    const id = settings.trial.view()?.id ?? '';
    write(JSON.stringify({ ...json(), limits: { ...settings.current.limits, maxSpeedMmps: 111 } }));
    assert.equal(await code(settings.trial.rollBack(id, { ...moving, by: ANNA })), 'NOT_IDLE');
    assert.equal(maxSpeed(), 111, 'the edit waits until the cart is stationary');
    await settings.trial.rollBack(id, { ...idle, by: ANNA });
    assert.deepEqual([host(settings), settings.current.limits.maxSpeedMmps], ['127.0.0.1', 111]);
    assert.equal(maxSpeed(), 111);
  }),
);

test(
  'each update reports only the trial that it started',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const [risky, harmless] = await Promise.all([
      settings.update(UNREACHABLE, onTrial),
      settings.update({ gateway: { name: 'Loader' } }, idle),
    ]);
    assert.equal(risky.trialId, settings.trial.view()?.id);
    assert.equal(harmless.trialId, undefined);
  }),
);

test(
  'confirms or rolls back only the change that is on trial, and only once',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    assert.equal(await code(settings.trial.confirm('', { by: ANNA })), 'CONFLICT');
    await settings.update(UNREACHABLE, onTrial);
    const id = settings.trial.view()?.id ?? '';
    assert.equal(await code(settings.trial.confirm('other', { by: ANNA })), 'CONFLICT');
    await settings.trial.confirm(id, { by: ANNA });
    assert.equal(await code(settings.trial.rollBack(id, { ...idle, by: ANNA })), 'CONFLICT');
    assert.equal(host(settings), '192.0.2.1');
  }),
);

test(
  'a low-risk change, or a change without a trial, is permanent',
  withTempSettings({}, async (temp) => {
    const { open } = temp;
    const settings = await open();
    await settings.update({ beacons: { maxRangeM: 9 } }, onTrial);
    await settings.update({ limits: { ttlMs: 900 } }, idle);
    assert.deepEqual([settings.trial.view(), trialFile(temp)], [undefined, false]);
  }),
);

for (const [name, from, to] of [
  ['maxDistanceMm', 9000, 8000],
  ['holdAboveMm', 2000, 1000],
  ['maxAngleDeg', 180, 90],
  ['maxSpeedMmps', 300, 250],
  ['defaultSpeedMmps', 300, 250],
  ['accelMmps2', 500, 400],
  ['minBatteryMv', 0, 21_000],
  ['maxMotorC', 80, 70],
  ['ratePerSec', 20, 10],
  ['ttlMs', 2000, 1000],
  ['remoteHeartbeatMs', 2000, 1000],
  ['remoteHeartbeatMs', 0, 1000],
] as const) {
  test(
    `saves a stricter limit permanently, and puts a looser one on trial: ${name} ${from} and ${to}`,
    withTempSettings({}, async ({ open }) => {
      const settings = await open({ initial: { limits: { [name]: from } } });
      await settings.update({ limits: { [name]: to } }, onTrial);
      assert.deepEqual([settings.current.limits[name], settings.trial.view()], [to, undefined]);
      await settings.update({ limits: { [name]: from } }, onTrial);
      assert.ok(settings.trial.view());
    }),
  );
}

for (const limits of [
  { onBusy: 'reject' },
  { decelMmps2: 400 },
  { decelMmps2: 600 },
  { maxSpeedMmps: 250, ttlMs: 3000 },
]) {
  test(
    `puts a change of limits on trial unless it only makes limits stricter: ${JSON.stringify(limits)}`,
    withTempSettings({}, async ({ open }) => {
      const settings = await open();
      await settings.update({ limits }, onTrial);
      assert.ok(settings.trial.view());
    }),
  );
}

test(
  'puts a stricter limit on trial when another section of the change is risky',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    await settings.update({ ...UNREACHABLE, limits: { maxSpeedMmps: 250 } }, onTrial);
    assert.ok(settings.trial.view());
  }),
);

test(
  'rejects a second trial, and keeps permanent changes when the trial is rolled back',
  withTempSettings({}, async ({ open, clock, log }) => {
    const settings = await open();
    await settings.update(UNREACHABLE, onTrial);
    assert.equal(await code(settings.update({ limits: { ttlMs: 2900 } }, onTrial)), 'CONFLICT');
    await settings.update({ mqtt: { keepaliveS: 20 } }, idle);
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    assert.deepEqual([host(settings), settings.current.mqtt.keepaliveS], ['127.0.0.1', 20]);
  }),
);

test(
  'restores whole sections when the rollback conflicts with a later edit of the file',
  withTempSettings({}, async ({ open, clock, log, json, write }) => {
    const settings = await open({ initial: UNREACHABLE });
    await settings.update({ mqtt: { broker: 'embedded' } }, onTrial);
    // Port 0 is valid for the embedded broker but not for the external one.
    write(edited(json(), { mqtt: { port: 0 } }));
    await settled(settings);
    assert.equal(settings.current.mqtt.port, 0);
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    assert.deepEqual([settings.current.mqtt.broker, settings.current.mqtt.port], ['external', 1883]);
  }),
);

for (const how of ['expires', 'ends with a restart']) {
  test(
    `keeps a limit that was tightened during a trial that ${how}, even if another section is invalid`,
    withTempSettings(
      { 'variables.json': '{"camera": {"width": "abc"}}' },
      async ({ open, clock, log, json }) => {
        const settings = await open();
        await settings.update({ limits: { maxSpeedMmps: 400 } }, onTrial);
        await settings.update({ limits: { maxDistanceMm: 500 } }, idle);
        const undone = log.next('settings.rolled_back');
        if (how === 'expires') clock.advance(60_000);
        else await settings.close();
        const after = how === 'expires' ? settings : await open();
        await undone;
        const { maxSpeedMmps, maxDistanceMm } = after.current.limits;
        assert.deepEqual([maxSpeedMmps, maxDistanceMm], [300, 500]);
        assert.deepEqual(json().camera, { width: 'abc' });
      },
    ),
  );
}

test(
  'restores only the section in which the rollback conflicts with a later edit of the file',
  withTempSettings({}, async ({ open, clock, log, json, write }) => {
    const settings = await open({ initial: UNREACHABLE });
    await settings.update({ mqtt: { broker: 'embedded' }, limits: { maxSpeedMmps: 400 } }, onTrial);
    write(edited(json(), { mqtt: { port: 0 }, limits: { maxDistanceMm: 500 } }));
    await settled(settings);
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    const { mqtt, limits } = settings.current;
    assert.deepEqual([mqtt.broker, mqtt.port], ['external', 1883]);
    assert.deepEqual([limits.maxSpeedMmps, limits.maxDistanceMm], [300, 500]);
  }),
);

test(
  'defers the rollback while the cart is moving',
  withTempSettings({}, async ({ open, clock, log }) => {
    const settings = await open();
    let isIdle = true;
    await settings.update({ limits: { maxSpeedMmps: 400 } }, { ...onTrial, isIdle: () => isIdle });
    isIdle = false;
    const waits = log.next('settings.rollback_deferred');
    clock.advance(60_000);
    await waits;
    assert.deepEqual([settings.current.limits.maxSpeedMmps, settings.trial.view()?.leftMs], [400, 0]);
    const id = settings.trial.view()?.id ?? '';
    assert.equal(await code(settings.trial.rollBack(id, { ...moving, by: ANNA })), 'NOT_IDLE');
    isIdle = true;
    const undone = log.next('settings.rolled_back');
    clock.advance(1000);
    await undone;
    assert.equal(settings.current.limits.maxSpeedMmps, 300);
  }),
);

test(
  'rolls back the MQTT settings even if the cart is moving',
  withTempSettings({}, async ({ open, clock, log }) => {
    const settings = await open();
    await settings.update(UNREACHABLE, { ...onTrial, ...moving });
    const undone = log.next('settings.rolled_back');
    clock.advance(60_000);
    await undone;
    assert.equal(host(settings), '127.0.0.1');
  }),
);

test(
  'makes values on trial permanent when they are saved again without a trial',
  withTempSettings({}, async (temp) => {
    const { open, clock, log } = temp;
    const settings = await open();
    await settings.update(UNREACHABLE, onTrial);
    const { trialId } = await settings.update(UNREACHABLE, { ...idle, by: BERT });
    assert.equal(trialId, undefined);
    assert.deepEqual([settings.trial.view(), trialFile(temp)], [undefined, false]);
    const { outcome, by } = settings.trial.ended ?? {};
    assert.deepEqual([outcome, by], ['confirmed', 'Bert']);
    assert.ok(log.events().includes('settings.confirmed'));
    clock.advance(60_000);
    await settled(settings);
    assert.equal(host(settings), '192.0.2.1');
  }),
);

test(
  'rolls back only the values on trial that were not saved again, even after a restart',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const change = { ...UNREACHABLE, limits: { maxSpeedMmps: 400, maxDistanceMm: 12_000 } };
    await settings.update(change, onTrial);
    await settings.update({ limits: { maxSpeedMmps: 400, maxAngleDeg: 90 } }, { ...idle, by: BERT });
    assert.equal(textOf(settings.trial.view()?.what ?? ''), 'MQTT server, Limits');
    await settings.update({ limits: { maxDistanceMm: 12_000 } }, { ...idle, by: BERT });
    assert.equal(textOf(settings.trial.view()?.what ?? ''), 'MQTT server');
    await settings.close();
    const { maxSpeedMmps, maxDistanceMm, maxAngleDeg } = (await open()).current.limits;
    assert.deepEqual([maxSpeedMmps, maxDistanceMm, maxAngleDeg], [400, 12_000, 90]);
    assert.equal(host(await open()), '127.0.0.1');
  }),
);

test(
  'retries the rollback of the other values when some are made permanent as the trial expires',
  withTempSettings({}, async ({ open, clock, log }) => {
    const settings = await open();
    let isIdle = true;
    const change = { ...UNREACHABLE, limits: { maxSpeedMmps: 400 } };
    await settings.update(change, { ...onTrial, isIdle: () => isIdle });
    isIdle = false;
    const waits = log.next('settings.rollback_deferred');
    const kept = settings.update(UNREACHABLE, { ...moving, by: BERT });
    clock.advance(60_000);
    await kept;
    await waits;
    isIdle = true;
    const undone = log.next('settings.rolled_back');
    clock.advance(1000);
    await undone;
    assert.deepEqual([host(settings), settings.current.limits.maxSpeedMmps], ['192.0.2.1', 300]);
  }),
);

test(
  'repeating a change that is on trial returns its trial, and the change remains on trial',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const first = await settings.update(UNREACHABLE, onTrial);
    const second = await settings.update(UNREACHABLE, onTrial);
    assert.equal(second.trialId, first.trialId);
    assert.equal(settings.trial.view()?.id, first.trialId);
  }),
);

test(
  'rejects a save that is valid only together with the change on trial',
  withTempSettings({}, async ({ open }) => {
    const settings = await open({ initial: UNREACHABLE });
    await settings.update({ mqtt: { broker: 'embedded' } }, onTrial);
    const before = settings.current;
    // Port 0 is valid for the embedded broker but not for the external one.
    const patch = { mqtt: { port: 0 } };
    assert.equal(await code(settings.update(patch, { ...idle, by: BERT })), 'CONFLICT');
    assert.deepEqual(settings.current, before);
  }),
);

test(
  'ends a trial when its change is rolled back, even if the trial file cannot be removed yet',
  withTempSettings({}, async (temp) => {
    const { open, clock, log } = temp;
    const settings = await open();
    await settings.update(UNREACHABLE, onTrial);
    const id = settings.trial.view()?.id ?? '';
    const undone = log.next('settings.rolled_back');
    const restore = makeFail(TrialFile.prototype, 'remove');
    clock.advance(60_000);
    await undone;
    assert.deepEqual(
      [host(settings), settings.trial.view(), trialFile(temp)],
      ['127.0.0.1', undefined, true],
    );
    assert.equal(await code(settings.trial.confirm(id, { by: ANNA })), 'CONFLICT');
    restore();
    clock.advance(1000);
    await settled(settings);
    assert.deepEqual([trialFile(temp), clock.timers], [false, 0]);
    assert.deepEqual(
      settings.history.list().map(({ why }) => why),
      ['rollback', 'save', 'start'],
    );
  }),
);

/** Leaves a trial file behind that no longer applies. Returns the open settings. */
const LEFTOVERS: Record<string, (temp: TempSettings) => Promise<SettingsService>> = {
  'of a change that was rolled back': async ({ open }) => {
    const settings = await open();
    const { trialId = '' } = await settings.update(UNREACHABLE, onTrial);
    await settings.trial.rollBack(trialId, { ...idle, by: ANNA });
    return settings;
  },
  'of a change that could not be saved': async ({ open }) => {
    const settings = await open();
    const restore = makeFail(SettingsFile.prototype, 'save');
    assert.equal(await code(settings.update(UNREACHABLE, onTrial)), 'WRITE_FAILED');
    restore();
    return settings;
  },
  'that was written even though the write was reported as failed': async ({ open }) => {
    const settings = await open();
    const restore = makeFail(TrialFile.prototype, 'write', { isDone: true });
    assert.equal(await code(settings.update(UNREACHABLE, onTrial)), 'WRITE_FAILED');
    restore();
    return settings;
  },
  'of a change that was rolled back at startup': async ({ open }) => {
    const first = await open();
    await first.update(UNREACHABLE, onTrial);
    await first.close();
    return open();
  },
  'of a change whose rollback at startup could not be saved': async ({ open, json }) => {
    const first = await open();
    await first.update(UNREACHABLE, onTrial);
    await first.close();
    const restore = makeFail(SettingsFile.prototype, 'save');
    const settings = await open();
    restore();
    assert.equal((json() as unknown as Settings).mqtt.host, '192.0.2.1');
    return settings;
  },
};

for (const [which, leaveBehind] of Object.entries(LEFTOVERS)) {
  test(
    `keeps a permanent change to the same values despite a trial file ${which}`,
    withTempSettings({}, async (temp) => {
      const restore = makeFail(TrialFile.prototype, 'remove');
      try {
        const settings = await leaveBehind(temp);
        assert.deepEqual([host(settings), trialFile(temp)], ['127.0.0.1', true]);
        assert.equal(await code(settings.update(UNREACHABLE, idle)), 'WRITE_FAILED');
        restore();
        await settings.update(UNREACHABLE, idle);
        assert.deepEqual([host(settings), trialFile(temp), temp.clock.timers], ['192.0.2.1', false, 0]);
        temp.clock.advance(120_000);
        await settled(settings);
        await settings.close();
        assert.equal(host(await temp.open()), '192.0.2.1');
      } finally {
        restore();
      }
    }),
  );
}

test(
  'keeps a manual edit to the values of a change that was rolled back',
  withTempSettings({}, async (temp) => {
    const { open, json, write } = temp;
    const settings = await open();
    const { trialId = '' } = await settings.update(UNREACHABLE, onTrial);
    const restore = makeFail(TrialFile.prototype, 'remove');
    await settings.trial.rollBack(trialId, { ...idle, by: ANNA });
    write(JSON.stringify({ ...json(), mqtt: { ...settings.current.mqtt, ...UNREACHABLE.mqtt } }));
    assert.equal(await code(settings.update({}, idle)), 'WRITE_FAILED');
    restore();
    await settings.update({}, idle);
    assert.deepEqual([host(settings), trialFile(temp)], ['192.0.2.1', false]);
    await settings.close();
    assert.equal(host(await open()), '192.0.2.1');
  }),
);

test(
  'rolls back an unconfirmed change at startup, before the change takes effect',
  withTempSettings({}, async (temp) => {
    const { open, json } = temp;
    const settings = await open();
    const before = json();
    await settings.update(UNREACHABLE, onTrial);
    await settings.close();
    assert.equal(trialFile(temp), true);
    const next = await open();
    assert.deepEqual([host(next), json(), trialFile(temp)], ['127.0.0.1', before, false]);
    assert.equal(next.history.list()[0]?.why, 'rollback');
    assert.deepEqual(next.faults, []);
  }),
);

test(
  'adds a version to the history when the rollback at startup affects only a secret',
  withTempSettings({}, async ({ open }) => {
    const first = await open({ initial: { mqtt: { password: 'tulip' } } });
    await first.update({ mqtt: { password: 'rose' } }, onTrial);
    await first.close();
    const settings = await open();
    assert.equal(settings.current.mqtt.password, 'tulip');
    const [newest] = settings.history.list();
    assert.deepEqual(
      [newest?.why, newest && actorName(newest.by), newest?.changes.map(({ pointer }) => pointer)],
      ['rollback', 'restart', ['/mqtt/password']],
    );
  }),
);

test(
  'rolls back the change at the first start at which the settings can be read',
  withTempSettings({}, async (temp) => {
    const { open, dir, write, read, log } = temp;
    const first = await open();
    await first.update(UNREACHABLE, onTrial);
    await first.close();
    const saved = read();
    for (const name of ['variables.json.bak', 'settings-history'])
      rmSync(join(dir, name), { recursive: true });
    write('');
    const lost = await open();
    assert.equal(trialFile(temp), true);
    assert.equal(log.events().includes('settings.rolled_back'), false);
    await lost.close();
    write(saved);
    assert.equal(host(await open()), '127.0.0.1');
    assert.ok(log.events().includes('settings.rolled_back'));
  }),
);

test(
  'a power cut between the trial record and the change does not lose settings or leave stray files',
  withTempSettings({}, async (temp) => {
    const { open, dir, json, write, read, log } = temp;
    const settings = await open();
    const old = read();
    await settings.update(UNREACHABLE, onTrial);
    await settings.close();
    // Simulates a power failure after which the trial's record is on disk but the change is not.
    write(old);
    const next = await open();
    assert.deepEqual([host(next), trialFile(temp)], ['127.0.0.1', false]);
    assert.deepEqual(json(), JSON.parse(old));
    assert.equal(log.events().includes('settings.rolled_back'), false);
    assert.equal(existsSync(join(dir, 'variables.json.broken')), false);
  }),
);

for (const [writer, by] of [
  ['version 0.2', 'key tablet'],
  ['this version', keyActor('tablet')],
]) {
  test(
    `rolls back a change on trial whose record was written by ${writer}`,
    withTempSettings({}, async ({ open, dir, log }) => {
      const settings = await open();
      await settings.update(UNREACHABLE, idle);
      await settings.close();
      const [before, after] = [{ ...settings.current.mqtt, ...LOCAL }, settings.current.mqtt];
      const record = { id: 'a', by, before: { mqtt: before }, after: { mqtt: after } };
      writeFileSync(join(dir, 'variables.json.trial'), messageJson(record));
      assert.equal(host(await open()), '127.0.0.1');
      const line = log.lines.find(({ event }) => event === 'settings.rolled_back');
      assert.equal(line?.fields?.madeBy, 'key tablet');
    }),
  );
}

test(
  'the settings can be opened despite an unreadable trial record',
  withTempSettings({ 'variables.json.trial': '{"id": "a"' }, async ({ open, log }) => {
    const settings = await open();
    assert.equal(host(settings), '127.0.0.1');
    assert.ok(log.events().includes('settings.trial_unreadable'));
  }),
);

test(
  'does not start a trial for a change that cannot be saved',
  withTempSettings({}, async (temp) => {
    const settings = await temp.open();
    const update = settings.update({ limits: { ttlMs: 2900 } }, { ...onTrial, isIdle: inTurn(true, false) });
    assert.equal(await code(update), 'NOT_IDLE');
    assert.deepEqual([settings.trial.view(), trialFile(temp)], [undefined, false]);
  }),
);

test(
  'rejects a change when its trial record cannot be written',
  withTempSettings({}, async ({ open, dir }) => {
    const settings = await open();
    mkdirSync(join(dir, 'variables.json.trial', 'in-the-way'), { recursive: true });
    assert.equal(await code(settings.update(UNREACHABLE, onTrial)), 'WRITE_FAILED');
    assert.deepEqual([host(settings), settings.trial.view()], ['127.0.0.1', undefined]);
  }),
);

test(
  'creates the trial record with mode 0600',
  withTempSettings({}, async ({ open, dir }) => {
    const settings = await open();
    await settings.update({ mqtt: { password: 'tulip' } }, onTrial);
    assert.equal(statSync(join(dir, 'variables.json.trial')).mode & 0o777, 0o600);
  }),
);

/** Returns an `isIdle` function that returns these values one after another. */
function inTurn(...list: boolean[]): () => boolean {
  return () => list.shift() ?? false;
}

/**
 * Makes a method of the files reject with `WRITE_FAILED`, after its work if `isDone`. Returns a function that ends
 * this.
 */
function makeFail<K extends string>(
  files: Record<K, (...args: never[]) => Promise<void>>,
  name: K,
  { isDone = false } = {},
): () => void {
  const original = files[name];
  files[name] = async function (this: unknown, ...args: never[]) {
    if (isDone) await original.apply(this, args);
    throw new GatewayError('WRITE_FAILED', 'the disk has failed');
  };
  return () => {
    files[name] = original;
  };
}

test.run();
