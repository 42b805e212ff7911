import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import { packageVersion } from '../../../src/shared/package-root.js';
import {
  canInstall,
  contentsOf,
  dir,
  has,
  install,
  newRoot,
  release,
  run,
  scripts,
  sign,
  small,
  variant,
} from './test-release.js';

/** Installs a packed release into temporary root directories, not into the running system. */
const test = suite('release installation');

const installTest = canInstall ? test : test.skip;
if (!has('shellcheck')) process.stdout.write('skipped: shellcheck is not installed\n');
const shellTest = has('shellcheck') ? test : test.skip;

test.after(() => rm(dir, { recursive: true, force: true }));

shellTest('shellcheck reports no problems in the scripts', () => {
  assert.equal(
    spawnSync('shellcheck', [
      '-x',
      ...['install.sh', 'update.sh', 'pack.sh', 'sign.sh', 'cartwright.sh'].map((name) =>
        join(scripts, name),
      ),
    ]).status,
    0,
  );
});

installTest('a release contains the runtime files but no build tools', async () => {
  const names = await readdir(release);
  const parts = ['config', 'dist', 'ecosystem.config.js', 'node_modules', 'package.json', 'systemd', 'views'];
  assert.deepEqual(
    parts.filter((name) => !names.includes(name)),
    [],
  );
  const packages = await readdir(join(release, 'node_modules'));
  assert.deepEqual(
    ['pm2', 'typescript', 'uvu', '@biomejs'].filter((name) => packages.includes(name)),
    [],
  );
});

installTest(
  'install creates the unit, udev rules, user, groups, symbolic link and configuration',
  async () => {
    const root = await newRoot();
    install(root);
    assert.equal(await readlink(join(root, 'opt/cartwright/current')), `releases/${packageVersion()}`);
    await assertLinks(root);
    const groups = await readFile(join(root, 'etc/group'), 'utf8');
    for (const name of ['dialout', 'gpio', 'video'])
      assert.match(groups, new RegExp(`^${name}:.*:cartwright$`, 'm'));
    const { dataDir, port } = JSON.parse(await readFile(join(root, 'etc/cartwright/config.json'), 'utf8'));
    assert.deepEqual([dataDir, port], [undefined, 3000]);
  },
);

/** Asserts that each file outside the release is a link through `current`, or `updater` for the units that update. */
async function assertLinks(root: string): Promise<void> {
  for (const [installed, source] of [
    ['etc/systemd/system/cartwright.service', 'cartwright.service'],
    ['etc/systemd/system/cartwright-recover.service', 'cartwright-recover.service'],
    ['etc/systemd/system/cartwright-update.path', 'cartwright-update.path'],
    ['etc/systemd/system/cartwright-update.service', 'cartwright-update.service'],
    ['etc/systemd/system/cartwright-integrity.timer', 'cartwright-integrity.timer'],
    ['etc/systemd/system/cartwright-integrity.service', 'cartwright-integrity.service'],
    ['etc/systemd/system/media-cartwright.mount', 'media-cartwright.mount'],
    ['etc/udev/rules.d/99-cartwright.rules', '99-cartwright.rules'],
    ['etc/sysusers.d/cartwright.conf', 'cartwright.sysusers'],
    ['usr/local/bin/cartwright', 'cartwright.sh'],
  ] as const) {
    const target = await readlink(join(root, installed));
    const link = /^cartwright-(recover|update)\./.test(source) ? 'updater' : 'current';
    assert.equal(target, `/opt/cartwright/${link}/systemd/${source}`);
    await readFile(join(root, target));
  }
  const units = join(root, 'etc/systemd/system');
  for (const unit of ['cartwright.service', 'cartwright-recover.service', 'cartwright-update.path'])
    assert.equal(await readlink(join(units, 'multi-user.target.wants', unit)), `../${unit}`);
  const timer = 'cartwright-integrity.timer';
  assert.equal(await readlink(join(units, 'timers.target.wants', timer)), `../${timer}`);
  assert.equal(run('systemctl', `--root=${root}`, 'is-enabled', 'cartwright.service').trim(), 'enabled');
}

