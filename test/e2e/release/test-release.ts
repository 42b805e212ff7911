import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatHex } from '../../../src/carts/firmware/intel-hex.js';
import { packageRoot } from '../../../src/shared/package-root.js';

/**
 * A release packed from this build and signed with a temporary key, and temporary root directories for its
 * installation.
 */

export const scripts = join(packageRoot(), 'systemd');
export const has = (program: string, versionFlag = '--version'): boolean =>
  spawnSync(program, [versionFlag]).status === 0;
export const canInstall =
  has('systemd-sysusers') && has('systemctl') && has('openssl', 'version') && process.getuid?.() === 0;
if (!canInstall)
  process.stdout.write('skipped: installing needs root, systemd-sysusers, systemctl and openssl\n');

export const dir = await mkdtemp(join(tmpdir(), 'install-'));

/** `sync` waits for the writes of all other programs on this machine, so the tests skip it. */
const withoutSync = join(dir, 'bin');
await mkdir(withoutSync);
await writeFile(join(withoutSync, 'sync'), '#!/bin/sh\n', { mode: 0o755 });
export const installerEnv = { ...process.env, PATH: `${withoutSync}:${process.env.PATH}` };

export function run(script: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(script, args, { encoding: 'utf8', env: installerEnv });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

async function pack(): Promise<string> {
  const packed = join(dir, 'release');
  const [dist, modules] = [join(import.meta.dirname, '../../..'), join(packageRoot(), 'node_modules')];
  const options = ['--dist', dist, '--node-modules', modules, '--firmware', await testFirmware()];
  run(join(scripts, 'pack.sh'), ...options, '--sign', key, '--public-key', publicKey, packed);
  return packed;
}

/** Writes files that replace those of firmware/build.sh, which takes 10 s. */
async function testFirmware(): Promise<string> {
  const folder = await mkdtemp(join(dir, 'firmware-'));
  const program = formatHex({ start: 0, bytes: Buffer.alloc(1000, 0x55) });
  for (const board of ['uno', 'mega']) await writeFile(join(folder, `cgw1-${board}.hex`), program);
  const facts = { version: '1.2.0', revision: '0', configured: false };
  await writeFile(join(folder, 'firmware.json'), JSON.stringify(facts));
  return folder;
}

/** Creates a temporary key pair; no private key is stored in the repository. */
export async function newKey(name: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const file = join(dir, `${name}.pem`);
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(join(dir, `${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  return file;
}
const key = await newKey('own');
const publicKey = join(dir, 'own.pub');
export const sign = (release: string, by = key): string => run(join(scripts, 'sign.sh'), by, release);

/** Packs a release as an archive for this processor and signs the archive. Returns the archive's path. */
export async function archiveOf(release: string, version: string, by = key): Promise<string> {
  const archive = join(await mkdtemp(join(dir, 'archive-')), `cartwright-${version}-${process.arch}.tar.gz`);
  run('tar', '-C', release, '-czf', archive, '--transform', 's,^\\.,cartwright,', '.');
  const notes = '### Fixed\n\n- A fault.\n';
  const { status, stderr } = spawnSync(join(scripts, 'sign.sh'), [by, archive, version, process.arch], {
    input: notes,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return archive;
}

export const release = canInstall ? await pack() : '';

/** The release without `node_modules`, for tests that do not run it. */
export const light = join(dir, 'light');
if (canInstall) {
  await cp(release, light, { recursive: true, filter: (path) => !path.includes('node_modules') });
  sign(light);
}

export const install = (root: string, ...args: string[]): string =>
  run(join(light, 'systemd/install.sh'), '--root', root, ...args);

export const newRoot = (): Promise<string> => mkdtemp(join(dir, 'root-'));

/** Returns every file in a directory with its content hash, and every symbolic link with its target. */
export async function contentsOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return `${path} -> ${await readlink(path)}`;
    if (!entry.isFile()) return path;
    return `${path} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(lines)).toSorted();
}

/** Creates a signed copy of the release with this version and with this content in views/changed.html. */
export async function variant(version: string, change: string): Promise<string> {
  const other = await mkdtemp(join(dir, 'variant-'));
  await cp(light, other, { recursive: true });
  const manifest = JSON.parse(await readFile(join(light, 'package.json'), 'utf8'));
  await writeFile(join(other, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await writeFile(join(other, 'views/changed.html'), change);
  sign(other);
  return other;
}

/** Creates a signed release that cannot run, with one dependency, for tests that install it many times. */
export async function small(version: string): Promise<string> {
  const made = await mkdtemp(join(dir, 'small-'));
  for (const part of ['config', 'systemd'])
    await cp(join(light, part), join(made, part), { recursive: true });
  await writeFile(
    join(made, 'package.json'),
    `${JSON.stringify({ name: 'small', version, private: true }, null, 2)}\n`,
  );
  for (const file of ['dist/src/main.js', 'node_modules/express/index.js']) {
    await mkdir(join(made, dirname(file)), { recursive: true });
    await writeFile(join(made, file), '// genuine');
  }
  sign(made);
  return made;
}
