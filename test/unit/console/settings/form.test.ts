import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type SettingsForm, settingsForm } from '../../../../src/console/settings/form.js';
import type { FormRow } from '../../../../src/console/settings/row.js';
import { valueText } from '../../../../src/console/settings/value-text.js';
import { versionRows } from '../../../../src/console/settings/version-rows.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { NOT_CONFIRMED } from '../../../../src/settings/history/history.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { maskedSettings } from '../../app/api/samples.js';

const form = settingsForm(settingsSchema, maskedSettings());

function rowOf(settings: SettingsForm, name: string): FormRow {
  const rows = settings.sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const row = rows.find((candidate) => candidate.name === name);
  assert.ok(row, `no row ${name}`);
  return row;
}

test('a section in which only some settings need a restart states that those settings are marked', () => {
  const textOf = (name: string) => form.sections.find(({ id }) => id === name)?.applyText;
  for (const name of ['gateway', 'mqtt'])
    assert.equal(textOf(name), 'Takes effect immediately unless marked otherwise', name);
  assert.equal(textOf('beacons'), 'Takes effect immediately');
  assert.equal(textOf('limits'), 'Can be changed only while the cart is stationary');
  assert.equal(textOf('simulation'), 'Takes effect after a gateway restart');
  for (const name of ['/gateway/cartID', '/gateway/fleet', '/mqtt/root', '/mqtt/clientId'])
    assert.equal(rowOf(form, name).mark, 'Takes effect after a restart', name);
  assert.equal(rowOf(form, '/gateway/name').mark, '');
});

test('the settings form lists the sections in the intended order', () => {
  assert.deepEqual(
    form.sections.map(({ id }) => id),
    [
      'limits',
      'protectiveField',
      'safety',
      'gpio',
      'units',
      'serial',
      'gateway',
      'kinematics',
      'mqtt',
      'presets',
      'carts',
      'beacons',
      'navigation',
      'alarms',
      'shop',
      'logging',
      'simulation',
    ],
  );
});

test("takes a number's unit, range and help text from the schema", () => {
  const row = rowOf(form, '/serial/heartbeatMs');
  assert.deepEqual([row.unit, row.min, row.max, row.value], ['ms', '50', '200', '100']);
  assert.match(row.help, /Time between heartbeats .* 50 to 200\./);
  assert.deepEqual(row.is, { integer: true });
  assert.equal(rowOf(form, '/limits/maxAngleDeg').unit, '°');
});

test('a choice shows all enum values as readable labels and selects the stored value', () => {
  const { options, kind } = rowOf(form, '/mqtt/protocolVersion');
  assert.equal(kind, 'choice');
  assert.deepEqual(options, [
    { value: '4', label: 'MQTT 3.1.1', selected: true },
    { value: '5', label: 'MQTT 5', selected: false },
    { value: 'auto', label: 'Automatic', selected: false },
  ]);
});

test('shows the default value of a changed setting as a readable label', () => {
  const values = maskedSettings();
  const changed = settingsForm(settingsSchema, {
    ...values,
    limits: { ...values.limits, maxSpeedMmps: 250 },
    mqtt: { ...values.mqtt, broker: 'external', homeAssistant: true, username: 'anna' },
    carts: [{ cartID: 7, name: 'Cart 7' }],
  });
  const shown = (name: string) => {
    const { differs, default: standard, defaultText } = rowOf(changed, name);
    return [differs, standard, defaultText];
  };
  assert.deepEqual(shown('/limits/maxSpeedMmps'), [true, '300', '300 mm/s']);
  assert.deepEqual(shown('/mqtt/broker'), [true, 'embedded', 'Built into this gateway']);
  assert.deepEqual(shown('/mqtt/homeAssistant'), [true, 'false', 'off']);
  assert.deepEqual(shown('/mqtt/username'), [true, '', 'empty']);
  assert.deepEqual(shown('/carts'), [true, '[]', 'empty']);
  assert.deepEqual(shown('/limits/ttlMs'), [false, '2000', '2000 ms']);
});

const current = (shown: SettingsForm) =>
  shown.sections.filter(({ isCurrent }) => isCurrent).map(({ id }) => id);

