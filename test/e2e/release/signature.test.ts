import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { ReleaseFirmware } from '../../../src/carts/firmware/release.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { quietLog } from '../../helpers/cart-harness.js';
import { hasCode } from '../../helpers/has-code.js';
import {
  archiveOf,
  canInstall,
  contentsOf,
  dir,
  install,
  installerEnv,
  light,
  newKey,
  newRoot,
  release,
  run,
  scripts,
  sign,
  small,
  variant,
} from './test-release.js';

const test = suite('signed releases');
const DEPENDENCY = 'node_modules/express/index.js';
const installTest = canInstall ? test : test.skip;

test.after(() => rm(dir, { recursive: true, force: true }));

/** Asserts that the release is rejected and nothing under `root` changes. Returns the error output. */
async function rejectionOf(root: string, ...args: string[]): Promise<string> {
  const before = await contentsOf(root);
  const { status, stderr } = spawnSync(join(light, 'systemd/install.sh'), ['--root', root, ...args], {
    encoding: 'utf8',
    env: installerEnv,
  });
  assert.equal(status, 1, stderr);
  assert.deepEqual(await contentsOf(root), before);
  return stderr;
}

installTest(
  'the gateway accepts the firmware of a signed release, but rejects firmware that was changed',
  async () => {
    const firmware = await ReleaseFirmware.open(light, quietLog);
    assert.equal(firmware.facts?.isSigned, true);
    assert.equal((await firmware.read('mega')).sections.length, 3);
    const other = await variant('9.9.9', '');
    await writeFile(join(other, 'firmware/build/cgw1-mega.hex'), '\n', { flag: 'a' });
    const changed = await ReleaseFirmware.open(other, quietLog);
    await assert.rejects(changed.read('mega'), hasCode('FIRMWARE_IMAGE'));
  },
);

installTest('a release that was changed after signing is rejected', async () => {
  const root = await newRoot();
  install(root, '--release', await small('1.0.0'));
  const changes: Record<string, (release: string) => Promise<unknown>> = {
    'a file that differs': (release) => writeFile(join(release, 'dist/src/main.js'), '//', { flag: 'a' }),
    'one more file': (release) => writeFile(join(release, 'node_modules.js'), ''),
    'a file less': (release) => rm(join(release, DEPENDENCY)),
    'a file that became a link': async (release) => {
      await rename(join(release, DEPENDENCY), join(dir, 'moved.js'));
      await symlink(join(dir, 'moved.js'), join(release, DEPENDENCY));
    },
  };
  for (const [change, make] of Object.entries(changes)) {
    const release = await small('7.0.0');
    await make(release);
    for (const flags of [[], ['--allow-unsigned', '--allow-downgrade']]) {
      const message = await rejectionOf(root, ...flags, '--release', release);
      assert.match(message, /is damaged or was changed: its files do not match the signature/, change);
    }
  }
  const release = await small('7.0.0');
  await writeFile(join(release, 'SHA256SUMS'), '\n', { flag: 'a' });
  assert.match(await rejectionOf(root, '--release', release), /is not signed with the key .*release\.pub/);
  const file = join(dir, 'changed.tar.gz');
  run('tar', '-C', release, '-czf', file, '.');
  assert.match(await rejectionOf(root, '--release', file), /is not signed with the key /);
});

/** Changes an installed release in one way, as a program with write access could previously have done. */
const TAMPERED: Record<string, (installed: string) => Promise<unknown>> = {
  'a dependency with different code': (at) => writeFile(join(at, DEPENDENCY), '// other'),
  'an additional dependency': async (at) => {
    await mkdir(join(at, 'node_modules/epoll'));
    await writeFile(join(at, 'node_modules/epoll/index.js'), '// other');
  },
  'an additional file beside the program': (at) => writeFile(join(at, 'dist/src/package.json'), '{}'),
  'a file that every user can change': (at) => chmod(join(at, 'dist/src/main.js'), 0o666),
  'a file owned by another user': (at) => chown(join(at, 'dist/src/main.js'), 65_534, 65_534),
  'a link in place of a dependency': async (at) => {
    await rename(join(at, 'node_modules/express'), `${at}-express`);
    await symlink(`${at}-express`, join(at, 'node_modules/express'));
  },
  'a link in place of the release directory': async (at) => {
    await rename(at, `${at}-moved`);
    await symlink(`${at}-moved`, at);
  },
  'no list of files': (at) => rm(join(at, 'SHA256SUMS')),
};

