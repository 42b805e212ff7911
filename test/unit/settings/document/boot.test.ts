import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { plain } from '../../../helpers/plain.js';
import { idle, withTempSettings } from '../temp-settings.js';

const good = JSON.stringify({ limits: { maxSpeedMmps: 111 } });

test(
  'creates a missing file from the defaults, with mode 0600',
  withTempSettings({}, async ({ dir, open, json, log }) => {
    const settings = await open();
    assert.deepEqual(settings.current, defaultSettings());
    assert.deepEqual(json(), defaultSettings());
    assert.equal(statSync(join(dir, 'variables.json')).mode & 0o777, 0o600);
    assert.deepEqual([settings.faults, settings.invalidReason, log.events()], [[], '', ['settings.created']]);
    assert.deepEqual(readdirSync(dir).sort(), ['settings-history', 'variables.json']);
  }),
);

test(
  'applies the initial settings only when the file is first created',
  withTempSettings({}, async ({ open }) => {
    const settings = await open({ initial: { gateway: { cartID: 7 } } });
    assert.equal(settings.current.gateway.cartID, 7);
    const again = await open({ initial: { gateway: { cartID: 9 } } });
    assert.equal(again.current.gateway.cartID, 7);
  }),
);

// Fault case 25
test(
  'reports an unknown driver with its path, both in the file and in an update',
  withTempSettings({ 'variables.json': '{"serial":{"driver":"robo-claws"}}' }, async ({ open }) => {
    const settings = await open();
    assert.deepEqual(
      settings.faults.map(({ path }) => path),
      ['variables.json:/serial/driver'],
    );
    assert.match(textOf(settings.invalidReason), /serial/);
    await assert.rejects(settings.update({ serial: { driver: 'sabretooth' } }, idle), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual(
        error.info.faults?.map(({ path }) => path),
        ['/serial/driver'],
      );
      return true;
    });
  }),
);

for (const [path, section] of [
  ['/mqtt/host', { mqtt: { host: '::1::2' } }],
  ['/mqtt/host', { mqtt: { host: 'broker:1883' } }],
  ['/alarms/mail/host', { alarms: { mail: { host: '999.1.1.1', sender: 'cart@example.org' } } }],
  ['/alarms/webhook/urls/1', { alarms: { webhook: { urls: ['http://host', 'http://host:99999/'] } } }],
  ['/beacons/tileUrl', { beacons: { tileUrl: 'http://tiles.local:0/{z}/{x}/{y}.png' } }],
] as const) {
  test(
    `reports ${JSON.stringify(section)} in the file without preventing the gateway from starting, and rejects it in an update`,
    withTempSettings({ 'variables.json': JSON.stringify(section) }, async ({ open }) => {
      const settings = await open();
      assert.deepEqual(
        settings.faults.map((fault) => fault.path),
        [`variables.json:${path}`],
      );
      await assert.rejects(settings.update(section, idle), (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual(
          [error.code, error.info.faults?.map((fault) => fault.path)],
          ['INVALID_INPUT', [path]],
        );
        return true;
      });
    }),
  );
}

test(
  'rejects invalid initial settings and lists all errors',
  withTempSettings({}, async ({ open }) => {
    const start = open({ initial: { gateway: { cartID: 0 }, limit: {} } });
    await assert.rejects(start, (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, 'CONFIG_INVALID');
      assert.deepEqual(error.info.faults?.map(({ path }) => path).sort(), ['/gateway/cartID', '/limit']);
      return true;
    });
  }),
);

test(
  'completes a partial file, even one with a byte order mark, and keeps the original as .bak',
  withTempSettings({ 'variables.json': `\uFEFF${good}` }, async ({ open, json, read }) => {
    const settings = await open();
    const expected = defaultSettings();
    expected.limits.maxSpeedMmps = 111;
    assert.deepEqual(settings.current, expected);
    assert.deepEqual(json(), expected);
    assert.equal(read('variables.json.bak'), `\uFEFF${good}`);
    assert.deepEqual(settings.faults, []);
  }),
);

for (const [name, text] of Object.entries({
  empty: '',
  'zeroed by a power cut': '\0'.repeat(300),
  truncated: '{"limits": {"maxSpeedMmps": 2',
  'not an object': '[]',
  'larger than 256 kB': `{"limits": {}}${' '.repeat(256 * 1024)}`,
  'a document with a __proto__ key': '{"__proto__": {"limits": 1}}',
  'nested 500 deep': `{"carts":${'['.repeat(500)}${']'.repeat(500)}}`,
})) {
  test(
    `starts from the .bak file when variables.json is unusable (${name}), and keeps it as .broken at the next save`,
    withTempSettings({ 'variables.json': text, 'variables.json.bak': good }, async ({ open, read, log }) => {
      const settings = await open();
      assert.equal(settings.current.limits.maxSpeedMmps, 111);
      assert.equal(settings.invalidReason, '');
      assert.equal(settings.faults.length, 1);
      assert.match(textOf(settings.faults[0]?.message ?? ''), /variables\.json\.bak\) are in use/);
      assert.ok(log.events().includes('settings.backup_used'));
      assert.equal(read(), text);

      await settings.update({ limits: { maxSpeedMmps: 112 } }, idle);
      assert.deepEqual(settings.faults, []);
      assert.equal(read('variables.json.bak'), good);
      if (text && text.length < 256 * 1024) assert.equal(read('variables.json.broken'), text);
      assert.equal((await open()).current.limits.maxSpeedMmps, 112);
    }),
  );
}

