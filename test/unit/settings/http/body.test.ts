import assert from 'node:assert/strict';
import { test } from 'uvu';
import { documentFromForm } from '../../../../src/console/settings/fields.js';
import { settingsForm } from '../../../../src/console/settings/form.js';
import type { FormRow } from '../../../../src/console/settings/row.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import type { GatewayError } from '../../../../src/shared/errors.js';
import { maskedSettings } from '../../app/api/samples.js';

const read = (body: Record<string, unknown>, current?: unknown) =>
  documentFromForm(settingsSchema, body, { current });

test('converts form text to the types in the schema', () => {
  const body = { '/mqtt/port': ' 8883 ', '/mqtt/host': 'broker.lan', '/mqtt/protocolVersion': '5' };
  assert.deepEqual(read(body), { mqtt: { port: 8883, host: 'broker.lan', protocolVersion: 5 } });
});

test('accepts a text option for a choice that also has numeric options', () => {
  assert.deepEqual(read({ '/mqtt/protocolVersion': 'auto' }), { mqtt: { protocolVersion: 'auto' } });
});

test('reads an unchecked box as false and a checked box as true', () => {
  assert.deepEqual(read({ '/serial/legacyJson': 'false' }), { serial: { legacyJson: false } });
  assert.deepEqual(read({ '/serial/legacyJson': ['false', 'true'] }), { serial: { legacyJson: true } });
});

test('reads an empty string as null only where null is allowed', () => {
  assert.deepEqual(read({ '/gpio/base': '', '/mqtt/port': '' }), {
    gpio: { base: null },
    mqtt: { port: '' },
  });
});

test('parses JSON text and converts pointers to nested objects', () => {
  const body = { '/presets/distance': '{"1": 500}', '/gpio/estop/bcm': '4', '/carts': '[]' };
  assert.deepEqual(read(body), {
    presets: { distance: { 1: 500 } },
    gpio: { estop: { bcm: 4 } },
    carts: [],
  });
});

test('parses one list entry per line, and parses an empty string as an empty list', () => {
  const body = {
    '/alarms/webhook/urls': 'https://a.lan/x\r\n\r\n http://b.lan/ ',
    '/alarms/mail/recipients': '',
    '/simulation/carts': '4\r\nfive',
  };
  assert.deepEqual(read(body), {
    alarms: { webhook: { urls: ['https://a.lan/x', 'http://b.lan/'] }, mail: { recipients: [] } },
    simulation: { carts: [4, 'five'] },
  });
});

test('keeps unreadable values as text for the validation', () => {
  const body = { '/mqtt/port': '1e3', '/presets/angle': '{"1": ', '/limits/ttlMs': '0x10' };
  assert.deepEqual(read(body), {
    mqtt: { port: '1e3' },
    presets: { angle: '{"1": ' },
    limits: { ttlMs: '0x10' },
  });
});

test('ignores form keys that are not in the schema', () => {
  const body = JSON.parse(
    '{"__proto__": "x", "/__proto__/polluted": "1", "/mqtt/constructor": "1", "a": "b"}',
  );
  assert.deepEqual(read(body), {});
  assert.equal('polluted' in {}, false);
});

/** The fields that the form submits for a setting. */
function fieldsOf({ name, value, table }: FormRow): [string, string | string[]][] {
  if (!table) return [[name, value]];
  return (
    table.rows[0]?.cells.map((cell, column) => [
      cell.name,
      table.rows.map(({ cells }) => cells[column]?.value ?? ''),
    ]) ?? []
  );
}

test('reads the rows of a list of objects, and ignores empty rows', () => {
  const body = { '/carts/cartID': [' 2 ', '', '4'], '/carts/name': ['Cart 2', ' ', 'North'] };
  assert.deepEqual(read(body), {
    carts: [
      { cartID: 2, name: 'Cart 2' },
      { cartID: 4, name: 'North' },
    ],
  });
  assert.deepEqual(read({ '/carts/cartID': '', '/carts/name': '' }), { carts: [] });
});

test('adds the rows whose boxes are checked in the form', () => {
  const body = { '/carts/cartID': '', '/carts/name': '', '/carts/add': ['["4","North"]', 'no JSON'] };
  assert.deepEqual(read(body), { carts: [{ cartID: 4, name: 'North' }] });
});

test('reads the changed rows of a map, and removes the entries without a row', () => {
  const body = {
    '/presets/distance/key': ['1', '', '-4'],
    '/presets/distance/value': ['500', '', '0.5'],
    '/presets/angle/key': '',
    '/presets/angle/value': '',
  };
  const current = { presets: { distance: { 1: 500, 2: -500 }, angle: { 7: 90 } } };
  assert.deepEqual(read(body, current), {
    presets: { distance: { 2: null, '-4': 0.5 }, angle: { 7: null } },
  });
});

test('keeps an incomplete row for the validation', () => {
  const body = {
    '/carts/cartID': ['', 'two'],
    '/carts/name': ['North', ''],
    '/presets/angle/key': '3',
    '/presets/angle/value': '',
  };
  assert.deepEqual(read(body), {
    carts: [
      { cartID: '', name: 'North' },
      { cartID: 'two', name: '' },
    ],
    presets: { angle: { 3: '' } },
  });
});

test('rejects a map with an invalid or repeated name, and reports its rows', () => {
  const body = {
    '/presets/distance/key': ['1', '', 'far', '1'],
    '/presets/distance/value': ['500', '700', '900', '600'],
    '/presets/angle/key': ['__proto__', '1'],
    '/presets/angle/value': ['1', '1'],
  };
  assert.throws(
    () => read(body),
    ({ info: { faults = [] } }: GatewayError) => {
      assert.deepEqual(
        faults.map(({ path }) => path),
        [
          '/presets/distance/key/1',
          '/presets/distance/key/2',
          '/presets/distance/key/3',
          '/presets/angle/key/0',
        ],
      );
      return true;
    },
  );
});

test('omits form values that match the current document', () => {
  const current = {
    ...maskedSettings(),
    carts: [{ cartID: 7, name: 'Forklift' }],
    presets: { distance: { 1: 500, 2: 0.5 }, angle: {} },
  };
  const { sections } = settingsForm(settingsSchema, current);
  const rows = sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const whole = Object.fromEntries(rows.flatMap(fieldsOf));
  assert.deepEqual(read(whole, current), {}, 'an untouched form changes nothing');
  assert.deepEqual(read({ ...whole, '/limits/ttlMs': '1500' }, current), { limits: { ttlMs: 1500 } });
});

test.run();