for (const [change, tamper] of Object.entries(TAMPERED)) {
  installTest(`a signed release replaces an installed release that has ${change}`, async () => {
    const root = await newRoot();
    const signed = await small('7.0.0');
    install(root, '--release', signed);
    const current = join(root, 'opt/cartwright/current');
    await tamper(join(root, 'opt/cartwright/releases/7.0.0'));
    install(root, '--release', signed);
    assert.match(await readlink(current), /^releases\/7\.0\.0-[0-9a-f]{8}$/);
    const relative = async (at: string): Promise<string[]> =>
      (await contentsOf(at)).map((line) => line.replace(at, ''));
    const placed = await realpath(current);
    assert.deepEqual(await relative(placed), await relative(signed));
    const { mode, uid } = await stat(join(placed, 'dist/src/main.js'));
    assert.deepEqual([mode & 0o022, uid], [0, 0]);
  });
}

installTest('an interrupted installation leaves nothing behind that the next installation uses', async () => {
  const root = await newRoot();
  const elsewhere = await mkdtemp(join(dir, 'elsewhere-'));
  await writeFile(join(elsewhere, 'kept'), '');
  await mkdir(join(root, 'opt/cartwright'), { recursive: true });
  await symlink(elsewhere, join(root, 'opt/cartwright/.incoming'));
  install(root, '--release', await small('7.0.0'));
  assert.deepEqual(await readdir(elsewhere), ['kept']);
  assert.deepEqual((await readdir(join(root, 'opt/cartwright'))).toSorted(), [
    'current',
    'node',
    'releases',
    'updater',
  ]);
});

installTest('a link to a release is installed as a copy of the release', async () => {
  const root = await newRoot();
  const [signed, link] = [await small('7.0.0'), join(dir, 'latest')];
  await symlink(signed, link);
  install(root, '--release', link);
  assert.ok((await lstat(join(root, 'opt/cartwright/releases/7.0.0'))).isDirectory());
});

installTest(
  'a release that contains links or has a path as its version is rejected, even if it is unsigned',
  async () => {
    const root = await newRoot();
    install(root, '--release', await small('1.0.0'));
    const unsigned = async (version: string): Promise<string> => {
      const release = await small(version);
      await rm(join(release, 'SHA256SUMS.sig'));
      return release;
    };
    const linked = await unsigned('7.0.0');
    await symlink('/etc', join(linked, 'etc'));
    assert.match(
      await rejectionOf(root, '--allow-unsigned', '--release', linked),
      /is not a release: it contains links or special files/,
    );
    for (const version of ['../../../etc', '/etc', '--help', '7.0.0/..']) {
      const message = await rejectionOf(root, '--allow-unsigned', '--release', await unsigned(version));
      assert.match(message, /is not a release: its package\.json has no version/, version);
    }
  },
);

installTest('a release signed with another key is rejected unless that key is specified', async () => {
  const root = await newRoot();
  install(root, '--release', await small('1.0.0'));
  const other = await newKey('other');
  const release = await small('7.0.0');
  sign(release, other);
  assert.match(
    await rejectionOf(root, '--release', release),
    /is not signed with the key .*: another key signed it/,
  );
  install(root, '--release', release, '--key', join(dir, 'other.pub'));
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
});

installTest("an archive's signature covers its metadata and the release notes", async () => {
  const archive = await archiveOf(await small('7.0.0'), '7.0.0');
  const text = await readFile(`${archive}.sig`, 'utf8');
  const [, signed = '', signature = ''] = /^(.*\n)signature: (\S+)\n$/s.exec(text) ?? [];
  const content = await readFile(archive);
  const sha256 = createHash('sha256').update(content).digest('hex');
  assert.equal(
    signed,
    `Cartwright release 1\nversion: 7.0.0\narchitecture: ${process.arch}\nbytes: ${content.length}\nsha256: ${sha256}\n\n### Fixed\n\n- A fault.\n`,
  );
  const open = await readFile(join(light, 'systemd/release.pub'), 'utf8');
  assert.ok(verify(null, Buffer.from(signed), open, Buffer.from(signature, 'base64')));
});

