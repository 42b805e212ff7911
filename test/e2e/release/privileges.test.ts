import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';

/**
 * The installer runs as root beside a gateway that does not. Here, `nobody` acts as the gateway's user, and
 * the functions that need systemd are replaced.
 */
const test = suite('installer privileges');
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stdout.write('skipped: the privileges of the installer need root\n');
const rootTest = isRoot ? test : test.skip;

const scripts = join(packageRoot(), 'systemd');
const NOBODY = 65_534;
const dir = await realpath(await mkdtemp(join(tmpdir(), 'privileges-')));
await chmod(dir, 0o755);
test.after(() => rm(dir, { recursive: true, force: true }));

const PRELUDE = `
  set -euo pipefail
  info() { printf '%s\\n' "$*"; }
  die() { printf '%s\\n' "$*" && exit 1; }
  . ${scripts}/verify.sh
  . ${scripts}/state.sh
  . ${scripts}/switch.sh
  as_service() { (cd / && exec setsid --wait runuser -u nobody -- "$@"); }
  end_processes() { :; }
  systemctl() { :; }
  journalctl() { :; }
  activate() { :; }
  version_of() { echo 0.2.0; }
  opt=${dir}/opt state=${dir}/state id=new previous=old
`;

function shell(script: string, env: Record<string, string> = {}): { status: number | null; stdout: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', PRELUDE + script], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout: stdout + stderr };
}

const withStatus = `systemctl() { case $1 in is-active) echo active ;; show) printf '%s\\n' "$STATUS" ;; esac; }
  serving_at || echo refused`;

const REFUSED = [
  'Serving at --import=/var/lib/cartwright/x.mjs now',
  'Serving at -e now',
  'Serving at --env-file=/var/lib/cartwright/x now',
  'Serving at file:///var/lib/cartwright/x now',
  'Serving at http:--import=x now',
  'Serving at https://$(id)/ now',
  'Serving at http://localhost:3000/../x now',
  'Serving at http://user@localhost:3000 now',
  'Serving at http://localhost:123456 now',
  'Serving at http://localhost:3000\u001b[2J now',
  'Serving at  http://localhost:3000 now',
  'Serving at ',
  '',
];

for (const status of REFUSED) {
  test(`the installer ignores the status ${JSON.stringify(status)}`, () => {
    assert.equal(shell(withStatus, { STATUS: status }).stdout, 'refused\n');
  });
}

test('the installer reads the address of a gateway that is serving requests', () => {
  for (const url of [
    'http://localhost:3000',
    'https://cart-1.local:3443',
    'http://[fd00::1]:80',
    'http://10.0.0.5',
  ])
    assert.equal(shell(withStatus, { STATUS: `Serving at ${url} (0.2.0)` }).stdout, `${url}\n`);
});

rootTest(
  "the installer queries the gateway without a terminal and with the gateway's privileges",
  async () => {
    const record = join(dir, 'record');
    await mkdir(join(dir, 'opt'));
    await writeFile(
      join(dir, 'opt/node'),
      '#!/bin/bash\nid -un\nps -o tty= -p $$\nshift $(($# - 2))\nprintf "%s\\n" "$@" >&2\n',
    );
    await chmod(join(dir, 'opt/node'), 0o755);
    const asNobody = `as_service() { (cd / && exec setsid --wait runuser -u nobody -- "$@") > ${record} 2>&1; }`;
    shell(`${asNobody}\nanswers --import=x.mjs 0.2.0 || true`);
    const lines = (await readFile(record, 'utf8')).split('\n').map((line) => line.trim());
    assert.deepEqual(lines.slice(0, 4), ['nobody', '?', '--', '--import=x.mjs']);
  },
);

test('the installer repeats a slow query until the gateway answers, and no longer than 30 s', () => {
  const slow = (answers: string): string => `
    serving_at() { echo http://localhost; }
    sleep() { SECONDS=$((SECONDS + 10)); }
    probe() { echo "probe" >&2; ${answers}; }
    note_checks; echo "$is_parked:$needed"`;
  const third = slow('[ "$SECONDS" -ge 20 ] && echo "true 0.2.0 false store,camera"');
  assert.equal(shell(third).stdout, 'false:store,camera\nprobe\nprobe\nprobe\n');
  assert.equal(shell(slow('false')).stdout, `unknown:\n${'probe\n'.repeat(4)}`);
});

test('the installer never passes an address to Node as an option', async () => {
  const [code, proof] = [join(dir, 'code.mjs'), join(dir, 'proof')];
  await writeFile(
    code,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(proof)}, '');`,
  );
  const { status } = shell(`opt=${dir}/real && mkdir -p $opt && ln -sfn "$(command -v node)" $opt/node
    as_service() { "$@"; }
    answers --import=${code} 0.2.0`);
  assert.equal(status, 1);
  assert.ok(!(await readdir(dir)).includes('proof'));
});

test('the installer prints the log of a failed release without control characters', () => {
  const { stdout } = shell(`journalctl() { printf '\\033]0;title\\007line\\r\\t1\\x9b2J\\n'; }
    previous= && go_back`);
  assert.match(stdout, /^\]0;titleline\t12J$/m);
});

rootTest(
  'a rollback keeps the owner of the data and does not follow links created by the gateway',
  async () => {
    const data = join(dir, 'data');
    const target = join(dir, 'of-root');
    await writeFile(target, 'root');
    for (const [path, owner] of [
      [data, NOBODY],
      [`${data}.before`, 0],
    ] as const) {
      await mkdir(path);
      await writeFile(join(path, 'variables.json'), 'before');
      await chown(join(path, 'variables.json'), NOBODY, NOBODY);
      await chown(path, owner, owner);
    }
    // A process of the gateway's user puts a link where root is about to write.
    const bin = join(dir, 'bin');
    await mkdir(bin);
    await writeFile(
      join(bin, 'rm'),
      `#!/bin/bash\n/bin/rm "$@"\n[[ $* != *data/variables.json* ]] || ln -s ${target} ${data}/variables.json\n`,
    );
    await chmod(join(bin, 'rm'), 0o755);
    shell(`data=${data} && restore_data`, { PATH: `${bin}:${process.env.PATH}` });
    assert.equal(await readFile(target, 'utf8'), 'root');
    assert.equal(await readFile(join(data, 'variables.json'), 'utf8'), 'before');
    assert.equal((await stat(join(data, 'variables.json'))).uid, NOBODY);
  },
);

