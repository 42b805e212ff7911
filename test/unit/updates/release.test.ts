import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import {
  compareVersions,
  isSignedBy,
  parseStatement,
  releaseKeyOf,
  releaseNameOf,
} from '../../../src/updates/release.js';
import { sampleRelease, signingKey } from '../../helpers/sample-release.js';

const test = suite('release files');
const key = signingKey();
const { signature, archive } = sampleRelease({ key, version: '9.0.0-rc.1', architecture: 'arm64' });
const text = signature.toString('utf8');

test('parses a signature file', () => {
  const statement = parseStatement(signature);
  assert.ok(statement);
  const { version, architecture, bytes, notes } = statement;
  assert.deepEqual(
    { version, architecture, bytes, notes },
    { version: '9.0.0-rc.1', architecture: 'arm64', bytes: archive.length, notes: '- New: a test' },
  );
  assert.equal(parseStatement(Buffer.from(text.trimEnd()))?.version, '9.0.0-rc.1');
});

test('accepts empty release notes', () => {
  assert.equal(parseStatement(sampleRelease({ key, notes: '' }).signature)?.notes, '');
});

const CHANGES: readonly [what: string, changed: string][] = [
  ['another format', text.replace('release 1', 'release 2')],
  ['a missing line', text.replace(/version: .*\n/, '')],
  ['an additional line', text.replace('bytes:', 'mode: 1\nbytes:')],
  ['another order', text.replace(/(version: .*\n)(architecture: .*\n)/, '$2$1')],
  ['carriage returns', text.replaceAll('\n', '\r\n')],
  ['an unknown processor', text.replace('arm64', 'mips')],
  ['a size with a leading zero', text.replace('bytes: ', 'bytes: 0')],
  ['a hash in upper case', text.replace(/sha256: .*/, (line) => line.replace(/[a-f]/g, 'A'))],
  ['no empty line before the notes', text.replace('\n\n', '\n')],
  ['a control character', text.replace('a test', 'a \u001b[31mtest')],
  ['no signature', text.replace(/signature: .*\n$/, '')],
  ['a signature that is too short', text.replace(/signature: ..../, 'signature: ')],
  ['a line after the signature', `${text}more\n`],
  ['a byte order mark', `\ufeff${text}`],
];
for (const [what, changed] of CHANGES) {
  test(`rejects a signature file with ${what}`, () => {
    assert.notEqual(changed, text);
    assert.equal(parseStatement(Buffer.from(changed)), undefined);
  });
}

test('rejects a signature file that is not UTF-8 or is longer than 64 KiB', () => {
  const at = signature.indexOf('a test');
  const invalid = Buffer.from(signature);
  invalid[at] = 0xff;
  assert.equal(parseStatement(invalid), undefined);
  const notesOf = (length: number) => sampleRelease({ key, notes: `${'x'.repeat(length)}\n` }).signature;
  assert.ok(parseStatement(notesOf(65_000)));
  assert.equal(parseStatement(notesOf(66_000)), undefined);
});

test('detects every changed byte of the signed text', () => {
  const releaseKey = releaseKeyOf(key.pem);
  assert.ok(releaseKey);
  const isValid = (file: Buffer): boolean => {
    const statement = parseStatement(file);
    return statement !== undefined && isSignedBy(statement, releaseKey);
  };
  assert.ok(isValid(signature));
  for (let at = 0; at < signature.indexOf('signature: '); at += 1) {
    const changed = Buffer.from(signature);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(isValid(changed), false, `byte ${at}`);
  }
});

test('rejects a signature made with another key', () => {
  const other = releaseKeyOf(signingKey().pem);
  const statement = parseStatement(signature);
  assert.ok(other && statement);
  assert.equal(isSignedBy(statement, other), false);
});

test('reads only Ed25519 keys', () => {
  assert.match(releaseKeyOf(key.pem)?.fingerprint ?? '', /^[\da-f]{64}$/);
  assert.equal(releaseKeyOf(''), undefined);
  assert.equal(releaseKeyOf('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'), undefined);
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.equal(releaseKeyOf(publicKey.export({ type: 'spki', format: 'pem' }).toString()), undefined);
});

test('accepts only file names that belong to a release', () => {
  const { isSignature, ...name } = releaseNameOf('cartwright-0.3.0-rc.1-arm64.tar.gz.sig') ?? {};
  assert.deepEqual(name, {
    archive: 'cartwright-0.3.0-rc.1-arm64.tar.gz',
    version: '0.3.0-rc.1',
    architecture: 'arm64',
  });
  assert.equal(isSignature, true);
  for (const other of [
    'cartwright.tar.gz',
    'cartwright-0.3.0.tar.gz',
    'cartwright-0.3.0-mips.tar.gz',
    'cartwright-v0.3.0-arm.tar.gz',
    'cartwright-0.3.0/../x-arm.tar.gz',
    'cartwright-0.3.0-arm.tar.gz\n',
    '../cartwright-0.3.0-arm.tar.gz',
    `cartwright-${'1'.repeat(65)}-arm.tar.gz`,
    'cartwright-0.3.0-arm.tar.gz.part',
    'install',
  ])
    assert.equal(releaseNameOf(other), undefined, other);
});

test('sorts versions in the same order as the install script', () => {
  const ascending = [
    '0.2.0',
    '0.3.0-rc.1',
    '0.3.0-rc.2',
    '0.3.0-rc.10',
    '0.3.0',
    '0.3.0+1',
    '0.3.1',
    '0.10.0',
    '1.0.0',
  ];
  for (const [at, version] of ascending.entries()) {
    assert.equal(compareVersions(version, version), 0);
    for (const newer of ascending.slice(at + 1)) {
      assert.ok(compareVersions(version, newer) < 0, `${version} < ${newer}`);
      assert.ok(compareVersions(newer, version) > 0, `${newer} > ${version}`);
    }
  }
});

test.run();
