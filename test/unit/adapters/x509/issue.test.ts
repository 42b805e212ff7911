import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { issue } from '../../../../src/adapters/x509/issue.js';
import { issueInWorker } from '../../../../src/adapters/x509/issue-host.js';
import type { CaRequest, LeafRequest } from '../../../../src/shared/ports/certificates.js';

const test = suite('certificates');
const DAY_MS = 86_400_000;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const caRequest: CaRequest = {
  kind: 'ca',
  name: 'Cartwright CA “Cart 1”',
  permittedDns: ['local', 'localhost', 'pi'],
  notBefore: Date.now() - DAY_MS,
  notAfter: Date.now() + 3650 * DAY_MS,
};
const names = {
  dns: ['cartwright-3f2a.local', 'localhost', 'pi'],
  ip: ['127.0.0.1', '::1', '192.168.1.20', 'fd00::12'],
};
const leafRequest = (caPem: string): LeafRequest => ({
  kind: 'leaf',
  name: 'cartwright-3f2a.local',
  names,
  caPem,
  notBefore: Date.now() - DAY_MS,
  notAfter: Date.now() + 300 * DAY_MS,
});

/** Runs `openssl verify` with strict checks for a TLS server certificate and returns its output. */
function verify(caPem: string, leafPem: string, ...args: string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'x509-'));
  try {
    writeFileSync(join(dir, 'ca.pem'), caPem);
    writeFileSync(join(dir, 'leaf.pem'), leafPem);
    const options = ['-x509_strict', '-purpose', 'sslserver', ...args, '-CAfile', 'ca.pem', 'leaf.pem'];
    const { stdout, stderr } = spawnSync('openssl', ['verify', ...options], { cwd: dir, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

if (hasOpenssl) {
  test('openssl verifies the certificate against the CA for each name and address', () => {
    const ca = issue(caRequest);
    const leaf = issue(leafRequest(ca));
    for (const name of names.dns) assert.match(verify(ca, leaf, '-verify_hostname', name), /leaf\.pem: OK/);
    for (const ip of names.ip) assert.match(verify(ca, leaf, '-verify_ip', ip), /leaf\.pem: OK/);
    assert.match(verify(ca, leaf, '-verify_hostname', 'other.local'), /hostname mismatch/i);
  });

  test('openssl rejects a certificate from another CA with the same name', () => {
    const leaf = issue(leafRequest(issue(caRequest)));
    assert.match(verify(issue(caRequest), leaf), /verification failed/);
  });

  test('openssl rejects a certificate for a public address', () => {
    const ca = issue(caRequest);
    const leaf = issue({ ...leafRequest(ca), names: { dns: ['localhost'], ip: ['8.8.8.8'] } });
    assert.match(verify(ca, leaf), /permitted subtree violation/);
  });

  test('the CA is limited to local names, cannot issue further CAs, and has critical constraints', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: issue(caRequest) }).toString();
    assert.match(text, /Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    assert.match(text, /Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    assert.match(text, /Name Constraints: critical\s+Permitted:\s+DNS:local\s/);
    assert.match(text, /prime256v1/);
    assert.match(text, /ecdsa-with-SHA256/);
  });
} else process.stdout.write('skipped: openssl is not installed\n');

test('a certificate omits names that the CA does not permit', () => {
  const ca = issue(caRequest);
  const dns = ['carts.example.org', 'evil-pi', 'sub.pi', 'pi'];
  const leaf = new X509Certificate(issue({ ...leafRequest(ca), names: { dns, ip: [] } }));
  assert.equal(leaf.subjectAltName, 'DNS:sub.pi, DNS:pi');
});

test('certificates issued on worker threads have different keys and serial numbers', async () => {
  const [one, two] = await Promise.all([issueInWorker(caRequest), issueInWorker(caRequest)]);
  assert.notEqual(new X509Certificate(one).serialNumber, new X509Certificate(two).serialNumber);
  assert.notEqual(one.slice(one.indexOf('PRIVATE')), two.slice(two.indexOf('PRIVATE')));
});

test('issuing a certificate on a worker thread fails when the CA is damaged', async () => {
  await assert.rejects(issueInWorker(leafRequest('damaged')));
});

test.run();
