import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { TotpKey } from '../../../../src/access/second-factor/key.js';
import { newRecoveryCodes, recoveryHash } from '../../../../src/access/second-factor/recovery-codes.js';
import { newTotpSecret, stepOf, totpText } from '../../../../src/access/second-factor/totp.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { totpCode } from '../../../helpers/totp-code.js';

const RFC_SECRET = Buffer.from('12345678901234567890');
/** RFC 6238 appendix B (SHA-1): time in s and the last six of the eight digits. */
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test('maps the codes in RFC 6238 to their time steps', () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(stepOf(RFC_SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
  }
});

test("accepts a code one step early or late, but not two, and returns the code's step", () => {
  const step = 37_037_037;
  const at = (steps: number): number => (step + steps) * 30_000;
  const code = '050471';
  assert.equal(stepOf(RFC_SECRET, code, at(0)), step);
  assert.equal(stepOf(RFC_SECRET, code, at(-1)), step);
  assert.equal(stepOf(RFC_SECRET, code, at(2) - 1), step);
  assert.equal(stepOf(RFC_SECRET, code, at(-1) - 1), undefined);
  assert.equal(stepOf(RFC_SECRET, code, at(2)), undefined);
});

test('does not return a step for a string that is not six digits', () => {
  for (const text of ['', '28708', '2870820', '94287082', 'abcdef', '-87082', '２８７０８２']) {
    assert.equal(stepOf(RFC_SECRET, text, 59_000), undefined, text);
  }
});

test('a secret has 160 bits, and its Base32 text produces the same codes', () => {
  const secret = newTotpSecret();
  const { secret: base32 } = totpText(secret, 'anna');
  assert.match(base32, /^[A-Z2-7]{32}$/);
  const now = Date.UTC(2026, 0, 1);
  assert.equal(stepOf(secret, totpCode(base32, now), now), now / 30_000);
});

test('the URI of a secret contains the secret, the issuer and the account name without colons', () => {
  const { secret: base32, uri } = totpText(newTotpSecret(), 'anna:b@[::1]');
  const url = new URL(uri);
  assert.equal(url.protocol, 'otpauth:');
  assert.equal(url.searchParams.get('secret'), base32);
  assert.equal(url.searchParams.get('issuer'), 'Cartwright');
  assert.equal(decodeURIComponent(uri).match(/:/g)?.length, 2, uri);
});

test('creates ten different 120-bit recovery codes', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
});

test('a recovery code is accepted in capitals, with spaces for hyphens and with look-alike letters for digits', () => {
  assert.deepEqual(recoveryHash('O1Il ABCD'), recoveryHash('0111-abcd'));
  assert.notDeepEqual(recoveryHash('0111-abcd'), recoveryHash('0111-abce'));
});

test('an encrypted secret can be decrypted only for its user and only with its key', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-totp-'));
  const other = mkdtempSync(join(tmpdir(), 'cartwright-totp-'));
  const log = new RecordingLog();
  try {
    const key = await TotpKey.load(dir, log);
    assert.deepEqual(readdirSync(dir), []);
    const sealed = await key.seal(7, RFC_SECRET);
    assert.equal(sealed.includes(RFC_SECRET), false);
    assert.equal(statSync(join(dir, 'totp-key')).mode & 0o777, 0o600);
    const again = await TotpKey.load(dir, log);
    assert.deepEqual(again.open(7, sealed), RFC_SECRET);
    assert.equal(again.open(8, sealed), undefined);
    sealed.writeUInt8(sealed.readUInt8(30) ^ 1, 30);
    assert.equal(again.open(7, sealed), undefined);
    const foreign = await TotpKey.load(other, log);
    await foreign.seal(7, RFC_SECRET);
    assert.equal(foreign.open(7, await key.seal(7, RFC_SECRET)), undefined);
    assert.deepEqual(log.events(), []);
  } finally {
    for (const made of [dir, other]) rmSync(made, { recursive: true });
  }
});

test('reports a damaged key file and keeps it alongside the new file', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-totp-'));
  const log = new RecordingLog();
  try {
    writeFileSync(join(dir, 'totp-key'), 'not a key');
    const key = await TotpKey.load(dir, log);
    assert.deepEqual(log.events(), ['access.totp_key_invalid']);
    await key.seal(1, RFC_SECRET);
    assert.deepEqual(readdirSync(dir).toSorted(), ['totp-key', 'totp-key.bak']);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test.run();