const history = (maxSpeedMmps: number, more: object = {}): string => {
  const document = { ...defaultSettings(), ...more, limits: { ...defaultSettings().limits, maxSpeedMmps } };
  return JSON.stringify({ version: 3, atMs: 1, by: 'Anna', why: 'save', changes: [], document });
};
const VERSION = 'settings-history/00000003.json';

// Fault case 63
test(
  'starts from the .bak file when variables.json is missing, until the next save',
  withTempSettings({ 'variables.json.bak': good }, async ({ dir, open, log }) => {
    for (let starts = 0; starts < 2; starts += 1) {
      const settings = await open();
      assert.equal(settings.current.limits.maxSpeedMmps, 111);
      assert.equal(settings.invalidReason, '');
      assert.deepEqual(
        settings.faults.map(({ path, message }) => `${path}: ${textOf(message)}`),
        ['variables.json: the file is missing; the previous settings (variables.json.bak) are in use'],
      );
    }
    assert.ok(!log.events().includes('settings.created'));
    assert.ok(!existsSync(join(dir, 'variables.json')), 'the start repairs nothing');
    const settings = await open();
    await settings.update({ limits: { maxSpeedMmps: 112 } }, idle);
    assert.deepEqual(settings.faults, []);
    assert.equal((await open()).current.limits.maxSpeedMmps, 112);
  }),
);

// Fault case 63
for (const [name, files] of Object.entries({
  missing: {},
  empty: { 'variables.json': '' },
  'missing and the .bak file is damaged': { 'variables.json.bak': '{"limits"' },
})) {
  test(
    `starts from the latest version in the history when variables.json is ${name}`,
    withTempSettings({ ...files, [VERSION]: history(123) }, async ({ open }) => {
      const settings = await open();
      assert.equal(settings.current.limits.maxSpeedMmps, 123);
      assert.equal(settings.invalidReason, '');
      assert.equal(settings.faults.length, 1);
      assert.match(
        textOf(settings.faults[0]?.message ?? ''),
        /; version 3 of the settings history is in use$/,
      );
    }),
  );
}

// Fault case 63
test(
  'starts from the latest version in the history when variables.json is a directory',
  withTempSettings({ [VERSION]: history(123) }, async ({ dir, open }) => {
    mkdirSync(join(dir, 'variables.json'));
    const settings = await open();
    assert.deepEqual([settings.current.limits.maxSpeedMmps, settings.invalidReason], [123, '']);
    assert.match(textOf(settings.faults[0]?.message ?? ''), /EISDIR.*version 3 of the settings history/);
  }),
);

// Fault case 63
test(
  'acknowledged changes and passwords are not lost when variables.json is missing',
  withTempSettings({}, async ({ dir, open }) => {
    const settings = await open({ initial: { mqtt: { username: 'cart', password: 's3cret' } } });
    await settings.update({ limits: { maxSpeedMmps: 200 } }, idle);
    await settings.update({ limits: { maxSpeedMmps: 100 } }, idle);
    rmSync(join(dir, 'variables.json'));
    const next = await open();
    assert.deepEqual([next.current.limits.maxSpeedMmps, next.current.mqtt.password], [100, 's3cret']);
    assert.equal(next.faults.length, 1);
  }),
);

// Fault case 63
test(
  'reports each password that is missing from the history',
  withTempSettings({ [VERSION]: history(123, { mqtt: { password: '***' } }) }, async ({ open }) => {
    const settings = await open();
    assert.equal(settings.current.mqtt.password, '');
    assert.deepEqual(
      settings.faults.map(({ path }) => path),
      ['variables.json', 'variables.json:/mqtt/password'],
    );
  }),
);

// Fault case 63
for (const [name, files] of Object.entries({
  'its .bak file and the history are damaged': { 'variables.json.bak': '', [VERSION]: '{"version": 3' },
  'only damaged versions remain': { [VERSION]: '{"version":3,"changes":[],"document":null}' },
  'only the database remains': { 'cartwright.db': '' },
  'only the file of a latched stop remains': { 'estop.json': '{}' },
  'only the commit number remains': { 'commit-number': '' },
  'only the report of lost writes remains': { 'lost-writes.json': '{}' },
  "only the gateway's earlier sessions remain": { 'sessions.json': '[]' },
})) {
  test(
    `uses the defaults and blocks motion at every start when variables.json is missing and ${name}`,
    withTempSettings(files, async ({ open, log }) => {
      for (let starts = 0; starts < 2; starts += 1) {
        const settings = await open();
        assert.deepEqual(settings.current, defaultSettings());
        assert.match(textOf(settings.invalidReason), /the file is missing, and there is no usable backup/);
      }
      assert.ok(!log.events().includes('settings.created'));
      const settings = await open();
      await settings.update({ limits: { maxSpeedMmps: 100 } }, idle);
      assert.deepEqual([settings.invalidReason, settings.faults], ['', []]);
      assert.equal((await open()).invalidReason, '');
    }),
  );
}

