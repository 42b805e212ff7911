import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';

/**
 * Tests how update.sh continues an update that a power cut interrupted, for each phase in its journal. The functions that
 * need systemd are replaced; the tests in test/device cut the power of a real system.
 */
const test = suite('recovery of an interrupted update');
const scripts = join(packageRoot(), 'systemd');
let dir: string;

test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recovery-'));
  for (const folder of ['opt/releases/1.0.0', 'opt/releases/2.0.0', 'data', 'data.before', 'state'])
    await mkdir(join(dir, folder), { recursive: true });
  for (const version of ['1.0.0', '2.0.0'])
    await writeFile(join(dir, 'opt/releases', version, 'package.json'), `{\n  "version": "${version}",\n}\n`);
  await writeFile(join(dir, 'data/variables.json'), 'new');
  await writeFile(join(dir, 'data/estop.json'), 'latched');
  await writeFile(join(dir, 'data.before/variables.json'), 'old');
});
test.after.each(() => rm(dir, { recursive: true, force: true }));

type Journal = Record<string, string>;

/** Writes the journal of an update from 1.0.0 to 2.0.0. */
async function interrupted(phase: string, rest: Journal = {}): Promise<void> {
  const journal: Journal = {
    phase,
    id: '2.0.0',
    previous: '1.0.0',
    is_new: 'true',
    node: '/usr/bin/node',
    chosen_node: 'false',
    boots: '0',
    run: 'abc',
    file: 'cartwright-2.0.0-x64.tar.gz',
    version: '2.0.0',
    from: '1.0.0',
    started: '1',
    ...rest,
  };
  const lines = Object.entries(journal).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(dir, 'state/journal'), lines.join(''));
}

/** Functions of update.sh, with the variables of the journal. `ready` lists the releases that become ready. */
const prelude = (ready: string): string => `
    . <(sed '/^case /,$d' ${scripts}/update.sh)
    opt=${dir}/opt data=${dir}/data state=${dir}/state incoming=${dir}/opt/.incoming units=${dir}/units
    systemctl() { :; }
    journalctl() { :; }
    sync() { :; }
    settle() { [ "$id" = "$previous" ] || sweep; }
    as_service() { "$@"; }
    is_protected() { :; }
    activate() { ln -sfn "releases/$1" "$opt/current"; }
    end_processes() { :; }
    wait_ready() { [[ " ${ready} " == *" $1 "* ]]; }
    read_journal
  `;