installTest('install creates symbolic links in place of the files that earlier versions copied', async () => {
  const root = await newRoot();
  for (const [folder, name, source] of [
    ['etc/systemd/system', 'cartwright.service', 'cartwright.service'],
    ['etc/udev/rules.d', '99-cartwright.rules', '99-cartwright.rules'],
    ['etc/sysusers.d', 'cartwright.conf', 'cartwright.sysusers'],
  ] as const) {
    await mkdir(join(root, folder), { recursive: true });
    await cp(join(scripts, source), join(root, folder, name));
  }
  run('systemctl', `--root=${root}`, 'enable', '--quiet', 'cartwright.service');
  install(root);
  await assertLinks(root);
});

installTest(
  'the gateway runs on the Node version in its release unless the operator chooses another version',
  async () => {
    const root = await newRoot();
    const node = () => readlink(join(root, 'opt/cartwright/node'));
    const withNode = await small('7.1.0');
    await mkdir(join(withNode, 'bin'));
    await cp(process.execPath, join(withNode, 'bin/node'));
    sign(withNode);
    install(root, '--release', await small('7.0.0'), '--node', '/usr/local/bin/node');
    assert.equal(await node(), '/usr/local/bin/node');
    install(root, '--release', withNode);
    assert.equal(await node(), '/opt/cartwright/current/bin/node');
    install(root, '--release', withNode, '--node', '/usr/local/bin/node');
    assert.equal(await node(), '/usr/local/bin/node');
    install(root, '--release', await small('7.2.0'), '--node', '/usr/bin/node');
    assert.equal(await node(), '/usr/bin/node');
  },
);

installTest('repeating an installation changes nothing and keeps the configuration', async () => {
  const root = await newRoot();
  install(root);
  await writeFile(join(root, 'etc/cartwright/config.json'), '{"port": 8080}');
  const once = await contentsOf(root);
  install(root);
  assert.deepEqual(await contentsOf(root), once);
});

installTest('an empty configuration left by a power cut is replaced', async () => {
  const root = await newRoot();
  install(root);
  const file = join(root, 'etc/cartwright/config.json');
  const config = await readFile(file, 'utf8');
  await writeFile(file, '');
  install(root);
  assert.equal(await readFile(file, 'utf8'), config);
});

installTest(
  'a new version becomes the current one, and the same version with different contents is installed in a separate directory',
  async () => {
    const root = await newRoot();
    install(root);
    install(root, '--release', await variant('7.0.0', 'one'));
    assert.equal(await readlink(join(root, 'opt/cartwright/current')), 'releases/7.0.0');
    install(root, '--release', await variant('7.0.0', 'two'));
    assert.match(await readlink(join(root, 'opt/cartwright/current')), /^releases\/7\.0\.0-[0-9a-f]{8}$/);
    const content = await readFile(join(root, 'opt/cartwright/releases/7.0.0/views/changed.html'), 'utf8');
    assert.equal(content, 'one');
  },
);

installTest('a packed release installs the same files as the unpacked release', async () => {
  const [plain, packed] = [await newRoot(), await newRoot()];
  const file = join(dir, 'release.tar.gz');
  run('tar', '-C', dir, '-czf', file, 'light');
  install(plain);
  install(packed, '--release', file);
  const under = async (root: string) => (await contentsOf(root)).map((line) => line.replaceAll(root, ''));
  const opt = (lines: string[]) => lines.filter((line) => line.startsWith('/opt'));
  assert.deepEqual(opt(await under(packed)), opt(await under(plain)));
});

installTest('install rejects a directory that is not a release and changes nothing', async () => {
  const root = await newRoot();
  install(root);
  const before = await contentsOf(root);
  const empty = await mkdtemp(join(dir, 'empty-'));
  const args = ['--root', root, '--release', empty];
  const { status, stderr } = spawnSync(join(scripts, 'install.sh'), args, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /is not a release: it has no dist\/src\/main\.js/);
  assert.deepEqual(await contentsOf(root), before);
});

