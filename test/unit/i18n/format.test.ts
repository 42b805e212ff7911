import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { upperFirst } from '../../../src/i18n/format.js';

const test = suite('texts that begin a sentence');

for (const text of [
  'mqtt://127.0.0.1:9561: the MQTT server rejected the connection',
  'https://example.com/hook: no response',
  'localhost:1883: connection refused',
  'broker-2.example.com:8883: connection refused',
  'distanceID must be at least 1',
]) {
  test(`upperFirst keeps the first letter of "${text}"`, () => {
    assert.equal(upperFirst(text), text);
  });
}

test('upperFirst capitalises a first word that is followed by a colon and a space', () => {
  assert.equal(upperFirst('host: must be a host name'), 'Host: must be a host name');
});

test.run();
