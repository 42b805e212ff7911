import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';

/** Tests which releases pack.sh refuses to sign, with a checkout that contains only the files that it reads first. */
const test = suite('signed releases');
let dir: string;

async function newKey(name: string): Promise<{ secret: string; open: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [secret, open] = [join(dir, `${name}.pem`), join(dir, `${name}.pub`)];
  await writeFile(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(open, publicKey.export({ type: 'spki', format: 'pem' }));
  return { secret, open };
}

/** Returns the error of pack.sh. */
function refusal(...options: string[]): string {
  return refusalOf('release', ...options);
}

function refusalOf(target: string, ...options: string[]): string {
  const script = join(dir, 'checkout/systemd/pack.sh');
  const { status, stderr } = spawnSync(script, [...options, join(dir, target)], { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  return stderr;
}

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pack-'));
  const checkout = join(dir, 'checkout');
  await cp(join(packageRoot(), 'systemd'), join(checkout, 'systemd'), { recursive: true });
  await cp(join(packageRoot(), 'package.json'), join(checkout, 'package.json'));
});
test.after.each(() => rm(dir, { recursive: true, force: true }));

test('the placeholder key in the repository is rejected', async () => {
  const { secret } = await newKey('own');
  assert.match(refusal('--sign', secret), /release\.pub is a placeholder: replace it with the public key of/);
});

test('a private key that does not match the public key is rejected', async () => {
  const [{ secret }, { open }] = [await newKey('own'), await newKey('other')];
  const message = refusal('--sign', secret, '--public-key', open);
  assert.match(message, /own\.pem does not belong to the public key .*other\.pub/);
});

test('a signed archive whose name does not contain its version and processor architecture is rejected', async () => {
  const { secret } = await newKey('own');
  const message = refusalOf('cartwright.tar.gz', '--sign', secret);
  assert.match(
    message,
    new RegExp(`must be named cartwright-\\d+\\.\\d+\\.\\d+-${process.arch}\\.tar\\.gz, not`),
  );
});

test('a release for publication without a security contact is rejected', async () => {
  const { secret, open } = await newKey('own');
  await cp(open, join(dir, 'checkout/systemd/release.pub'));
  assert.match(refusal('--sign', secret), /package\.json \(support\.contact\) must name the contact/);
});

test('a release for publication with its own key and a security contact passes the key and contact checks', async () => {
  const { secret, open } = await newKey('own');
  await cp(open, join(dir, 'checkout/systemd/release.pub'));
  const path = join(dir, 'checkout/package.json');
  const facts = JSON.parse(await readFile(path, 'utf8'));
  facts.support.contact = 'mailto:security@example.com';
  await writeFile(path, JSON.stringify(facts));
  // The contact is accepted, so the next check rejects the build directory.
  assert.match(refusal('--sign', secret, '--dist', dir, '--node-modules', dir), /is not a build/);
});

test.run();
