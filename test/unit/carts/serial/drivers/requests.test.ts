import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { NackCode } from '../../../../../src/carts/serial/codec/codec.js';
import { NACK_ERROR_CODES, nackError } from '../../../../../src/carts/serial/drivers/requests.js';
import { failureOf } from '../../../../../src/http/errors.js';
import { packageRoot } from '../../../../../src/shared/package-root.js';

const test = suite('rejected requests');

const STATUSES: Readonly<Record<NackCode, number>> = {
  BAD_LENGTH: 503,
  UNKNOWN_TYPE: 503,
  BAD_SESSION: 503,
  ESTOP_ACTIVE: 409,
  FAULT: 503,
  BUSY: 409,
  RANGE: 400,
  EXPIRED: 504,
  UNSUPPORTED: 409,
  DISARMED: 503,
};

for (const [name, status] of Object.entries(STATUSES) as [NackCode, number][]) {
  test(`NACK ${name} has the HTTP status ${status}`, () => {
    const failure = failureOf(nackError(name));
    assert.deepEqual([failure.status, failure.body.code], [status, `CONTROLLER_${name}`]);
  });
}

test('every NACK code of the protocol has an error code', () => {
  const text = readFileSync(join(packageRoot(), 'docs/protocol.md'), 'utf8');
  const [, table = ''] = text.split('| NACK code | Name | Meaning |\n');
  const names = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| \d+ \| ([A-Z_]+) \|/gm)].map(
    ([, name]) => `CONTROLLER_${name}`,
  );
  assert.deepEqual(names, NACK_ERROR_CODES);
});

test.run();
