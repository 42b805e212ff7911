import assert from 'node:assert/strict';
import { test } from 'uvu';
import { documentFromForm } from '../../../../src/settings/http/fields.js';
import { settingsForm } from '../../../../src/settings/http/form.js';
import { settingsSchema } from '../../../../src/settings/schema/schema.js';
import { maskedSettings } from '../../gateway/api/samples.js';

const read = (body: Record<string, unknown>, current?: unknown) =>
  documentFromForm(settingsSchema, body, { current });

test('converts text to the types in the schema', () => {
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

test('keeps unreadable values as text, so that validation names the field', () => {
  const body = { '/mqtt/port': '1e3', '/presets/angle': '{"1": ', '/limits/ttlMs': '0x10' };
  assert.deepEqual(read(body), {
    mqtt: { port: '1e3' },
    presets: { angle: '{"1": ' },
    limits: { ttlMs: '0x10' },
  });
});

test('ignores keys that are not in the schema', () => {
  const body = JSON.parse(
    '{"__proto__": "x", "/__proto__/polluted": "1", "/mqtt/constructor": "1", "a": "b"}',
  );
  assert.deepEqual(read(body), {});
  assert.equal('polluted' in {}, false);
});

test('omits values that match the current document', () => {
  const current = maskedSettings();
  const { sections } = settingsForm(settingsSchema, current);
  const rows = sections.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const whole = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  assert.deepEqual(read(whole, current), {}, 'an untouched form changes nothing');
  assert.deepEqual(read({ ...whole, '/limits/ttlMs': '1500' }, current), { limits: { ttlMs: 1500 } });
});

test.run();