test('opens the first section, a selected section, or the first section that has an error', () => {
  const withView = (section: string, path?: string) =>
    settingsForm(settingsSchema, maskedSettings(), {
      faults: path ? [{ path, message: 'is wrong' }] : [],
      view: { section },
    });
  assert.deepEqual(current(form), ['limits']);
  assert.deepEqual(current(withView('mqtt')), ['mqtt']);
  assert.deepEqual(current(withView('nothing')), ['limits']);
  assert.deepEqual(current(withView('mqtt', '/gpio/chip')), ['gpio']);
});

test('finds settings by title, help text, key, section and value, and shows all settings for an empty search', () => {
  const found = (find: string) => {
    const searched = settingsForm(settingsSchema, maskedSettings(), { view: { find } });
    const rows = searched.sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
    return rows.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  };
  assert.deepEqual(found('MAXIMUM  speed'), ['/limits/maxSpeedMmps', '/limits/defaultSpeedMmps']);
  assert.deepEqual(found('limits.maxSpeed'), ['/limits/maxSpeedMmps']);
  assert.deepEqual(found('/limits/maxSpeedMmps'), ['/limits/maxSpeedMmps']);
  assert.deepEqual(found('sabertooth heartbeat'), []);
  assert.deepEqual(found('mDNS'), ['/gateway/announce']);
  assert.deepEqual(found('tenths'), ['/units/angle']);
  assert.ok(found('motor enable').includes('/gpio/enable/bcm'), 'title of a group');
  assert.ok(found('').length > 60);
});

test('the basic settings include the mail server, the recipients and the webhooks of alarms', () => {
  const alarms = form.sections.find(({ id }) => id === 'alarms');
  const basic = alarms?.groups.flatMap(({ rows }) => rows).filter(({ isBasic }) => isBasic);
  assert.equal(alarms?.isBasic, true);
  assert.deepEqual(
    basic?.map(({ name }) => name.replace('/alarms/mail/', '')),
    ['host', 'port', 'tls', 'username', 'password', 'sender', 'recipients', '/alarms/webhook/urls'],
  );
});

test('lists the steps for connecting another gateway, with links to the pages', () => {
  const { help, steps } = rowOf(form, '/carts');
  assert.match(help, /To connect another gateway:$/);
  assert.deepEqual(
    steps.map(({ href }) => href),
    ['/keys', '/brokerSettings?section=mqtt#mqtt', '', '/brokerSettings?section=gateway#gateway', ''],
  );
});

test('the alarms section links to the test alarms', () => {
  const alarms = form.sections.find(({ id }) => id === 'alarms');
  assert.ok(alarms?.links.some(({ href }) => href === '/system#alarms'));
});

test('counts the basic and the advanced settings that a search finds', () => {
  const found = (find: string) => settingsForm(settingsSchema, maskedSettings(), { view: { find } }).found;
  assert.equal(found('maximum speed'), 'Found: 2 in Basic, 0 in Advanced');
  assert.equal(found('heartbeat timeout'), 'Found: 0 in Basic, 2 in Advanced');
  assert.equal(found(' '), '');
});

test('shows a secret only as its mask', () => {
  const row = rowOf(form, '/mqtt/password');
  assert.deepEqual([row.kind, row.value], ['secret', '***']);
});

test('shows a nested object as a group and a list as lines', () => {
  const gpio = form.sections.find(({ id }) => id === 'gpio');
  assert.deepEqual(
    gpio?.groups.map(({ title }) => title),
    ['', 'E-stop input', 'Motor enable output', 'Motor power read-back', 'Status LED'],
  );
  const { kind, isNumeric, value, default: standard, defaultText, help } = rowOf(form, '/simulation/carts');
  assert.deepEqual([kind, isNumeric, value, standard, defaultText], ['list', true, '2\n3', '2\n3', '2, 3']);
  assert.match(help, /\. One entry per line\.$/);
  const urls = rowOf(form, '/alarms/webhook/urls');
  assert.deepEqual([urls.kind, urls.isNumeric, urls.value, urls.defaultText], ['list', false, '', 'empty']);
});

