import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'uvu';
import type { SettingsChange } from '../../../../src/settings/document/settings.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { idle, moving, withTempSettings } from '../temp-settings.js';

async function rejection(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => assert.fail('was not rejected'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof GatewayError, String(error));
  return error;
}

const paths = (error: GatewayError) => error.info.faults?.map(({ path }) => path).sort();

test(
  'merges, saves and reports a partial document, and keeps the old version as .bak',
  withTempSettings({}, async ({ open, read, json }) => {
    const settings = await open();
    const before = read();
    const reported: SettingsChange[] = [];
    settings.onChange((change) => reported.push(change));
    const change = await settings.update(
      { mqtt: { tls: { servername: 'b' } }, beacons: { maxRangeM: 9 } },
      idle,
    );

    assert.deepEqual(change.changed, ['mqtt', 'beacons']);
    assert.deepEqual(change.restartNeeded, []);
    assert.equal(change.previous.beacons.maxRangeM, 100);
    assert.equal(change.settings, settings.current);
    assert.deepEqual(reported, [change]);
    assert.equal(settings.current.mqtt.tls.rejectUnauthorized, true, 'other values are unchanged');
    assert.deepEqual(json(), settings.current);
    assert.equal(read('variables.json.bak'), before);
  }),
);

test(
  'a gateway with the default name for its cart number receives the default name for its new number',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    assert.deepEqual(
      settings.preview({ gateway: { cartID: 4 } }).changes.map(({ pointer, to }) => [pointer, to]),
      [
        ['/gateway/cartID', 4],
        ['/gateway/name', 'Cart 4'],
      ],
    );
    await settings.update({ gateway: { cartID: 4 } }, idle);
    await settings.update({ gateway: { cartID: 5, name: 'Loader' } }, idle);
    await settings.update({ gateway: { cartID: 6 } }, idle);
    assert.equal(settings.current.gateway.name, 'Loader');
  }),
);

test(
  'replaces arrays, and deletes a preset that is set to null',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    await settings.update({ presets: { distance: { 1: 100, 2: 200 } }, simulation: { carts: [4] } }, idle);
    await settings.update({ presets: { distance: { 1: null } }, simulation: { carts: [5, 6] } }, idle);
    assert.deepEqual(settings.current.presets.distance, { 2: 200 });
    assert.deepEqual(settings.current.simulation.carts, [5, 6]);
    await settings.update({ gpio: { base: 512 } }, idle);
    await settings.update({ gpio: { base: null } }, idle);
    assert.equal(settings.current.gpio.base, null);
  }),
);

test(
  'lists all errors with their JSON pointers and changes nothing',
  withTempSettings({}, async ({ open, read }) => {
    const settings = await open();
    const before = [read(), settings.current, settings.etag];
    const error = await rejection(
      settings.update(
        { limits: { maxSpeedMmps: 9999, speed: 1 }, camera: { width: 641 }, serial: null, colour: 'red' },
        idle,
      ),
    );
    assert.equal(error.code, 'INVALID_INPUT');
    assert.deepEqual(paths(error), [
      '/camera/width',
      '/colour',
      '/limits/maxSpeedMmps',
      '/limits/speed',
      '/serial',
    ]);
    assert.ok(
      error.info.faults?.some(({ message }) => textOf(message) === 'must be at most 3000 mm/s'),
      'with limit and unit',
    );
    assert.deepEqual([read(), settings.current, settings.etag], before);
  }),
);

test(
  'checks rules that involve several settings',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const twice = [1, 2, 2].map((cartID) => ({ cartID, name: 'C' }));
    const error = await rejection(
      settings.update({ mqtt: { broker: 'external', port: 0 }, carts: twice }, idle),
    );
    assert.deepEqual(paths(error), ['/carts/2/cartID', '/mqtt/port']);
    await rejection(settings.update({ mqtt: { protocol: 'mqtts' } }, idle));
    const short = await rejection(settings.update({ limits: { remoteHeartbeatMs: 499 } }, idle));
    assert.deepEqual(paths(short), ['/limits/remoteHeartbeatMs']);
    await settings.update({ limits: { remoteHeartbeatMs: 500 } }, idle);
    await settings.update({ mqtt: { port: 0 } }, idle);
  }),
);