/** Runs functions of update.sh after reading the journal. `ready` lists the releases that become ready. */
function update(script: string, ready = ''): string {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', prelude(ready) + script, join(scripts, 'update.sh')],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

interface Found {
  current: string;
  releases: string[];
  result: string | null;
  code: string | null;
  hasJournal: boolean;
  variables: string;
}

async function found(): Promise<Found> {
  const current = spawnSync('readlink', [join(dir, 'opt/current')], { encoding: 'utf8' }).stdout.trim();
  const progress = await readFile(join(dir, 'state/progress.json'), 'utf8').catch(() => '{}');
  const { result = null, code = null } = JSON.parse(progress);
  const hasJournal = (await readdir(join(dir, 'state'))).includes('journal');
  const variables = await readFile(join(dir, 'data/variables.json'), 'utf8').catch(() => 'missing');
  assert.equal(await readFile(join(dir, 'data/estop.json'), 'utf8'), 'latched');
  return { current, releases: await readdir(join(dir, 'opt/releases')), result, code, hasJournal, variables };
}

for (const phase of ['preparing', 'placed'])
  test(`an update interrupted while ${phase} is rejected, and its release is removed`, async () => {
    spawnSync('ln', ['-s', 'releases/1.0.0', join(dir, 'opt/current')]);
    await interrupted(phase);
    update('recover');
    const { current, releases, result, code, hasJournal, variables } = await found();
    assert.deepEqual([current, releases, variables], ['releases/1.0.0', ['1.0.0'], 'new']);
    assert.deepEqual([result, code, hasJournal], ['rejected', 'INTERRUPTED', false]);
  });

for (const [phase, current, releases] of [
  ['placed', '', ['1.0.0']],
  ['switched', 'releases/2.0.0', ['2.0.0']],
] as const)
  test(`a first installation interrupted while ${phase} is ${current === '' ? 'reverted' : 'finished'} although its units are missing`, async () => {
    await interrupted(phase, { previous: '', run: '' });
    const missing = `systemctl() { [ -L "$opt/current" ] || { echo "Unit $* not found" >&2; return 5; }; }`;
    update(`${missing}; recover; resume`, '2.0.0');
    const left = await found();
    assert.deepEqual([left.current, left.releases, left.hasJournal], [current, releases, false]);
  });

test('an update interrupted after the switch continues with the new release', async () => {
  await interrupted('switched');
  update('recover && resume', '2.0.0');
  const { current, result, hasJournal, variables } = await found();
  assert.deepEqual([current, result, hasJournal, variables], ['releases/2.0.0', 'installed', false, 'new']);
});

test('a new release that is not ready after an interruption is replaced by the previous release', async () => {
  await interrupted('switched');
  update('recover && resume', '1.0.0');
  const { current, result, code, variables } = await found();
  assert.deepEqual([current, result, code, variables], ['releases/1.0.0', 'returned', 'NOT_READY', 'new']);
});

test('an update interrupted twice after the switch is rolled back to the previous release', async () => {
  await interrupted('switched');
  update('recover');
  assert.equal((await found()).current, 'releases/2.0.0');
  update('recover');
  assert.equal((await found()).current, 'releases/1.0.0');
  update('resume', '1.0.0 2.0.0');
  const { current, result, code, hasJournal } = await found();
  assert.deepEqual([current, result, code, hasJournal], ['releases/1.0.0', 'returned', 'INTERRUPTED', false]);
});

test('a rollback to a release that cannot read the data restores the earlier data', async () => {
  await interrupted('returning', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  const readable = 'wait_ready() { [ "$(cat "$data/variables.json")" = old ]; }';
  update(`${readable}; recover && resume`);
  const { current, result, code, variables } = await found();
  assert.deepEqual([current, result, code, variables], ['releases/1.0.0', 'returned', 'NOT_READY', 'old']);
  assert.equal(await readFile(join(dir, 'data.failed/variables.json'), 'utf8'), 'new');
});

test('an interrupted restore of the data is repeated before the gateway starts', async () => {
  await interrupted('restoring', { why: '2.0.0 was not ready', code: 'CHECKS', failed: 'camera' });
  await rm(join(dir, 'data/variables.json'));
  update('recover');
  const { current, variables } = await found();
  assert.deepEqual([current, variables], ['releases/1.0.0', 'old']);
  update('resume', '1.0.0');
  const { failedChecks, result, code } = JSON.parse(await readFile(join(dir, 'state/progress.json'), 'utf8'));
  assert.deepEqual([result, code, failedChecks], ['returned', 'CHECKS', ['camera']]);
});

test('a failed restore of the data is not recorded as complete, and the gateway stays stopped', async () => {
  spawnSync('ln', ['-s', 'releases/2.0.0', join(dir, 'opt/current')]);
  await interrupted('restoring', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  const failing =
    'mv() { case $* in *data*) false ;; *) command mv "$@" ;; esac; }; systemctl() { echo "systemctl $*"; }';
  for (const step of ['recover', 'resume']) {
    const output = update(`exec 2>&1; ${failing}; (${step}) || echo "ended with $?"`);
    assert.match(output, /could not be put back/);
    assert.match(output, /systemctl stop --no-block cartwright\n/);
    assert.match(output, /ended with 1/);
    assert.match(await readFile(join(dir, 'state/journal'), 'utf8'), /^phase=restoring$/m);
  }
  update('resume', '1.0.0');
  const { current, result, variables } = await found();
  assert.deepEqual([current, result, variables], ['releases/1.0.0', 'returned', 'old']);
  await writeFile(join(dir, 'data.before/variables.json'), 'older');
  await interrupted('returning', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  const output = update(`exec 2>&1; ${failing}; (use_previous) || echo "ended with $?"`);
  assert.match(output, /could not be put back/);
  assert.match(output, /ended with 1/);
  assert.match(await readFile(join(dir, 'state/journal'), 'utf8'), /^phase=clearing$/m);
});

test('a return to the previous release restores all data and keeps the newer data, even if it is interrupted after each file', async () => {
  await writeFile(join(dir, 'data/added.json'), 'new');
  await writeFile(join(dir, 'data.before/site.json'), 'old');
  await interrupted('clearing', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  const oneMove = `
    moves=0
    mv() {
      if [[ $* = *data* ]]; then [ "$moves" -eq 0 ] || exit 9; moves=1; fi
      command mv "$@"
    }`;
  for (let move = 1; move <= 3; move += 1)
    assert.match(update(`${oneMove}; (recover) || echo "ended with $?"`), /ended with 9/);
  update(`${oneMove}; recover; resume`, '1.0.0');
  const { current, result, variables } = await found();
  assert.deepEqual([current, result, variables], ['releases/1.0.0', 'returned', 'old']);
  assert.deepEqual(await readdir(join(dir, 'data')), ['estop.json', 'site.json', 'variables.json']);
  assert.deepEqual(await readdir(join(dir, 'data.failed')), ['added.json', 'variables.json']);
});

/** Returns to 1.0.0 while another file system is mounted on `mount`. Prints what is started, and the data afterwards. */
function returnsOn(mount: string, prepare: string): string {
  const script = `
    set -e
    copy=$(mktemp -d) && cp -a ${mount}/. "$copy" && mount -t tmpfs -o size=1m tmpfs ${mount}
    cp -a "$copy/." ${mount}/ && rm -r "$copy"
    ${prepare}
    ${prelude('')}
    wait_ready() { [ "$(cat "$data/variables.json")" = old ]; }
    (use_previous)
    cat "$data/variables.json" "$data.failed/variables.json" && ls "$state"`;
  const args = ['-m', 'bash', '-c', script, join(scripts, 'update.sh')];
  const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
  return stdout + stderr;
}

const rootTest = process.getuid?.() === 0 ? test : test.skip;

rootTest('a return to the previous release needs no additional disk space', async () => {
  await interrupted('returning', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  const full = `head -c 65536 /dev/zero > ${dir}/state/reserve
    head -c 300000 /dev/zero > ${dir}/data/store.db && cp ${dir}/data/store.db ${dir}/data.before/
    cat /dev/zero > ${dir}/data/photos 2> /dev/null || true`;
  assert.match(returnsOn(dir, full), /1\.0\.0 runs again\noldnewprogress\.json\n$/);
});

rootTest('a return to the previous release restores data that is on its own file system', async () => {
  await interrupted('returning', { why: '2.0.0 was not ready', code: 'NOT_READY' });
  assert.match(returnsOn(join(dir, 'data'), ''), /1\.0\.0 runs again\noldnewprogress\.json\n$/);
});

test('recovery at boot finishes before a requested update begins and before the gateway starts', async () => {
  const unit = (name: string) => readFile(join(scripts, name), 'utf8');
  assert.match(await unit('cartwright-update.service'), /^After=cartwright-recover\.service$/m);
  assert.match(await unit('cartwright-recover.service'), /^Before=cartwright\.service$/m);
});

test('a damaged journal cannot change the current release or a path outside the releases', async () => {
  spawnSync('ln', ['-s', 'releases/1.0.0', join(dir, 'opt/current')]);
  await interrupted('switched', { id: '../../etc' });
  assert.match(update('recover'), /the journal is damaged/);
  const { current, releases } = await found();
  assert.deepEqual([current, releases], ['releases/1.0.0', ['1.0.0', '2.0.0']]);
});

test.run();
