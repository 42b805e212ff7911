import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageFacts, packageRoot } from '../../../../src/shared/package-root.js';
import { securityText } from '../../../../src/system/http/security-text.js';

const contact = 'mailto:security@example.com';
const until = '2031-11-30';

test('security.txt contains the contact and expires within a year', () => {
  const text = securityText({ contact, until, nowMs: Date.UTC(2027, 0, 1) });
  const lines = [
    `Contact: ${contact}`,
    'Expires: 2027-12-31T00:00:00.000Z',
    'Preferred-Languages: en, nl',
    '',
  ];
  assert.deepEqual(text.split('\r\n'), lines);
});

test('security.txt expires at the end of the last day of support', () => {
  for (const now of ['2031-06-01', '2032-06-01'])
    assert.match(
      securityText({ contact, until, nowMs: Date.parse(now) }),
      /^Expires: 2031-11-30T23:59:59\.000Z$/m,
    );
});

test('SECURITY.md states the version and the last day of support in package.json', () => {
  const { version, support } = packageFacts();
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(support.until));
  const [minor = ''] = /^\d+\.\d+/.exec(version) ?? [];
  const policy = readFileSync(join(packageRoot(), 'SECURITY.md'), 'utf8').replace(/\s+/g, ' ');
  assert.ok(policy.includes(`Version ${minor} receives security fixes until ${day}.`), `${minor}, ${day}`);
});

test.run();