installTest('uninstall keeps the data, configuration and user, and purge removes everything', async () => {
  const root = await newRoot();
  install(root);
  await cp(join(scripts, 'cartwright.service'), join(root, 'var/lib/cartwright/data'), { recursive: true });
  install(root, '--uninstall');
  const left = (await contentsOf(root)).map((line) => line.replace(root, ''));
  assert.deepEqual(
    left.filter((line) =>
      /\/opt\/cartwright|cartwright.*\.(service|path|timer)|cartwright-update|99-cartwright/.test(line),
    ),
    [],
  );
  await readFile(join(root, 'var/lib/cartwright/data'));
  await readFile(join(root, 'etc/cartwright/config.json'));
  run(join(scripts, 'install.sh'), '--root', root, '--uninstall', '--purge');
  const names = (await contentsOf(root)).filter((line) => line.replace(root, '').includes('cartwright'));
  assert.deepEqual(names, []);
  assert.doesNotMatch(await readFile(join(root, 'etc/passwd'), 'utf8'), /cartwright/);
});

installTest('an installed release does not depend on a source checkout', async () => {
  const root = await newRoot();
  install(root, '--release', release);
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_CONFIG: join(root, 'etc/cartwright/config.json'),
    CARTWRIGHT_DATA_DIR: join(root, 'var/lib/cartwright'),
  };
  const main = join(root, 'opt/cartwright/current/dist/src/main.js');
  const child = spawn(process.execPath, [main], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = await fetch(`${await servedAt(child)}/readyz`);
  const { ready, version } = (await answer.json()) as { ready: boolean; version: string };
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual([ready, version, await ended], [true, packageVersion(), [0, null]]);
});

type Files = Record<string, string>;

async function directoryOf(files: Files): Promise<string> {
  const made = await mkdtemp(join(dir, 'files-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(made, name), text);
  return made;
}

async function filesIn(directory: string): Promise<Files> {
  const names = (await readdir(directory)).toSorted();
  const texts = names.map((name) => readFile(join(directory, name), 'utf8'));
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at], text]));
}

/** switch.sh with its service and log functions stubbed. */
const switching = (data: string): string => `
  set -euo pipefail
  . ${scripts}/verify.sh
  . ${scripts}/state.sh
  . ${scripts}/switch.sh
  current= data=${data} opt=${dir}/opt state=${data}.state
  mkdir -p "$opt/releases/old"
  end_processes() { :; }
  systemctl() { :; }
  journalctl() { :; }
  info() { :; }
  die() { echo "$*" && exit 1; }
  activate() { current=$1; }`;

/**
 * Rolls back a release that wrote the files in `written` and never became ready. Returns the files in the
 * data directory after the rollback.
 */
async function rolledBack(before: Files, written: Files): Promise<Files> {
  const data = await directoryOf(before);
  const script = `${switching(data)}
    id=new previous=old
    wait_ready() {
      if [ "$current" = new ]; then cp ${await directoryOf({ ...written, migrated: '' })}/* "$data"; fi
      [ ! -e "$data/migrated" ]
    }
    switch`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.equal(stdout, 'new was not ready within 60 s; old runs again\n', stderr);
  return filesIn(data);
}

test('a latched stop persists when the release under which it was latched is rolled back', async () => {
  const before = { 'estop.json': 'free', 'variables.json': 'old' };
  const pressed = { 'estop.json': 'latched', 'estop.json.tmp-1-1-abc': 'half' };
  const found = await rolledBack(before, { ...pressed, 'variables.json': 'new' });
  assert.deepEqual(found, { ...pressed, 'variables.json': 'old' });
  assert.deepEqual(await rolledBack({}, { 'estop.json': 'latched' }), { 'estop.json': 'latched' });
});

test('the reset of a latched stop persists after a rollback', async () => {
  const found = await rolledBack({ 'estop.json': 'latched' }, { 'estop.json': 'free' });
  assert.deepEqual(found, { 'estop.json': 'free' });
});