const cells = (settings: SettingsForm, name: string) =>
  rowOf(settings, name).table?.rows.map((row) => row.cells.map(({ value }) => value));

test('shows a list of objects and a map as tables that end with an empty row', () => {
  const filled = settingsForm(settingsSchema, {
    ...maskedSettings(),
    carts: [{ cartID: 7, name: 'Forklift' }],
    presets: { distance: { 1: 500, 2: -500 }, angle: {} },
  });
  const titles = (name: string) => rowOf(filled, name).table?.columns.map(({ title }) => title);
  assert.deepEqual(titles('/carts'), ['Cart number', 'Name']);
  assert.deepEqual(cells(filled, '/carts'), [
    ['7', 'Forklift'],
    ['', ''],
  ]);
  assert.deepEqual(titles('/presets/distance'), ['Preset key', 'Distance (mm)']);
  assert.deepEqual(cells(filled, '/presets/distance'), [
    ['1', '500'],
    ['2', '-500'],
    ['', ''],
  ]);
  assert.deepEqual(cells(filled, '/presets/angle'), [['', '']]);
});

test('offers only rows that are not yet in the table', () => {
  const offers = {
    '/carts': [
      { label: '7 Forklift', cells: ['7', 'Forklift'] },
      { label: '8 Sweeper', cells: ['8', 'Sweeper'] },
    ],
  };
  const values = { ...maskedSettings(), carts: [{ cartID: 7, name: 'Renamed' }] };
  const offered = (entered: Record<string, unknown>) =>
    rowOf(settingsForm(settingsSchema, values, { offers, entered }), '/carts').table?.offers;
  assert.deepEqual(offered({}), [{ label: '8 Sweeper', value: '["8","Sweeper"]' }]);
  assert.deepEqual(offered({ '/carts/cartID': ['7', '8'], '/carts/name': ['a', 'b'] }), []);
});

test('shows an error beside its cell, and states the row and the column in the summary', () => {
  const faults = [
    { path: '/carts/1/name', message: 'must not be empty' },
    { path: '/presets/distance/3', message: 'must be a number' },
    { path: '/presets/angle/key/0', message: 'must be a whole number' },
  ];
  const entered = {
    '/carts/cartID': ['2', '', '3'],
    '/carts/name': ['Cart 2', '', ''],
    '/presets/distance/key': ['9', '3'],
    '/presets/distance/value': ['1', 'x'],
    '/presets/angle/key': 'left',
    '/presets/angle/value': '90',
  };
  const faulty = settingsForm(settingsSchema, maskedSettings(), { faults, entered });
  const errors = (name: string) =>
    rowOf(faulty, name).table?.rows.map((row) => row.cells.map(({ error }) => error).join('|'));
  assert.deepEqual(errors('/carts'), ['|', '|Must not be empty', '|']);
  assert.deepEqual(errors('/presets/distance'), ['|', '|Must be a number', '|']);
  assert.deepEqual(errors('/presets/angle'), ['Must be a whole number|', '|']);
  assert.deepEqual(
    faulty.faults.map(({ id, label, message }) => [id, `${label} ${message}`]),
    [
      ['set-carts-1-name', 'Other carts row 2, Name: must not be empty'],
      ['set-presets-distance-1-value', 'distanceID presets (mm) row 2, Distance (mm): must be a number'],
      ['set-presets-angle', 'angleID presets (degrees) row 1, Preset key: must be a whole number'],
    ],
  );
  assert.deepEqual(
    faulty.sections.filter(({ hasFaults }) => hasFaults).map(({ id }) => id),
    ['presets', 'carts'],
  );
});

test('shows an error that concerns a whole table below that table', () => {
  const faults = [{ path: '/carts', message: 'must have at most 1000 entries' }];
  const row = rowOf(settingsForm(settingsSchema, maskedSettings(), { faults }), '/carts');
  assert.deepEqual([row.error, row.hasError], ['Must have at most 1000 entries', true]);
});

test('the settings form shows null as an empty value', () => {
  const row = rowOf(form, '/gpio/base');
  assert.deepEqual([row.nullable, row.value], [true, '']);
});

