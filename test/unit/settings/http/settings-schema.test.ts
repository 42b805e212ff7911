import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import { SETTINGS_SCHEMA_ID, settingsDocument } from '../../../../src/settings/http/openapi.js';
import { defaultSettings, SECTIONS } from '../../../../src/settings/schema/schema.js';

const test = suite('schema of variables.json');

const ajv = new Ajv2020({ strict: true, strictTypes: false });
ajv.addVocabulary(['unit', 'apply', 'secret', 'basic', 'group', 'valueTitles', 'page', 'steps', 'fault']);
const isValid = ajv.compile(settingsDocument);

test('the schema is self-contained and can be found by its ID', () => {
  assert.equal(ajv.getSchema(SETTINGS_SCHEMA_ID), isValid);
  assert.deepEqual(Object.keys((settingsDocument as { properties: object }).properties), SECTIONS);
});

test('the schema requires only values that have no default', () => {
  assert.equal(isValid(defaultSettings()), true, ajv.errorsText(isValid.errors));
  assert.equal(isValid({}), true);
  assert.equal(isValid({ limits: { maxSpeedMmps: 200 }, camera: { awbGains: {} } }), true);
  assert.equal(isValid({ carts: [{ cartID: 2 }] }), true);
  assert.equal(isValid({ carts: [{ name: 'nameless' }] }), false);
});

test('the schema rejects documents that the gateway rejects', () => {
  for (const wrong of [
    { limits: { maxSpeedMmps: -1 } },
    { limits: { maxSpeedMmps: '200' } },
    { mqtt: { root: 'a b' } },
    { colour: 'red' },
    { camera: { mode: 'film' } },
  ]) {
    assert.equal(isValid(wrong), false, JSON.stringify(wrong));
  }
});

test.run();