const corners = (...list: [number, number][]) => list.map(([xMm, yMm]) => ({ xMm, yMm }));

for (const [title, footprint, fault] of [
  ['two corners', corners([100, 0], [-100, 0]), 'must have at least 3 corners, or no corners'],
  [
    'corners on one line',
    corners([100, 0], [0, 0], [-100, 0]),
    'must have corners that are not all on one line',
  ],
  [
    'the drive axle outside',
    corners([100, 0], [300, 0], [200, 100], [200, -100]),
    'must enclose the middle of the drive axle (0 mm forward, 0 mm left)',
  ],
  ['17 corners', Array(17).fill({ xMm: 0, yMm: 0 }), 'must have at most 16 entries'],
] as const) {
  test(
    `rejects a footprint with ${title}`,
    withTempSettings({}, async ({ open }) => {
      const settings = await open();
      const error = await rejection(settings.update({ kinematics: { footprint } }, idle));
      const faults = error.info.faults?.map(({ path, message }) => [path, textOf(message)]);
      assert.deepEqual(faults, [['/kinematics/footprint', fault]]);
    }),
  );
}

test(
  'accepts a footprint, and reports a corner that is too far away with field, limit and unit',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const footprint = corners([400, 250], [-200, 250], [-200, -250], [400, -250]);
    await settings.update({ kinematics: { footprint } }, idle);
    assert.deepEqual(settings.current.kinematics.footprint, footprint);
    const far = footprint.with(1, { xMm: -200, yMm: 5001 });
    const error = await rejection(settings.update({ kinematics: { footprint: far } }, idle));
    const faults = error.info.faults?.map(({ path, message }) => [path, textOf(message)]);
    assert.deepEqual(faults, [['/kinematics/footprint/1/yMm', 'must be at most 5000 mm']]);
  }),
);

for (const [name, body] of Object.entries<unknown>({
  'a __proto__ member': JSON.parse('{"limits":{"__proto__":{"ttlMs":100}}}'),
  'a constructor member': JSON.parse('{"constructor":{"prototype":{"x":1}}}'),
  'prototype in an array': JSON.parse('{"carts":[{"prototype":1}]}'),
  'deep nesting': JSON.parse(`{"limits":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
  '1 MB of text': { gateway: { name: 'x'.repeat(1024 * 1024) } },
  '1 MB of members': Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-number-${at}`, at])),
  '80,000 carts': { carts: Array(80_000).fill({}) },
  'an array': [],
  'a string': 'limits',
  nothing: undefined,
})) {
  test(
    `rejects an invalid body: ${name}`,
    withTempSettings({}, async ({ open, read }) => {
      const settings = await open();
      const before = read();
      const error = await rejection(settings.update(body, idle));
      assert.equal(error.code, 'INVALID_INPUT');
      assert.equal(error.info.faults?.length, 1);
      assert.equal(read(), before);
      assert.equal(Object.hasOwn(Object.prototype, 'ttlMs'), false);
    }),
  );
}

test(
  'rejects changes to idle-only sections, but not to other sections, while the cart is moving',
  withTempSettings({}, async ({ open, read }) => {
    const settings = await open();
    const before = read();
    const error = await rejection(
      settings.update({ serial: { retries: 3 }, limits: { ttlMs: 900 }, beacons: { maxRangeM: 9 } }, moving),
    );
    assert.equal(error.code, 'NOT_IDLE');
    assert.match(error.message, /serial, limits/);
    assert.deepEqual([read(), settings.current.beacons.maxRangeM], [before, 100]);
    await settings.update({ beacons: { maxRangeM: 9 }, serial: { retries: 2 } }, moving);
    assert.equal(settings.current.beacons.maxRangeM, 9);
  }),
);

