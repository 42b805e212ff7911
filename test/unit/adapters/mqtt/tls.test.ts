import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { readTls } from '../../../../src/adapters/mqtt/options.js';
import { GatewayError } from '../../../../src/shared/errors.js';

const dir = mkdtempSync(join(tmpdir(), 'cartwright-tls-'));
const long = join(dir, 'long.pem');
writeFileSync(long, Buffer.alloc(524_289));

const NONE = { ca: '', cert: '', key: '', servername: '', rejectUnauthorized: true };

for (const [path, reason] of [
  ['/dev/zero', 'not a regular file'],
  [long, 'longer than 524288 bytes'],
  ['/none.pem', 'the file or its directory does not exist (ENOENT)'],
]) {
  test(`rejects ${path} as a certificate without reading the whole file`, () =>
    assert.rejects(readTls({ ...NONE, ca: path ?? '' }), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual(
        [error.code, error.message],
        ['BROKER_DOWN', `the CA certificate cannot be read: ${path}: ${reason}`],
      );
      return true;
    }));
}

test.after(() => rmSync(dir, { recursive: true }));
test.run();
