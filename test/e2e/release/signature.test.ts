import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import {
  canInstall,
  contentsOf,
  dir,
  install,
  light,
  newKey,
  newRoot,
  release,
  run,
  scripts,
  sign,
  variant,
} from './test-release.js';

/** Which releases install.sh takes. */
const test = suite('signed releases');
const onSystem = canInstall ? test : test.skip;

test.after(() => rm(dir, { recursive: true, force: true }));

/** Why a release is refused; nothing below the root may have changed. */
async function refused(root: string, ...args: string[]): Promise<string> {
  const before = await contentsOf(root);
  const { status, stderr } = spawnSync(join(light, 'systemd/install.sh'), ['--root', root, ...args], {
    encoding: 'utf8',
  });
  assert.equal(status, 1, stderr);
  assert.deepEqual(await contentsOf(root), before);
  return stderr;
}

onSystem('a release that was changed after it was signed is refused', async () => {
  const root = await newRoot();
  install(root);
  const changes: Record<string, (release: string) => Promise<unknown>> = {
    'a file that differs': (release) => writeFile(join(release, 'dist/src/main.js'), '//', { flag: 'a' }),
    'one more file': (release) => writeFile(join(release, 'node_modules.js'), ''),
    'a file less': (release) => rm(join(release, 'LICENSE')),
    'a file that became a link': async (release) => {
      await rm(join(release, 'LICENSE'));
      await symlink(join(light, 'LICENSE'), join(release, 'LICENSE'));
    },
  };
  for (const [change, make] of Object.entries(changes)) {
    const release = await variant('7.0.0', 'x');
    await make(release);
    for (const flags of [[], ['--allow-unsigned', '--allow-downgrade']]) {
      const said = await refused(root, ...flags, '--release', release);
      assert.match(said, /is damaged or was changed: its files do not match the signature/, change);
    }
  }
  const release = await variant('7.0.0', 'x');
  await writeFile(join(release, 'SHA256SUMS'), '\n', { flag: 'a' });
  assert.match(await refused(root, '--release', release), /is not signed with the key .*release\.pub/);
  const file = join(dir, 'changed.tar.gz');
  run('tar', '-C', release, '-czf', file, '.');
  assert.match(await refused(root, '--release', file), /is not signed with the key /);
});

onSystem('a release that another key has signed is refused, unless that key is named', async () => {
  const root = await newRoot();
  install(root);
  const other = await newKey('other');
  const release = await variant('7.0.0', 'x');
  sign(release, other);
  assert.match(
    await refused(root, '--release', release),
    /is not signed with the key .*: another key signed it/,
  );
  install(root, '--release', release, '--key', join(dir, 'other.pub'));
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
});

onSystem('a release without a signature needs a flag, and so does a checkout', async () => {
  const root = await newRoot();
  install(root);
  const release = await variant('7.0.0', 'x');
  await rm(join(release, 'SHA256SUMS.sig'));
  assert.match(await refused(root, '--release', release), /is not signed; --allow-unsigned installs it/);
  const said = await refused(root, '--release', packageRoot());
  assert.match(said, /is a checkout, which is not signed; --allow-unsigned/);
  install(root, '--release', release, '--allow-unsigned');
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
});

onSystem('an older release is refused, unless a flag says so', async () => {
  const root = await newRoot();
  install(root, '--release', await variant('1.10.0', 'x'));
  for (const version of ['1.9.0', '1.9.12', '0.99.0', '1.10.0-rc.1']) {
    const said = await refused(root, '--release', await variant(version, 'x'));
    assert.ok(said.includes(`${version} is older than the installed 1.10.0; --allow-downgrade`), said);
  }
  install(root, '--release', await variant('1.9.0', 'x'), '--allow-downgrade');
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/1.9.0');
  for (const version of ['1.9.1-rc.1', '1.9.1', '1.10.0', '2.0.0'])
    install(root, '--release', await variant(version, 'x'));
});

onSystem('a release lists its packages as CycloneDX', async () => {
  const { bomFormat, components } = JSON.parse(await readFile(join(release, 'sbom.cdx.json'), 'utf8'));
  assert.equal(bomFormat, 'CycloneDX');
  const listed = new Set(components.map(({ name }: { name: string }) => name));
  const packed = (await readdir(join(release, 'node_modules'))).filter((name) => !/^[@.]/.test(name));
  assert.ok(packed.length > 20);
  assert.deepEqual(
    packed.filter((name) => !listed.has(name)),
    [],
  );
  assert.ok(!listed.has('typescript'));
});

test('the public key of releases is an Ed25519 key', async () => {
  const pem = await readFile(join(scripts, 'release.pub'), 'utf8');
  assert.equal(createPublicKey(pem).asymmetricKeyType, 'ed25519');
});

test.run();