test('shows an error in the summary and beside its field or, in a list of objects, beside its cell', () => {
  const faults = [
    { path: '/mqtt/port', message: 'must be at most 65535' },
    { path: '/carts/0/cartID', message: 'must be at least 1' },
    { path: '/nowhere', message: 'is not a known field' },
  ];
  const faulty = settingsForm(settingsSchema, maskedSettings(), { faults });
  assert.equal(rowOf(faulty, '/mqtt/port').error, 'Must be at most 65535');
  assert.equal(rowOf(faulty, '/carts').table?.rows[0]?.cells[0]?.error, 'Must be at least 1');
  assert.deepEqual(
    faulty.faults.map(({ id, label, message }) => [id, `${label} ${message}`]),
    [
      ['set-mqtt-port', 'Port must be at most 65535'],
      ['set-carts', 'Other carts row 1, Cart number: must be at least 1'],
      ['', '/nowhere is not a known field'],
    ],
  );
});

test('an error in a list states the line that contains the entry', () => {
  const name = '/alarms/webhook/urls';
  const faulty = settingsForm(settingsSchema, maskedSettings(), {
    faults: [{ path: `${name}/1`, message: 'must be a URL' }],
    entered: { [name]: 'http://a.lan/\r\n\r\nb.lan\r\n' },
  });
  const { error, value } = rowOf(faulty, name);
  assert.deepEqual([error, value], ['Line 3: must be a URL', 'http://a.lan/\n\nb.lan\n']);
  assert.equal(faulty.faults[0]?.message, 'line 3: must be a URL');
});

test("shows the user's input instead of the stored value", () => {
  const entered = { '/mqtt/port': 'abc', '/serial/legacyJson': 'true' };
  const again = settingsForm(settingsSchema, maskedSettings(), { entered });
  assert.equal(rowOf(again, '/mqtt/port').value, 'abc');
  assert.equal(rowOf(again, '/serial/legacyJson').checked, true);
});

test('every row has a unique ID', () => {
  const ids = form.sections.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  assert.equal(new Set(ids).size, ids.length);
});

test('the Dutch form shows ranges and values with a decimal comma', () => {
  const dutch = withLanguage('nl', () => settingsForm(settingsSchema, maskedSettings()));
  assert.match(rowOf(dutch, '/beacons/pathLossExponent').help, /Bereik: 1,6 tot 4,5\./);
  assert.equal(
    withLanguage('nl', () => valueText(2.4, undefined)),
    '2,4',
  );
  assert.equal(valueText(2.4, undefined), '2.4');
});

test('a list of versions shows a third change instead of "and 1 more"', () => {
  const changes = ['maxSpeedMmps', 'maxTurnDps', 'accelMmps2', 'decelMmps2'].map((key) => ({
    pointer: `/limits/${key}`,
    keys: ['limits', key],
    from: 1,
    to: 2,
  }));
  const shown = (count: number) => {
    const version = {
      version: 2,
      atMs: 0,
      by: userActor('anna'),
      why: 'save',
      changes: changes.slice(0, count),
    };
    const [row] = versionRows(settingsSchema, [version as never]);
    return [row?.shown.length, row?.more];
  };
  assert.deepEqual([2, 3, 4].map(shown), [
    [2, ''],
    [3, ''],
    [2, 'and 2 more changes'],
  ]);
});

test("a list of versions shows local times in the page's language", () => {
  const atMs = new Date(2026, 2, 4, 15, 6, 7).getTime();
  const version = { version: 2, atMs, by: userActor('anna'), why: 'save', changes: [] };
  const [row] = withLanguage('nl', () => versionRows(settingsSchema, [version as never]));
  assert.equal(row?.when, '4 mrt 2026, 15:06:07');
  const undone = { ...version, by: NOT_CONFIRMED, why: 'rollback' };
  const [last] = withLanguage('nl', () => versionRows(settingsSchema, [undone as never]));
  assert.deepEqual([last?.by, last?.why], ['niet op tijd bevestigd', 'teruggedraaid']);
  const [named] = versionRows(settingsSchema, [{ ...version, by: userActor('restart') } as never]);
  assert.equal(named?.by, 'restart');
});

test.run();
