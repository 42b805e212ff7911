import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { runOnPipe, STOP_WHEN_READY } from '../../helpers/terminal.js';

const lockSuite = suite('two gateways with one data directory');

function test(name: string, body: (gateway: GatewayProcess, data: string) => Promise<void>): void {
  lockSuite(name, async () => {
    const gateway = await GatewayProcess.start();
    try {
      await body(gateway, join(gateway.dir, 'data'));
    } finally {
      await gateway.close();
    }
  });
}

/** Runs a second gateway until it exits. A second gateway that becomes ready stops immediately. */
const second = (gateway: GatewayProcess, data: string, more: NodeJS.ProcessEnv = {}) =>
  runOnPipe({
    HOST: '127.0.0.1',
    PORT: '0',
    HTTPS_PORT: '0',
    CARTWRIGHT_DATA_DIR: data,
    CARTWRIGHT_CONFIG: join(gateway.dir, 'config.json'),
    NODE_OPTIONS: `--import ${STOP_WHEN_READY}`,
    ...more,
  });

const FILES = ['variables.json', 'settings-history/00000001.json', 'estop.json', 'setup-code'];

/** Returns the inodes and modification times of the files that a second gateway would replace. */
const stateOf = (data: string): Promise<string[]> =>
  Promise.all(
    FILES.map(async (name) => {
      const { ino, mtimeMs } = await stat(join(data, name));
      return `${name} ${ino} ${mtimeMs}`;
    }),
  );

// Fault case 54
test('the second gateway exits with an error that names the first gateway, and does not change any files', async (gateway, data) => {
  await gateway.untilCart(1, ({ safety }) => safety.mayMove);
  assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
  const before = await stateOf(data);
  const { port } = new URL(gateway.url);
  const { code, stderr, stdout } = await second(gateway, data, { PORT: port });
  assert.deepEqual(await stateOf(data), before);
  assert.equal(code, 1, stdout);
  const { event, reason, code: failure } = JSON.parse(stderr);
  assert.deepEqual([event, failure], ['gateway.start_failed', 'DATA_DIR_IN_USE']);
  assert.ok(
    reason.startsWith(
      `the data directory ${data} is in use by another gateway (process ${gateway.pid}). Stop `,
    ),
    reason,
  );
  assert.doesNotMatch(stdout, /store|settings|serial|estop/);
});

// Fault case 54
test('a gateway in stop-only mode neither shares nor releases the data directory', async (gateway, data) => {
  const runtime = join(gateway.dir, 'run');
  await mkdir(runtime);
  const crashed = JSON.stringify({ uncleanEnds: 3, failedStarts: 0, running: false });
  await writeFile(join(runtime, 'run.json'), crashed);
  const stopOnly = await second(gateway, data, { RUNTIME_DIRECTORY: runtime });
  assert.match(stopOnly.stdout, /gateway\.stop_only_entered/);
  assert.equal(JSON.parse(stopOnly.stderr).code, 'DATA_DIR_IN_USE');
  await gateway.kill('SIGTERM');
  await writeFile(join(runtime, 'run.json'), crashed);
  await gateway.spawn({ RUNTIME_DIRECTORY: runtime });
  const normal = await second(gateway, data);
  assert.equal(JSON.parse(normal.stderr).code, 'DATA_DIR_IN_USE');
});

// Fault case 54
test('starting through a symbolic link to the data directory is rejected until the first gateway is killed', async (gateway, data) => {
  const link = join(gateway.dir, 'link');
  await symlink(data, link);
  assert.match((await second(gateway, link)).stderr, /DATA_DIR_IN_USE/);
  assert.equal((await gateway.call('POST', '/estop', { cartID: 1 })).status, 200);
  await gateway.kill('SIGKILL');
  await gateway.spawn({ CARTWRIGHT_DATA_DIR: link });
  const { safety } = await gateway.cart(1);
  assert.equal(safety.emergencyStop, 'REMOTE');
  assert.ok(!gateway.log.some(({ event }) => event === 'data.lock_unavailable'));
});

// Fault case 54
test('`npm run user` does not create a database in the data directory of a running gateway', async (gateway, data) => {
  const script = join(import.meta.dirname, '../../../src/cli/user.js');
  const env = { ...process.env, CARTWRIGHT_DATA_DIR: data };
  for (const name of ['cartwright.db', 'cartwright.db-wal', 'cartwright.db-shm']) await rm(join(data, name));
  const child = spawn(process.execPath, [script, 'list'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, errors.includes(`(process ${gateway.pid})`)], [1, true], errors);
  await assert.rejects(readFile(join(data, 'cartwright.db')), { code: 'ENOENT' });
});

lockSuite.run();
