import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { test } from 'uvu';
import { normaliseLegacy } from '../../../../src/settings/schema/legacy.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { hasCode } from '../../../helpers/has-code.js';
import { idle, withTempSettings } from '../temp-settings.js';

const SECRET = 'hunter2-s3cret';

test(
  'masks a secret as *** if it is set, and as an empty string if it is not',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    assert.equal(settings.masked().mqtt.password, '');
    await settings.update({ mqtt: { password: SECRET } }, idle);
    assert.equal(settings.masked().mqtt.password, '***');
    assert.equal(settings.current.mqtt.password, SECRET);
  }),
);

test(
  'the password *** keeps the stored password, any other string replaces it, and an empty string removes it',
  withTempSettings({}, async ({ open }) => {
    const settings = await open();
    await settings.update({ mqtt: { password: '***' } }, idle);
    assert.equal(settings.current.mqtt.password, '');
    await settings.update({ mqtt: { password: SECRET } }, idle);
    await settings.update({ mqtt: { ...settings.masked().mqtt, username: 'bo' } }, idle);
    assert.deepEqual([settings.current.mqtt.password, settings.current.mqtt.username], [SECRET, 'bo']);
    await settings.update({ host: 'broker.lan', password: '***' }, idle);
    assert.equal(settings.current.mqtt.password, SECRET, 'also in the flat form');
    await settings.update({ mqtt: { password: '' } }, idle);
    assert.equal(settings.current.mqtt.password, '');
  }),
);

test(
  'a masked password in the file at startup counts as unset and is reported',
  withTempSettings({ 'variables.json': '{"mqtt":{"password":"***"}}' }, async ({ open }) => {
    const settings = await open();
    assert.deepEqual(
      [settings.current.mqtt.password, settings.faults[0]?.path],
      ['', 'variables.json:/mqtt/password'],
    );
  }),
);

for (const [name, content] of [
  ['a byte order mark', Buffer.from('\uFEFFsecret')],
  ['bytes that are not UTF-8', Buffer.from('caf\xe9', 'latin1')],
  ['UTF-16 text', Buffer.from('\uFEFFsecret', 'utf16le')],
] as const) {
  test(
    `rejects a password file that contains ${name}`,
    withTempSettings({ 'broker-passwords/pw.txt': '' }, async ({ dir, open }) => {
      writeFileSync(join(dir, 'broker-passwords/pw.txt'), content);
      const settings = await open();
      await settings.update({ mqtt: { passwordFile: 'pw.txt' } }, idle);
      await assert.rejects(settings.password(), hasCode('CONFIG_INVALID'));
    }),
  );
}

test(
  'reports a settings file that is not UTF-8',
  withTempSettings({}, async ({ dir, open }) => {
    writeFileSync(join(dir, 'variables.json'), Buffer.from('{"gateway":{"name":"Caf\xe9"}}', 'latin1'));
    const settings = await open();
    assert.match(JSON.stringify(settings.faults), /not valid UTF-8/);
    assert.doesNotMatch(settings.current.gateway.name, /\uFFFD/);
  }),
);

test(
  'reads the password from its file, the environment, systemd or the settings, in this order of precedence',
  withTempSettings(
    { 'broker-passwords/pw.txt': 'from-file\n', 'credentials/mqtt_password': 'from-systemd' },
    async ({ dir, open }) => {
      const env: NodeJS.ProcessEnv = {
        CREDENTIALS_DIRECTORY: join(dir, 'credentials'),
        MQTT_PASSWORD: 'from-env',
      };
      const settings = await open({ env });
      await settings.update({ mqtt: { password: 'inline', passwordFile: 'pw.txt' } }, idle);
      assert.equal(await settings.password(), 'from-file');
      await settings.update({ mqtt: { passwordFile: '' } }, idle);
      assert.equal(await settings.password(), 'from-env');
      delete env.MQTT_PASSWORD;
      assert.equal(await settings.password(), 'from-systemd');
      env.CREDENTIALS_DIRECTORY = join(dir, 'elsewhere');
      assert.equal(await settings.password(), 'inline');
    },
  ),
);

