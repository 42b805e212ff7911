import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';

/** Tests that a release for a different architecture is rejected before it is installed. */
const test = suite('release processor architecture');

/** Node's architecture names with their ELF numbers (e_machine). */
const MACHINES = { x64: 62, arm64: 183, arm: 40 };
const OTHER = process.arch === 'arm64' ? 'x64' : 'arm64';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const canInstall = has('systemd-sysusers') && has('systemctl') && process.getuid?.() === 0;
if (!canInstall) process.stdout.write('skipped: installing needs root, systemd-sysusers and systemctl\n');
const installTest = canInstall ? test : test.skip;

const scripts = join(packageRoot(), 'systemd');
let dir: string;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'processor-'));
});

test.after.each(() => rm(dir, { recursive: true }));

function failureOf(script: string, ...args: string[]): string {
  const { status, stderr } = spawnSync(join(scripts, script), args, { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  return stderr;
}

async function binary(path: string, arch: keyof typeof MACHINES): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 'latin1');
  head.writeUInt16LE(MACHINES[arch], 18);
  await writeFile(path, head);
}

/** Creates a release that contains only the files that install.sh checks. */
async function release(arch: keyof typeof MACHINES): Promise<string> {
  const release = join(dir, arch);
  for (const part of ['package.json', 'package-lock.json', 'config', 'views', 'systemd']) {
    await cp(join(packageRoot(), part), join(release, part), { recursive: true });
  }
  await mkdir(join(release, 'dist/src'), { recursive: true });
  await writeFile(join(release, 'dist/src/main.js'), '');
  await binary(join(release, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'), arch);
  return release;
}

test('pack.sh rejects packages that are compiled for a different architecture', () => {
  const packed = join(dir, 'release');
  const build = ['--dist', join(import.meta.dirname, '../../..')];
  const message = failureOf('pack.sh', ...build, '--arch', OTHER, packed);
  const why = `\\.node is compiled for ${process.arch}, and the release is for ${OTHER}: --node-modules`;
  assert.match(message, new RegExp(why));
  assert.equal(existsSync(packed), false);
});

test('pack.sh rejects a Node executable that is compiled for a different architecture', async () => {
  const node = join(dir, 'node');
  await binary(node, OTHER);
  const message = failureOf('pack.sh', '--node', node, join(dir, 'release'));
  assert.match(message, new RegExp(`node is a program for ${OTHER}, and the release is for ${process.arch}`));
});

test('pack.sh names the unsupported architecture in its error message', () => {
  assert.match(failureOf('pack.sh', '--arch', 'mips', join(dir, 'release')), /arm64, arm or x64, not mips/);
});

installTest("the installer rejects a release whose architecture differs from Node's", async () => {
  const root = join(dir, 'root');
  await binary(join(root, 'usr/bin/node'), 'arm64');
  const message = failureOf(
    'install.sh',
    '--root',
    root,
    '--allow-unsigned',
    '--release',
    await release('x64'),
  );
  assert.match(message, /is packed for x64, and \/usr\/bin\/node is for arm64/);
  const releases = join(root, 'opt/cartwright/releases');
  assert.deepEqual(await readdir(releases), []);
  const args = ['--root', root, '--allow-unsigned', '--release', await release('arm64')];
  const { status, stderr } = spawnSync(join(scripts, 'install.sh'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal((await readdir(releases)).length, 1);
});

test.run();
