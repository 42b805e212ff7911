import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import { GatewayError } from '../../../src/shared/errors.js';
import { type Text, textOf } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { lockDataDirectory } from '../../../src/store/directory-lock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { canMount, withDisk } from './small-disk.js';

interface Context {
  dir: string;
  processes: ChildProcess[];
}

interface Outcome {
  /** Empty if the process holds the lock or started without one. */
  error: string;
  warnings: string[];
}

const test = suite<Context>('data directory lock');
const HOLDER = fileURLToPath(new URL('./lock-holder.js', import.meta.url));
const hasCompiler = spawnSync('cc', ['--version']).status === 0;
const mountTest = canMount() ? test : test.skip;
const compilerTest = hasCompiler ? test : test.skip;

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'directory-lock-'));
  context.processes = [];
});
test.after.each(async ({ dir, processes }) => {
  for (const child of processes) await end(child);
  rmSync(dir, { recursive: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** Starts a process that locks `dir`, and resolves with the outcome. */
async function lockElsewhere(
  { processes }: Context,
  dir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome & { child: ChildProcess }> {
  const child = spawn(process.execPath, [HOLDER, dir], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { ...JSON.parse(line), child };
}

function refusal(dir: string, locksFile?: string): GatewayError {
  const log = new RecordingLog();
  try {
    lockDataDirectory(dir, { log, ...(locksFile === undefined ? {} : { locksFile }) }).release();
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error;
  }
  throw new Error(`the lock was not refused; warnings: ${log.events()}`);
}

// Fault case 54
test('the lock is denied while another process holds it, and the error names the directory and the process', async (context) => {
  const { child } = await lockElsewhere(context, context.dir);
  const { code, message, info } = refusal(context.dir);
  assert.equal(code, 'DATA_DIR_IN_USE');
  assert.equal(
    message,
    `the data directory ${context.dir} is in use by another gateway (process ${child.pid})`,
  );
  assert.equal(
    info.hint,
    `Stop the other gateway, which "ps -fp ${child.pid}" shows, or set CARTWRIGHT_DATA_DIR to a different directory.`,
  );
});

// Fault case 54
test('the lock is the same for a symbolic link and a relative path', async (context) => {
  const { dir } = context;
  mkdirSync(join(dir, 'data'));
  symlinkSync(join(dir, 'data'), join(dir, 'link'));
  await lockElsewhere(context, join(dir, 'data'));
  for (const path of [
    join(dir, 'link'),
    relative(process.cwd(), join(dir, 'data')),
    join(dir, 'link/../data/.'),
  ])
    assert.equal(refusal(path).code, 'DATA_DIR_IN_USE', path);
});

// Fault case 54
test('exactly one of several processes that start at the same time acquires the lock', async (context) => {
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => lockElsewhere(context, context.dir)));
  assert.equal(outcomes.filter(({ error }) => error === '').length, 1);
  assert.deepEqual(
    outcomes.flatMap(({ warnings }) => warnings),
    [],
  );
});

// Fault case 54
test('the lock is released when its holder is killed, although the file remains', async (context) => {
  const { child } = await lockElsewhere(context, context.dir);
  await end(child);
  assert.deepEqual(readdirSync(context.dir), ['gateway.lock']);
  const { error, warnings } = await lockElsewhere(context, context.dir);
  assert.deepEqual([error, warnings], ['', []]);
});

test('the error names the holder of the lock, not the process that holds another lock', async (context) => {
  const { dir } = context;
  const { child } = await lockElsewhere(context, dir);
  const { ino } = statSync(join(dir, 'gateway.lock'));
  const locks = join(dir, 'locks');
  writeFileSync(
    locks,
    [
      `1: POSIX  ADVISORY  WRITE 21 fe:00:1${ino} 1073741824 1073742335`,
      `2: FLOCK  ADVISORY  WRITE 22 fe:00:${ino} 0 EOF`,
      `3: POSIX  ADVISORY  READ 23 fe:00:${ino} 1073741824 1073742335`,
      `4: POSIX  ADVISORY  WRITE ${child.pid} fe:00:${ino} 1073741824 1073742335`,
    ].join('\n'),
  );
  assert.match(refusal(dir, locks).message, new RegExp(`process ${child.pid}\\)$`));
});

test('the error does not name a process when the holder of the lock is in another container', async (context) => {
  await lockElsewhere(context, context.dir);
  const locks = join(context.dir, 'locks');
  writeFileSync(locks, '');
  const { message, info } = refusal(context.dir, locks);
  assert.match(message, /is in use by another gateway$/);
  assert.match(String(info.hint), /^Stop the other gateway, or set/);
  assert.deepEqual(readdirSync(context.dir).sort(), ['gateway.lock', 'locks']);
});

test('locking does not write to the disk', ({ dir }) => {
  const lock = lockDataDirectory(dir, { log: new RecordingLog() });
  assert.deepEqual(readdirSync(dir), ['gateway.lock']);
  assert.equal(statSync(join(dir, 'gateway.lock')).size, 0);
  lock.release();
  assert.equal(statSync(join(dir, 'gateway.lock')).size, 0);
});

test('the lock is unavailable, with a warning, when the lock file cannot be opened', ({ dir }) => {
  mkdirSync(join(dir, 'gateway.lock'));
  const log = new RecordingLog();
  lockDataDirectory(dir, { log }).release();
  assert.deepEqual(log.events(), ['data.lock_unavailable']);
});

mountTest('the lock is unavailable, with a warning, on a read-only disk', () =>
  withDisk(1024, async (disk) => {
    const log = new RecordingLog();
    lockDataDirectory(disk, { log }).release();
    assert.equal(spawnSync('mount', ['-o', 'remount,ro', disk]).status, 0);
    lockDataDirectory(disk, { log }).release();
    assert.deepEqual(
      log.lines.map(({ event, fields }) => `${event}: ${textOf(fields?.reason as Text)}`),
      ['data.lock_unavailable: the file system is read-only (EROFS)'],
    );
  }),
);

mountTest('the lock can be acquired on a full disk', () =>
  withDisk(64, async (disk) => {
    assert.throws(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(1 << 20)), { code: 'ENOSPC' });
    const log = new RecordingLog();
    const lock = lockDataDirectory(disk, { log });
    assert.equal(refusal(disk).code, 'DATA_DIR_IN_USE');
    assert.deepEqual(log.events(), []);
    lock.release();
  }),
);

compilerTest('the lock is unavailable, with a warning, on a file system without locks', async (context) => {
  const { dir } = context;
  const shim = join(dir, 'disk-faults.so');
  const source = join(packageRoot(), 'test', 'helpers', 'disk-faults.c');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'], {
    encoding: 'utf8',
  });
  assert.equal(built.status, 0, built.stderr);
  const fault = join(dir, 'fault');
  const data = join(dir, 'data');
  mkdirSync(data);
  for (const [name, reason] of [
    ['ENOLCK', 'data.lock_unavailable: the file system does not support locks'],
    ['ENOTSUP', 'data.lock_unavailable: disk I/O error'],
  ] as const) {
    writeFileSync(fault, `lock ${constants.errno[name]}`);
    const { error, warnings } = await lockElsewhere(context, data, {
      LD_PRELOAD: shim,
      DISK_FAULT_FILE: fault,
    });
    assert.deepEqual([error, warnings], ['', [reason]], name);
    assert.deepEqual(readdirSync(data), ['gateway.lock']);
  }
});

test.run();
