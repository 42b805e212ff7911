import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';

/** Runs first-boot.sh of a kit on a temporary root, with other programs in place of the installer's. */
const test = suite('first boot');
const CODE = '0123-4567-89ab-cdef\n';
let root: string;

test.before.each(async () => {
  root = await mkdtemp(join(tmpdir(), 'first-boot-'));
  await mkdir(join(root, 'kit/systemd'), { recursive: true });
  await mkdir(join(root, 'var/lib'), { recursive: true });
  await mkdir(join(root, 'opt/cartwright'), { recursive: true });
  for (const name of ['first-boot.sh', 'state.sh'])
    await cp(join(packageRoot(), 'systemd', name), join(root, 'kit/systemd', name));
  await writeFile(join(root, 'kit/cartwright-1.0.0-arm64.tar.gz'), '');
  await writeFile(join(root, 'kit/config.json'), '{}');
  await writeFile(join(root, 'kit/setup-code.txt'), CODE);
  await program('update.sh', ':');
  await program('install.sh', `echo "installs $*"; touch ${root}/opt/cartwright/current`);
});
test.after.each(() => rm(root, { recursive: true, force: true }));

const program = (name: string, script: string): Promise<void> =>
  writeFile(join(root, 'kit/systemd', name), script);
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Returns the exit status and the log. Prints each file that is synced. */
async function firstBoot(): Promise<{ status: number | null; log: string }> {
  const script = `
    sync() { echo "syncs $*"; }
    . <(sed -E 's,(^|[ =])/(etc|opt|var)/,\\1${root}/\\2/,g' "$1/systemd/first-boot.sh")`;
  const { status } = spawnSync('bash', ['-c', script, 'first-boot.sh', join(root, 'kit')], {
    encoding: 'utf8',
  });
  return { status, log: (await read('kit/first-boot.log')).replaceAll(root, '') };
}

test('the configuration and the setup code are on the disk before the release is installed', async () => {
  const { status, log } = await firstBoot();
  assert.equal(status, 0, log);
  const steps = log.split('\n').filter((line) => /^(syncs|installs)/.test(line));
  assert.deepEqual(steps, [
    'syncs /etc/cartwright/config.json.new',
    'syncs /etc/cartwright',
    'syncs /etc/credstore/cartwright.setup-code.new',
    'syncs /etc/credstore',
    'installs --release /kit/cartwright-1.0.0-arm64.tar.gz',
    'syncs -f /var/lib/cartwright-first-boot',
  ]);
  assert.equal(await read('etc/credstore/cartwright.setup-code'), CODE);
  assert.equal((await stat(join(root, 'etc/credstore/cartwright.setup-code'))).mode & 0o777, 0o600);
});

test('an empty configuration left by a power cut is replaced, and any other configuration is kept', async () => {
  for (const [before, after] of [
    ['', '{}'],
    ['{"port": 8080}', '{"port": 8080}'],
  ] as const) {
    await mkdir(join(root, 'etc/cartwright'), { recursive: true });
    await writeFile(join(root, 'etc/cartwright/config.json'), before);
    await firstBoot();
    assert.equal(await read('etc/cartwright/config.json'), after);
    await rm(join(root, 'opt/cartwright/current'));
  }
});

test('an interrupted installation that can be finished is not repeated, and its files are kept', async () => {
  await program('update.sh', `echo "continues $1"; touch ${root}/opt/cartwright/current`);
  const { status, log } = await firstBoot();
  assert.equal(status, 0, log);
  assert.match(log, /continues resume\nsyncs .+\nThe installation is complete\.\n$/);
  await assert.rejects(read('etc/credstore/cartwright.setup-code'));
});

test('an installation that fails is repeated at the next boot', async () => {
  await program('install.sh', 'exit 1');
  assert.equal((await firstBoot()).status, 1);
  await assert.rejects(read('var/lib/cartwright-first-boot'));
  await program('install.sh', `touch ${root}/opt/cartwright/current`);
  assert.equal((await firstBoot()).status, 0);
  await read('var/lib/cartwright-first-boot');
});

test.run();