installTest('release notes longer than 60 kB are truncated at the end of a line', async () => {
  const archive = await archiveOf(await small('7.0.0'), '7.0.0');
  const line = `${'n'.repeat(99)}\n`;
  const args = [await newKey('notes'), archive, '7.0.0', process.arch];
  const { status } = spawnSync(join(scripts, 'sign.sh'), args, { input: line.repeat(5000) });
  assert.equal(status, 0);
  const text = await readFile(`${archive}.sig`, 'utf8');
  assert.ok(text.length < 65_536 && text.includes(`${line}[...]\nsignature: `), String(text.length));
});

installTest('an archive with an incorrect detached signature is rejected before it is unpacked', async () => {
  const root = await newRoot();
  install(root, '--release', await small('1.0.0'));
  const archive = await archiveOf(await small('7.0.0'), '7.0.0');
  const content = await readFile(archive);
  const damaged = Buffer.from(content);
  damaged[100] = (damaged[100] ?? 0) ^ 1;
  for (const wrong of [damaged, content.subarray(0, -1), Buffer.concat([content, Buffer.of(0)])]) {
    await writeFile(archive, wrong);
    const message = await rejectionOf(root, '--release', archive);
    assert.match(message, /is damaged or was changed: it does not match its signature\n$/);
  }
  await writeFile(archive, content);
  const signature = await readFile(`${archive}.sig`, 'utf8');
  for (const wrong of [signature.replace('7.0.0', '7.0.1'), signature.replace(/^signature.*/m, ''), '']) {
    await writeFile(`${archive}.sig`, wrong);
    assert.match(
      await rejectionOf(root, '--allow-unsigned', '--release', archive),
      /is not signed with the key/,
    );
  }
  await writeFile(`${archive}.sig`, '\n'.repeat(70_000));
  assert.match(await rejectionOf(root, '--release', archive), /is larger than 64 KiB/);
  await writeFile(`${archive}.sig`, signature);
  install(root, '--release', archive);
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
});

installTest('an unsigned release or checkout is installed only if a flag allows it', async () => {
  const root = await newRoot();
  install(root, '--release', await small('1.0.0'));
  const release = await small('7.0.0');
  await rm(join(release, 'SHA256SUMS.sig'));
  assert.match(await rejectionOf(root, '--release', release), /is not signed; --allow-unsigned installs it/);
  const message = await rejectionOf(root, '--release', packageRoot());
  assert.match(message, /is a checkout, which is not signed; --allow-unsigned/);
  install(root, '--release', release, '--allow-unsigned');
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
});

installTest('an older release is rejected unless a flag allows it', async () => {
  const root = await newRoot();
  install(root, '--release', await small('1.10.0'));
  for (const version of ['1.9.0', '1.9.12', '0.99.0', '1.10.0-rc.1']) {
    const message = await rejectionOf(root, '--release', await small(version));
    assert.ok(message.includes(`${version} is older than the installed 1.10.0; --allow-downgrade`), message);
  }
  install(root, '--release', await small('1.9.0'), '--allow-downgrade');
  assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/1.9.0');
  for (const version of ['1.9.1-rc.1', '1.9.1', '1.10.0', '2.0.0'])
    install(root, '--release', await small(version));
});

installTest('a release lists its packages and their known vulnerabilities in CycloneDX format', async () => {
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
  const vex = JSON.parse(await readFile(join(release, 'vex.cdx.json'), 'utf8'));
  assert.equal(vex.bomFormat, 'CycloneDX');
  const known = JSON.parse(await readFile(join(scripts, 'vex.json'), 'utf8'));
  assert.deepEqual(vex.vulnerabilities, known.vulnerabilities);
});

test('the public key for releases is an Ed25519 key', async () => {
  const pem = await readFile(join(scripts, 'release.pub'), 'utf8');
  assert.equal(createPublicKey(pem).asymmetricKeyType, 'ed25519');
});

test.run();