rootTest(
  "only the remaining processes of the gateway's user are ended before the data is copied",
  async () => {
    const uid = 64_123;
    const sleep = (user: number) =>
      spawn('setpriv', [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', 'sleep', '1000']);
    const [own, other] = [sleep(uid), sleep(uid + 1)];
    const ended = once(own, 'exit');
    const script = `
    set -euo pipefail
    info() { echo "$*"; }
    . ${scripts}/switch.sh
    id() { echo ${uid}; }
    as_service() { setpriv --reuid=${uid} --regid=${uid} --clear-groups -- "$@"; }
    until [ -n "$(processes_of ${uid})" ]; do :; done
    data=${dir}/processes
    mkdir "$data"
    save_data "$data.before" && processes_of ${uid}
    as_service() { :; }
    SECONDS=0
    sleep() { SECONDS=60; }
    processes_of() { echo 4711; }
    save_data "$data.before" || echo refused`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    assert.equal(stdout, "processes of the gateway's user do not end: 4711\nrefused\n", stderr);
    own.kill();
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    assert.equal(other.exitCode ?? other.signalCode, null);
    other.kill();
  },
);

rootTest('a copy of the data preserves links and is stored in a directory owned by root', async () => {
  const data = join(dir, 'linked');
  await mkdir(data);
  await symlink('/etc/shadow', join(data, 'variables.json'));
  await symlink('/etc', join(data, 'folder'));
  await chown(data, NOBODY, NOBODY);
  const { stdout } = shell(`data=${data} && save_data "$data.before"
    find "$data.before" -printf '%y %m %U %l\\n' | sort`);
  assert.match(stdout, /^d 700 0 \nl 777 0 \/etc\nl 777 0 \/etc\/shadow\n$/);
});

rootTest('a rollback does not start a release that other users can change', async () => {
  for (const [at, owner, mode] of [
    ['foreign', NOBODY, 0o755],
    ['shared', 0, 0o775],
    ['open', 0, 0o757],
  ] as const) {
    const release = join(dir, 'opt/releases', at);
    await mkdir(release, { recursive: true });
    await chmod(release, mode);
    await chown(release, owner, owner);
    const { stdout } = shell(`previous=${at}; activate() { echo activated; }; go_back`);
    assert.match(stdout, /is not started: users other than root can change its files\n$/, at);
    assert.doesNotMatch(stdout, /activated/, at);
  }
});

rootTest('the installer accepts only a Node executable that no user except root can replace', async () => {
  const bin = join(dir, 'programs');
  await mkdir(join(bin, 'foreign'), { recursive: true });
  await mkdir(join(bin, 'open'));
  await mkdir(join(bin, 'own'));
  for (const at of ['foreign/node', 'open/node', 'own/node', 'own/writable', 'own/of-nobody'])
    await writeFile(join(bin, at), '');
  await chown(join(bin, 'foreign'), NOBODY, NOBODY);
  await chmod(join(bin, 'open'), 0o777);
  await chmod(join(bin, 'own/writable'), 0o666);
  await chown(join(bin, 'own/of-nobody'), NOBODY, NOBODY);
  await symlink('../own/node', join(bin, 'foreign/link'));
  await symlink('../open/node', join(bin, 'own/link'));
  await symlink('own', join(bin, 'folder'));
  const isProtected = (at: string): boolean =>
    // The directory for temporary files is world-writable, so the check begins below it.
    shell(`dirname() { case $1 in ${dir}) echo / ;; *) command dirname "$1" ;; esac; }
      is_protected_program ${join(bin, at)}`).status === 0;
  for (const at of [
    'foreign/node',
    'open/node',
    'own/writable',
    'own/of-nobody',
    'foreign/link',
    'own/link',
    'own/none',
  ])
    assert.ok(!isProtected(at), at);
  for (const at of ['own/node', 'folder/node']) assert.ok(isProtected(at), at);
});

rootTest('the `cartwright` command runs a program in a separate terminal', async () => {
  const bin = join(dir, 'runuser');
  await mkdir(bin);
  await writeFile(join(bin, 'runuser'), '#!/bin/bash\necho "$@"\n');
  await chmod(join(bin, 'runuser'), 0o755);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const command = `${join(scripts, 'cartwright.sh')} user list`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env });
  assert.match(stdout, /-u cartwright --pty -- \/opt\/cartwright\/node \S+\/user\.js list/);
  const piped = spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
  assert.match(piped.stdout, /^-u cartwright -- \/opt\/cartwright\/node \S+\/user\.js list\n$/);
});

test('no script that runs as root uses a fixed name in a world-writable directory', async () => {
  for (const name of (await readdir(scripts)).filter((each) => each.endsWith('.sh'))) {
    const text = await readFile(join(scripts, name), 'utf8');
    const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
    assert.doesNotMatch(lines.join('\n'), /\/(run\/lock|tmp|var\/tmp|dev\/shm)\//, name);
  }
});

test.run();