test('the revocation journal persists after a rollback', async () => {
  const found = await rolledBack({ 'revocations.journal': 'one' }, { 'revocations.journal': 'one, two' });
  assert.deepEqual(found, { 'revocations.journal': 'one, two' });
});

test('reinstalling a release that does not become ready keeps the data', async () => {
  const data = await directoryOf({ 'variables.json': 'now' });
  const script = `${switching(data)}
    id=old previous=old
    mkdir "$data.before" && echo long ago > "$data.before/variables.json"
    wait_ready() { false; }
    switch`;
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.match(stdout, /^old is installed again and not ready/);
  assert.deepEqual(await filesIn(data), { 'variables.json': 'now' });
});

test('the recovery units come from the last release that was ready, and remain after a return to 0.2.0', async () => {
  const root = await newRoot();
  const script = `
    set -euo pipefail
    root=${root} node=/usr/bin/node chosen_node=false
    for part in processor verify state place switch; do . ${scripts}/$part.sh; done
    is_live() { :; }
    for name in sync systemd-sysusers systemctl apply_rules; do eval "$name() { :; }"; done
    for id in 0.2.0 0.3.0 0.4.0 0.5.0; do
      mkdir -p "$opt/releases/$id"
      cp -r ${scripts} "$opt/releases/$id/systemd"
    done
    rm "$opt"/releases/0.2.0/systemd/{update.sh,cartwright-{update,recover,integrity}.*,media-*}
    show() { echo "$(readlink "$opt/current" "$opt/updater" | xargs) $(ls "$units" | xargs)"; }
    previous= id=0.2.0 && activate 0.2.0 && show
    find_previous && id=0.3.0 && activate 0.3.0 && show
    activate 0.2.0 && show
    id=0.4.0 && activate 0.4.0 && show
    settle && show && ls "$opt/releases"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  const gateway = 'cartwright.service multi-user.target.wants timers.target.wants';
  const withStick = gateway.replace(' ', ' media-cartwright.mount ');
  const recovery = 'cartwright-recover.service cartwright-update.path cartwright-update.service';
  const integrity = 'cartwright-integrity.service cartwright-integrity.timer';
  assert.deepEqual(
    stdout.split('\n'),
    [
      `releases/0.2.0 ${gateway}`,
      `releases/0.3.0 releases/0.3.0 ${integrity} ${recovery} ${withStick}`,
      `releases/0.2.0 releases/0.3.0 ${recovery} ${gateway}`,
      `releases/0.4.0 releases/0.3.0 ${integrity} ${recovery} ${withStick}`,
      `releases/0.4.0 releases/0.4.0 ${integrity} ${recovery} ${withStick}`,
      '0.2.0',
      '0.4.0',
      '',
    ],
    stderr,
  );
});

test('a rollback to a release without Node restores the Node version that the release used', async () => {
  const root = await newRoot();
  const script = `
    set -euo pipefail
    root=${root} node= chosen_node=false
    for part in processor verify state place switch; do . ${scripts}/$part.sh; done
    info() { echo "$*"; }
    sync() { :; }
    systemd-sysusers() { :; }
    mkdir -p "$opt"/releases/{1.0.0,2.0.0/bin} && touch "$opt/releases/2.0.0/bin/node"
    ln -s releases/1.0.0 "$opt/current" && ln -s /usr/bin/node "$opt/node"
    find_previous
    id=2.0.0
    activate 2.0.0 && readlink "$opt/node"
    record returning
    previous_node=
    read_journal
    activate 1.0.0 && readlink "$opt/node"
    previous_node=
    activate 1.0.0 || readlink "$opt/node"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  const own = '/opt/cartwright/current/bin/node';
  assert.equal(stdout, `${own}\n/usr/bin/node\nthere is no Node for 1.0.0\n/usr/bin/node\n`, stderr);
});

async function servedAt(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('stdout is not a pipe');
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event === 'gateway.ready') return url;
  }
  throw new Error('the gateway ended before it was ready');
}

test.run();
