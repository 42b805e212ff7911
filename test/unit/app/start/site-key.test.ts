import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { test } from 'uvu';
import { siteKeyOf } from '../../../../src/app/start/secrets.js';
import { GatewayError } from '../../../../src/shared/errors.js';

const KEY = '0123456789abcdef0123456789abcdef';

test('reads the site key from the environment or, if it is not set, from a systemd credential', () => {
  const dir = mkdtempSync(join(tmpdir(), 'site-key-'));
  try {
    assert.equal(siteKeyOf({}), undefined);
    assert.equal(siteKeyOf({ CREDENTIALS_DIRECTORY: dir }), undefined);
    writeFileSync(join(dir, 'site-key'), `${KEY}-file\n`);
    const env: NodeJS.ProcessEnv = { CREDENTIALS_DIRECTORY: dir, CARTWRIGHT_SITE_KEY: KEY };
    assert.equal(siteKeyOf(env)?.export().toString(), KEY);
    delete env.CARTWRIGHT_SITE_KEY;
    assert.equal(siteKeyOf(env)?.export().toString(), `${KEY}-file`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('rejects a short site key and never prints a site key', () => {
  assert.throws(
    () => siteKeyOf({ CARTWRIGHT_SITE_KEY: 'too-short-a-key' }),
    (error) =>
      error instanceof GatewayError &&
      error.code === 'CONFIG_INVALID' &&
      !inspect(error).includes('too-short-a'),
  );
  const key = siteKeyOf({ CARTWRIGHT_SITE_KEY: KEY });
  assert.ok(!inspect(key).includes(KEY) && !JSON.stringify({ key }).includes(KEY));
});

test.run();
