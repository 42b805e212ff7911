import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type FormRow, type SettingsForm, settingsForm } from '../../../../src/settings/http/form.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { maskedSettings } from '../../gateway/api/samples.js';

const form = settingsForm(settingsSchema, maskedSettings());

function rowOf(settings: SettingsForm, name: string): FormRow {
  const rows = settings.sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const row = rows.find((candidate) => candidate.name === name);
  assert.ok(row, `no row ${name}`);
  return row;
}

test('lists the sections in the intended order', () => {
  assert.deepEqual(
    form.sections.map(({ id }) => id),
    [
      'mqtt',
      'serial',
      'units',
      'limits',
      'gateway',
      'kinematics',
      'safety',
      'gpio',
      'simulation',
      'presets',
      'carts',
      'beacons',
      'logging',
    ],
  );
});

test("takes a number's unit, range, step and help text from the schema", () => {
  const row = rowOf(form, '/serial/heartbeatMs');
  assert.deepEqual([row.unit, row.min, row.max, row.step, row.value], ['ms', '50', '200', '1', '100']);
  assert.match(row.help, /Time between heartbeats .* 50 to 200\./);
  assert.deepEqual(row.is, { integer: true });
});

test('a choice offers all enum values and selects the stored value', () => {
  const { options, kind } = rowOf(form, '/mqtt/protocolVersion');
  assert.equal(kind, 'choice');
  assert.deepEqual(options, [
    { value: '4', selected: true },
    { value: '5', selected: false },
    { value: 'auto', selected: false },
  ]);
});

test('shows a secret only as its mask', () => {
  const row = rowOf(form, '/mqtt/password');
  assert.deepEqual([row.kind, row.value], ['secret', '***']);
});

test('shows nested objects as groups, and arrays and free-form tables as JSON', () => {
  const gpio = form.sections.find(({ id }) => id === 'gpio');
  assert.deepEqual(
    gpio?.groups.map(({ title }) => title),
    ['', 'E-stop input', 'Motor enable output', 'Motor power read-back', 'Status LED'],
  );
  assert.equal(rowOf(form, '/simulation/carts').value, '[\n  2,\n  3\n]');
  assert.equal(rowOf(form, '/presets/distance').value, '{}');
  assert.equal(rowOf(form, '/carts').kind, 'json');
});

test('shows null as an empty value', () => {
  const row = rowOf(form, '/gpio/base');
  assert.deepEqual([row.nullable, row.value], [true, '']);
});

test('shows an error in the summary and beside its field, or beside the field that contains it', () => {
  const faults = [
    { path: '/mqtt/port', message: 'must be at most 65535' },
    { path: '/carts/0/cartID', message: 'must be at least 1' },
    { path: '/nowhere', message: 'is not a known field' },
  ];
  const faulty = settingsForm(settingsSchema, maskedSettings(), { faults });
  assert.equal(rowOf(faulty, '/mqtt/port').error, 'Must be at most 65535');
  assert.equal(rowOf(faulty, '/carts').error, '1, cartID must be at least 1');
  assert.deepEqual(
    faulty.faults.map(({ id, label, message }) => [id, `${label} ${message}`]),
    [
      ['set-mqtt-port', 'Port must be at most 65535'],
      ['set-carts', 'Other carts 1, cartID must be at least 1'],
      ['', '/nowhere is not a known field'],
    ],
  );
});

test("shows the user's input instead of the stored value", () => {
  const entered = { '/mqtt/port': 'abc', '/serial/legacyJson': 'true' };
  const again = settingsForm(settingsSchema, maskedSettings(), { entered });
  assert.equal(rowOf(again, '/mqtt/port').value, 'abc');
  assert.equal(rowOf(again, '/serial/legacyJson').checked, true);
});

test('gives every row a unique id', () => {
  const ids = form.sections.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  assert.equal(new Set(ids).size, ids.length);
});

test.run();