test(
  'rejects an update when a cart starts to move during the save',
  withTempSettings({}, async ({ dir, open, read }) => {
    const settings = await open();
    const before = read();
    const answers = [true, false];
    const error = await rejection(
      settings.update({ limits: { ttlMs: 900 } }, { isIdle: () => answers.shift() ?? false }),
    );
    assert.deepEqual([error.code, read(), settings.current.limits.ttlMs], ['NOT_IDLE', before, 2000]);
    assert.deepEqual(readdirSync(dir).sort(), ['settings-history', 'variables.json']);
  }),
);

test(
  'reports settings that need a restart until they have their startup values again',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const restart = async (patch: unknown) => (await settings.update(patch, moving)).restartNeeded;
    assert.deepEqual(await restart({ gateway: { cartID: 5 } }), ['gateway.cartID']);
    assert.deepEqual(await restart({ beacons: { maxRangeM: 50 } }), ['gateway.cartID']);
    assert.deepEqual(await restart({ gateway: { cartID: 1 } }), []);
    assert.deepEqual(await restart({ gateway: { name: 'Bo', announce: false } }), []);
    assert.deepEqual(await restart({ mqtt: { root: 'carts/v2', port: 1884 } }), ['mqtt.root']);
    assert.deepEqual(await restart({ mqtt: { clientId: 'mine', root: 'cart/v1' } }), ['mqtt.clientId']);
  }),
);

test(
  'rejects an outdated ETag, and accepts the current ETag, a list with that ETag, and *',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const first = settings.etag;
    await settings.update({ beacons: { maxRangeM: 50 } }, { ...idle, ifMatch: first });
    assert.notEqual(settings.etag, first);
    const late = settings.update({ beacons: { maxRangeM: 60 } }, { ...idle, ifMatch: first });
    assert.equal((await rejection(late)).code, 'ETAG_MISMATCH');
    await settings.update({ beacons: { maxRangeM: 70 } }, { ...idle, ifMatch: `"other", ${settings.etag}` });
    await settings.update({ beacons: { maxRangeM: 80 } }, { ...idle, ifMatch: '*' });
    assert.equal(settings.current.beacons.maxRangeM, 80);
  }),
);

test(
  'applies all fifty simultaneous updates, but only one of fifty with the same ETag',
  withTempSettings({}, async ({ open, json }) => {
    const settings = await open();
    const names = Array.from({ length: 50 }, (_, at) => String(at + 1));
    await Promise.all(names.map((name) => settings.update({ presets: { distance: { [name]: 1 } } }, idle)));
    assert.equal(Object.keys(settings.current.presets.distance).length, 50);
    assert.deepEqual(json(), settings.current);
    const ifMatch = settings.etag;
    const races = await Promise.allSettled(
      names.map((name) => settings.update({ gateway: { name } }, { ...idle, ifMatch })),
    );
    assert.equal(races.filter(({ status }) => status === 'fulfilled').length, 1);
  }),
);

test(
  'does not replace the settings file or its backup when nothing changes',
  withTempSettings({}, async ({ open, read }) => {
    const settings = await open();
    const first = read();
    await settings.update({ beacons: { maxRangeM: 50 } }, idle);
    const { etag } = settings;
    const change = await settings.update(settings.masked(), idle);
    assert.deepEqual([change.changed, settings.etag, read('variables.json.bak')], [[], etag, first]);
  }),
);

test(
  'the settings are frozen recursively',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    for (const frozen of [
      settings.current,
      (await settings.update({ gateway: { name: 'Bo' } }, idle)).settings,
    ]) {
      assert.throws(() => Object.assign(frozen.mqtt.tls, { ca: '/x' }), TypeError);
      assert.throws(() => Object.assign(frozen, { mqtt: {} }), TypeError);
    }
  }),
);

test(
  'rejects updates after close()',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    const last = settings.update({ gateway: { name: 'Bo' } }, idle);
    await settings.close();
    await last;
    assert.equal((await rejection(settings.update({}, idle))).code, 'STOPPING');
  }),
);

test.run();
