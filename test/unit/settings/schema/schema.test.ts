import assert from 'node:assert/strict';
import { test } from 'uvu';
import { readDocument } from '../../../../src/settings/document/document.js';
import {
  applyOf,
  defaultSettings,
  type SchemaNode,
  SECRETS,
  SECTIONS,
  type Settings,
  settingsSchema,
} from '../../../../src/settings/schema/schema.js';
import { checkerFor } from '../../../../src/shared/validation/validate.js';
import { plain } from '../../../helpers/plain.js';

type Described = SchemaNode & {
  description?: string;
  enum?: readonly unknown[];
  valueTitles?: Readonly<Record<string, string>>;
};

function* leaves(schema: Described, path = ''): Generator<[string, Described]> {
  if (!schema.properties) yield [path, schema];
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* leaves(part, `${path}/${name}`);
}

test('every setting has a title, a default and, unless it is a list or table, a description', () => {
  for (const [path, leaf] of leaves(settingsSchema)) {
    assert.ok(leaf.title, `${path} has a title`);
    assert.notEqual(leaf.default, undefined, `${path} has a default`);
    if (leaf.type !== 'array' && leaf.type !== 'object') assert.ok(leaf.description, `${path} is described`);
  }
});

test('every enumeration has a label for each value, unless all its values are numbers', () => {
  for (const [path, { enum: values = [], valueTitles = {} }] of leaves(settingsSchema)) {
    if (values.every((value) => typeof value === 'number')) assert.deepEqual(valueTitles, {}, path);
    else assert.deepEqual(Object.keys(valueTitles).toSorted(), values.map(String).toSorted(), path);
  }
});

test('the basic settings number between 15 and 30 and include all safety settings', () => {
  const sections = Object.entries(settingsSchema.properties as Record<string, Described>);
  const basic = sections.flatMap(([name, section]) =>
    [...leaves(section, `/${name}`)].filter(([, leaf]) => leaf.basic).map(([path]) => path),
  );
  assert.ok(basic.length >= 15 && basic.length <= 30, basic.join(', '));
  for (const name of Object.keys(settingsSchema.properties.safety.properties))
    assert.ok(basic.includes(`/safety/${name}`), name);
});

test('every section has a title and defines when a change takes effect', () => {
  for (const section of SECTIONS) {
    assert.ok(settingsSchema.properties[section].title, section);
    assert.match(applyOf(section), /^(live|idle|restart)$/);
  }
});

test('the defaults are complete and valid, and they complete an empty document', () => {
  const { settings, invalid, unknown } = readDocument({});
  assert.deepEqual({ invalid: [...invalid], unknown }, { invalid: [], unknown: [] });
  assert.deepEqual(settings, defaultSettings());
});

test('returns a new copy of the defaults on each call', () => {
  const first = defaultSettings();
  first.mqtt.host = 'changed';
  assert.equal(defaultSettings().mqtt.host, '127.0.0.1');
});

test('the passwords and the webhook secret are the only secrets', () => {
  assert.deepEqual(SECRETS, ['/mqtt/password', '/alarms/mail/password', '/alarms/webhook/secret']);
});

test('the TypeScript type of the settings matches the schema', () => {
  const version: Settings['mqtt']['protocolVersion'][] = [4, 5, 'auto'];
  const broker: Settings['mqtt']['broker'] = defaultSettings().mqtt.broker;
  assert.deepEqual([broker, version.length], ['embedded', 3]);
});

test('describes a pattern mismatch in words and omits the pattern', () => {
  const check = checkerFor(settingsSchema.properties.mqtt);
  const result = check({ ...defaultSettings().mqtt, host: 'a b', root: 'cart//v1' });
  assert.deepEqual(plain('faults' in result && result.faults), [
    { path: '/host', message: 'must be a host name or an address, without spaces or slashes' },
    {
      path: '/root',
      message:
        'must be 1 to 4 levels separated by slashes; each level must consist of 1 to 32 letters, digits, _ or -',
    },
  ]);
});

test.run();