test(
  'uses the defaults if the file is invalid and has no backup, and blocks motion until a save succeeds',
  withTempSettings({ 'variables.json': '{"limits": {', 'variables.json.bak': '' }, async ({ open }) => {
    const settings = await open();
    assert.deepEqual(settings.current, defaultSettings());
    assert.match(textOf(settings.invalidReason), /line 1, column 13: expected a name.* no usable backup/);
    await settings.update({ limits: { maxSpeedMmps: 100 } }, idle);
    assert.deepEqual([settings.invalidReason, settings.faults], ['', []]);
  }),
);

test(
  'starts with the settings marked as invalid when variables.json is a directory',
  withTempSettings({}, async ({ dir, open }) => {
    mkdirSync(join(dir, 'variables.json'));
    const settings = await open();
    assert.match(textOf(settings.invalidReason), /EISDIR/);
  }),
);

test(
  'a value of the wrong type in the limits section invalidates only that section and blocks motion',
  withTempSettings(
    { 'variables.json': '{"limits":{"maxSpeedMmps":"fast","ttlMs":900},"camera":{"width":640}}' },
    async ({ open, json }) => {
      const settings = await open();
      assert.deepEqual(settings.current.limits, defaultSettings().limits);
      assert.equal(settings.current.camera.width, 640);
      assert.deepEqual(plain(settings.faults), [
        { path: 'variables.json:/limits/maxSpeedMmps', message: 'must be a whole number' },
      ]);
      assert.match(textOf(settings.invalidReason), /\/limits\/maxSpeedMmps must be a whole number/);

      await settings.update({ camera: { width: 320 } }, idle);
      assert.match(textOf(settings.invalidReason), /maxSpeedMmps/, 'saving another section does not unblock');
      assert.deepEqual(json().limits, { maxSpeedMmps: 'fast', ttlMs: 900 });

      await settings.update({ limits: { maxSpeedMmps: 250 } }, idle);
      assert.deepEqual([settings.invalidReason, settings.faults], ['', []]);
      assert.equal(settings.current.limits.ttlMs, 900, 'the rest of the section applies again');
    },
  ),
);

test(
  'an invalid camera section is reported as an error but does not block motion',
  withTempSettings({ 'variables.json': '{"camera":[]}' }, async ({ open }) => {
    const settings = await open();
    assert.equal(settings.invalidReason, '');
    assert.equal(settings.faults[0]?.path, 'variables.json:/camera');
  }),
);

test(
  'reports and ignores unknown keys, and keeps them in the file until the next save',
  withTempSettings(
    { 'variables.json': '{"limits":{"maxSpedMmps":1},"toString":2,"gateway":{"name":"Bo"}}' },
    async ({ open, log, json }) => {
      const settings = await open();
      assert.deepEqual(settings.faults.map(({ path }) => path).sort(), [
        'variables.json:/limits/maxSpedMmps',
        'variables.json:/toString',
      ]);
      assert.equal(settings.current.gateway.name, 'Bo');
      assert.equal(settings.invalidReason, '');
      assert.equal(log.lines.filter(({ event }) => event === 'settings.fault_found').length, 2);
      assert.deepEqual(Object.keys(json()), ['limits', 'toString', 'gateway']);
      await settings.update({}, idle);
      assert.deepEqual([settings.faults, Object.keys(json()).includes('toString')], [[], false]);
    },
  ),
);

test(
  'deletes temporary files left by an interrupted save and uses the old file',
  withTempSettings(
    {
      'variables.json': good,
      'variables.json.tmp-4242-1-a1b2c3': '{"limits":{"maxSpeedMmps":999}}',
      'variables.json.bak.tmp-4242-2-a1b2c3': '{"lim',
    },
    async ({ dir, open }) => {
      const settings = await open();
      assert.equal(settings.current.limits.maxSpeedMmps, 111);
      assert.deepEqual(readdirSync(dir).sort(), ['settings-history', 'variables.json', 'variables.json.bak']);
    },
  ),
);

test(
  'warns when other users can read a file that contains a password, and keeps the file mode',
  withTempSettings({ 'variables.json': '{"mqtt":{"password":"s3cret"}}' }, async ({ dir, open, log }) => {
    chmodSync(join(dir, 'variables.json'), 0o644);
    const settings = await open();
    assert.ok(log.events().includes('settings.file_exposed'));
    await settings.update({ gateway: { name: 'Bo' } }, idle);
    assert.equal(statSync(join(dir, 'variables.json')).mode & 0o777, 0o644);
  }),
);

test.run();
