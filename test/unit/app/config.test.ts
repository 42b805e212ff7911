import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { GatewayError } from '../../../src/shared/errors.js';

function withFile(text: string, run: (cwd: string, file: string) => void) {
  return () => {
    const cwd = mkdtempSync(join(tmpdir(), 'cartwright-config-'));
    try {
      writeFileSync(join(cwd, 'gw.json'), text);
      run(cwd, join(cwd, 'gw.json'));
    } finally {
      rmSync(cwd, { recursive: true });
    }
  };
}

function faultsOf(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'CONFIG_INVALID');
    return error;
  }
  return assert.fail('was not rejected');
}

test("loads the package's configuration file by default, regardless of the working directory", () => {
  const { file, ...config } = loadConfig({}, '/somewhere/else');
  assert.match(file, /\/config\/default\.json$/);
  assert.deepEqual(config, {
    host: '0.0.0.0',
    port: 3000,
    httpsPort: 3443,
    dataDir: '/somewhere/else/data',
    auth: 'required',
    logLevel: 'info',
    hostnames: [],
    trustedProxies: [],
    confirmSeconds: 60,
    settings: {},
  });
});

test(
  'environment variables take precedence over the file, and the file over the defaults; empty variables are ignored',
  withFile('{"port":8080,"host":"127.0.0.1","auth":"trusted-lan","hostnames":["cart.lan"]}', (cwd, file) => {
    const env = { CARTWRIGHT_CONFIG: 'gw.json', PORT: '0', HOST: '', CARTWRIGHT_DATA_DIR: '/var/lib/cart' };
    const config = loadConfig({ ...env, CARTWRIGHT_LOG_LEVEL: 'debug' }, cwd);
    assert.deepEqual(config, {
      file,
      host: '127.0.0.1',
      port: 0,
      httpsPort: 3443,
      dataDir: '/var/lib/cart',
      auth: 'trusted-lan',
      logLevel: 'debug',
      hostnames: ['cart.lan'],
      trustedProxies: [],
      confirmSeconds: 60,
      settings: {},
    });
  }),
);

test(
  'accepts addresses and networks as trusted proxies, and rejects host names',
  withFile('{"trustedProxies":["10.0.0.0/8","::1","proxy.lan"]}', (cwd) => {
    const error = faultsOf(() => loadConfig({ CARTWRIGHT_CONFIG: 'gw.json' }, cwd));
    assert.deepEqual(
      error.info.faults?.map(({ path }) => path),
      ['gw.json:/trustedProxies'],
    );
    assert.match(error.message, /"proxy\.lan" is neither an address nor a network/);
  }),
);

test(
  'omits and reports invalid host names and URLs that earlier versions accepted',
  withFile(
    '{"hostnames":["cart.lan","999.1.1.1"],"payments":{"currency":"EUR","publicUrl":"http://cart.lan:99999"}}',
    (cwd) => {
      const { hostnames, payments, notices } = loadConfig({ CARTWRIGHT_CONFIG: 'gw.json' }, cwd);
      assert.deepEqual([hostnames, payments], [['cart.lan'], { currency: 'EUR' }]);
      assert.deepEqual(
        notices?.map(({ path }) => path),
        ['gw.json:/hostnames/1', 'gw.json:/payments/publicUrl'],
      );
    },
  ),
);

test(
  'rejects a Stripe URL with an invalid port, instead of sending payments to Stripe itself',
  withFile('{"payments":{"provider":"stripe","stripeUrl":"http://127.0.0.1:99999"}}', (cwd) => {
    const error = faultsOf(() => loadConfig({ CARTWRIGHT_CONFIG: 'gw.json' }, cwd));
    assert.deepEqual(
      error.info.faults?.map(({ path }) => path),
      ['gw.json:/payments/stripeUrl'],
    );
  }),
);

test(
  'reports all errors together, each with its field and source (file or environment)',
  withFile('{"port":70000,"auth":"off","prot":1,"hostnames":["Bad Name"]}', (cwd) => {
    const env = { CARTWRIGHT_CONFIG: 'gw.json', PORT: '30x', CARTWRIGHT_LOG_LEVEL: 'loud', HOST: 'a b' };
    const error = faultsOf(() => loadConfig(env, cwd));
    const paths = error.info.faults?.map(({ path }) => path);
    assert.deepEqual(paths?.sort(), [
      'environment:CARTWRIGHT_LOG_LEVEL',
      'environment:HOST',
      'environment:PORT',
      'gw.json:/auth',
      'gw.json:/hostnames/0',
      'gw.json:/port',
      'gw.json:/prot',
    ]);
    for (const path of paths ?? []) assert.ok(error.message.includes(path), path);
  }),
);

test('reports a missing file together with environment errors', () => {
  const error = faultsOf(() => loadConfig({ CARTWRIGHT_CONFIG: '/none/gw.json', PORT: '-1' }, '/'));
  assert.deepEqual(
    error.info.faults?.map(({ path }) => path),
    ['none/gw.json', 'environment:PORT'],
  );
  assert.match(error.message, /ENOENT/);
});

test(
  'reports malformed JSON with the line and column',
  withFile('{\n  "port": 1,\n}', (cwd) => {
    const error = faultsOf(() => loadConfig({ CARTWRIGHT_CONFIG: 'gw.json' }, cwd));
    assert.match(error.message, /gw\.json the document is not valid JSON: line 3, column 1/);
  }),
);

for (const [variable, path] of [
  ['CARTWRIGHT_DATA_DIR', '"/var/lib/x"'],
  ['CARTWRIGHT_DATA_DIR', "'/var/lib/x'"],
  ['CARTWRIGHT_DATA_DIR', '"/var/lib/x'],
  ['CARTWRIGHT_DATA_DIR', '/var/lib/x '],
  ['CARTWRIGHT_CONFIG', '"gw.json"'],
  ['CARTWRIGHT_CONFIG', ' gw.json'],
] as const) {
  test(
    `rejects ${variable}=${path}, whose quotes or spaces would be part of the path`,
    withFile('{}', (cwd) => {
      const { faults } = faultsOf(() =>
        loadConfig({ CARTWRIGHT_CONFIG: 'gw.json', [variable]: path }, cwd),
      ).info;
      assert.deepEqual(
        faults?.map((fault) => fault.path),
        [`environment:${variable}`],
      );
      assert.match(String(faults?.[0]?.message), /without surrounding quotes or spaces, but is /);
    }),
  );
}

test(
  'rejects quoted paths in the configuration file',
  withFile(
    JSON.stringify({ dataDir: '"/var/lib/x"', tls: { certFile: "'c.pem'", keyFile: '"k.pem"' } }),
    (cwd) => {
      const { faults } = faultsOf(() => loadConfig({ CARTWRIGHT_CONFIG: 'gw.json' }, cwd)).info;
      assert.deepEqual(
        faults?.map(({ path }) => path),
        ['gw.json:/dataDir', 'gw.json:/tls/certFile', 'gw.json:/tls/keyFile'],
      );
    },
  ),
);

test.run();