const FILES = {
  'setup-code': 'a-code',
  'broker-passwords/key.pem': 'a\nb\n',
  'broker-passwords/long.txt': 'x'.repeat(1025),
};
for (const [name, file, reason] of [
  ['missing', 'none.txt', /ENOENT/],
  ['a directory', 'folder', /not a regular file/],
  ['several lines, such as a private key', 'key.pem', /more than one line/],
  ['too long', 'long.txt', /longer than 1024/],
  ['not a plain file', 'zero', /not a regular file/],
  ['reported as empty', 'maps', /longer than 1024/],
  ['another secret of the gateway', '../setup-code', /not in .*broker-passwords/],
  ['the environment of the gateway', '/proc/self/environ', /not in .*broker-passwords/],
] as const) {
  test(
    `rejects an unusable password file (${name}) and does not use another password`,
    withTempSettings(FILES, async ({ dir, open }) => {
      const folder = join(dir, 'broker-passwords');
      mkdirSync(join(folder, 'folder'));
      symlinkSync('/dev/zero', join(folder, 'zero'));
      symlinkSync('/proc/self/maps', join(folder, 'maps'));
      const settings = await open({ env: { MQTT_PASSWORD: 'from-env' } });
      await settings.update({ mqtt: { passwordFile: file } }, idle);
      await assert.rejects(settings.password(), (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.equal(error.code, 'CONFIG_INVALID');
        assert.match(error.message, reason);
        return true;
      });
    }),
  );
}

// Fault case 43
test(
  'no log line, error or dump contains a password, regardless of the error in the document',
  withTempSettings({}, async (temp) => {
    const output: string[] = [];
    const files = [
      `{"mqtt":{"password":"${SECRET}","port":"x"}}`,
      `{"mqtt":{"password":"${SECRET}",}}`,
      `{"mqtt":{"password":"${SECRET}`,
      `{"password":"${SECRET}","hots":1}`,
      `{"broker":"mqtt//bo:${SECRET}@host"}`,
      `{"broker":"mqtt://bo:${SECRET}@ho st"}`,
      `{"mqtt":{"password":["${SECRET}"]}}`,
    ];
    for (const text of files) {
      temp.write(text);
      const settings = await temp.open();
      output.push(
        inspect([settings.faults, settings.invalidReason, settings.masked(), settings], {
          depth: 20,
          showHidden: true,
        }),
      );
      await settings.close();
    }
    const settings = await temp.open();
    const bodies = [
      { mqtt: { password: SECRET, port: -1 } },
      { mqtt: { password: { text: SECRET } } },
      { url: `http://bo:${SECRET}@host` },
      { broker: { url: `mqtt://bo:${SECRET}@host:99999` } },
      { broker: { host: 'h', pasword: SECRET } },
    ];
    for (const body of bodies) {
      const error = await settings.update(body, idle).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof GatewayError);
      output.push(inspect(error, { depth: 20 }), JSON.stringify(error.info));
    }
    output.push(JSON.stringify(temp.log.lines));
    assert.ok(!output.join('\n').includes('hunter2'));
  }),
);

const external = { broker: 'external', protocol: 'mqtt', host: 'b.lan', port: 1883 };
const FORMS: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'flat',
    { host: 'b.lan', port: '1884', username: 'bo', password: 'p' },
    { host: 'b.lan', port: 1884, username: 'bo', password: 'p' },
  ],
  ['an object', { broker: { host: 'b.lan', port: 1883 } }, { host: 'b.lan', port: 1883 }],
  [
    'a URL',
    { broker: 'mqtt://bo:p%40w@b.lan:1999' },
    { ...external, port: 1999, username: 'bo', password: 'p@w' },
  ],
  ['a URL with TLS', { url: 'mqtts://b.lan' }, { ...external, protocol: 'mqtts', port: 8883 }],
  ['a URL with an IPv6 address', { url: 'tcp://[::1]' }, { ...external, host: '::1' }],
  [
    'an object with a URL',
    { broker: { url: 'mqtt://b.lan', username: 'bo' } },
    { ...external, username: 'bo' },
  ],
];

for (const [name, written, expected] of FORMS) {
  test(`converts a broker setting in short form (${name}) to an mqtt section with an external broker`, () => {
    const { document, faults } = normaliseLegacy({ ...written, limits: {} });
    assert.deepEqual(faults, []);
    assert.deepEqual(document, { limits: {}, mqtt: { broker: 'external', ...expected } });
  });

  test(
    `reads a broker setting in short form (${name}) identically from the file and from an update`,
    withTempSettings({ 'variables.json': JSON.stringify(written) }, async ({ open, json, write }) => {
      const fromFile = await open();
      assert.deepEqual([fromFile.faults, fromFile.invalidReason], [[], '']);
      assert.deepEqual(json().mqtt, fromFile.current.mqtt, 'the file is rewritten in the standard form');
      write('{}');
      const updated = await open();
      await updated.update(written, idle);
      assert.deepEqual(updated.current.mqtt, fromFile.current.mqtt);
      assert.equal(updated.current.mqtt.broker, 'external');
    }),
  );
}

test('values in the mqtt section take precedence over a broker setting in short form', () => {
  const { document } = normaliseLegacy({ host: 'a', mqtt: { host: 'b', broker: 'embedded' } });
  assert.deepEqual(document, { mqtt: { broker: 'embedded', host: 'b' } });
});

test.run();
