import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { issue } from '../../../../src/adapters/x509/issue.js';
import type { Config } from '../../../../src/app/config.js';
import { readKeyPair } from '../../../../src/app/start/secrets.js';
import { GatewayError, hintOf } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { certificateFacts } from '../../../../src/system/tls/certificate.js';
import { configuredFault } from '../../../../src/system/tls/validity.js';

const NOT_BEFORE = Date.UTC(2026, 0, 1);
const NOT_AFTER = Date.UTC(2027, 0, 1);
const DAY = 86_400_000;

/** A self-signed certificate and its key. */
function newPair(): { cert: string; key: string } {
  const validity = { notBefore: NOT_BEFORE, notAfter: NOT_AFTER };
  const pem = issue({ kind: 'ca', name: 'test', permittedDns: ['local'], ...validity });
  const at = pem.indexOf('-----BEGIN PRIVATE KEY-----');
  return { cert: pem.slice(0, at), key: pem.slice(at) };
}

const { cert, key } = newPair();
const privateKey = createPrivateKey(key);
const encrypted = (type: 'pkcs8' | 'sec1'): string =>
  privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
const der = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');

/** Writes the files and reads the pair. An undefined file is not written. */
async function read(files: { cert?: string | Buffer; key?: string | Buffer }) {
  const dir = mkdtempSync(join(tmpdir(), 'key-pair-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, `${name}.pem`), content);
    const config = { file: join(dir, 'config.json'), tls: { certFile: 'cert.pem', keyFile: 'key.pem' } };
    return await readKeyPair(config as Config);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('reads a certificate and its key, even if both are in one file', async () => {
  assert.equal((await read({ cert, key }))?.key.toString(), key);
  assert.ok(await read({ cert: cert + key, key: cert + key }));
});

for (const { name, files, text, hint } of [
  {
    name: 'a missing key',
    files: { cert },
    text: /key\.pem \(tls\.keyFile\) cannot be read/,
    hint: /keyFile/,
  },
  {
    name: 'a missing certificate',
    files: { key },
    text: /cert\.pem \(tls\.certFile\) cannot be read/,
    hint: /certFile/,
  },
  {
    name: 'the key of another certificate',
    files: { cert, key: newPair().key },
    text: /key\.pem \(tls\.keyFile\) does not belong to the certificate in .*cert\.pem/,
    hint: /one pair/,
  },
  {
    name: 'swapped files',
    files: { cert: key, key: cert },
    text: /cert\.pem \(tls\.certFile\) contains no certificate/,
    hint: /swap tls\.certFile and tls\.keyFile/,
  },
  {
    name: 'a certificate instead of the key',
    files: { cert, key: cert },
    text: /key\.pem \(tls\.keyFile\) contains no private key/,
    hint: /only a certificate/,
  },
  {
    name: 'a certificate in DER format',
    files: { cert: der(cert), key },
    text: /cert\.pem \(tls\.certFile\) contains no certificate in PEM format/,
    hint: /openssl x509 -in .*cert\.pem/,
  },
  {
    name: 'a key in DER format',
    files: { cert, key: der(key) },
    text: /key\.pem \(tls\.keyFile\) contains no private key in PEM format/,
    hint: /openssl pkey -in .*key\.pem/,
  },
  {
    name: 'an empty certificate',
    files: { cert: '', key },
    text: /cert\.pem .* no certificate/,
    hint: /openssl/,
  },
  {
    name: 'a damaged certificate',
    files: { cert: cert.replace(/\n[A-Za-z\d+/]{20}/, '\n'), key },
    text: /certificate in .*cert\.pem \(tls\.certFile\) is damaged/,
    hint: /again/,
  },
  {
    name: 'a damaged key',
    files: { cert, key: key.replace(/\n[A-Za-z\d+/]{20}/, '\n') },
    text: /key in .*key\.pem \(tls\.keyFile\) is damaged/,
    hint: /again/,
  },
  {
    name: 'an encrypted key',
    files: { cert, key: encrypted('pkcs8') },
    text: /key\.pem \(tls\.keyFile\) is encrypted/,
    hint: /passphrase: openssl pkey/,
  },
  {
    name: 'an encrypted key in the traditional format',
    files: { cert, key: encrypted('sec1') },
    text: /key\.pem \(tls\.keyFile\) is encrypted/,
    hint: /passphrase: openssl pkey/,
  },
]) {
  test(`rejects ${name}, and reports the file and the remedy`, async () => {
    const error = await read(files).then(
      () => assert.fail('was not rejected'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'CONFIG_INVALID');
    assert.match(error.message, text);
    assert.match(textOf(hintOf(error)), hint);
    assert.ok(!error.message.includes('PRIVATE KEY-----'));
  });
}

test('reports the file of a configured certificate that has expired or is not yet valid', () => {
  const facts = certificateFacts(cert);
  const at = (ms: number) => configuredFault(facts, '/etc/cart/cert.pem', ms)?.text ?? '';
  assert.match(at(NOT_AFTER + DAY), /\/etc\/cart\/cert\.pem expired on 2027-01-01; .*replace the file/);
  assert.match(at(NOT_BEFORE - DAY), /\/etc\/cart\/cert\.pem is not valid before 2026-01-01; check/);
  assert.equal(at(NOT_BEFORE + DAY), '');
});

test.run();
