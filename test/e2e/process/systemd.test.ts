import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { NotifySocket } from '../../helpers/notify-socket.js';
import { serviceEnvironment } from '../../helpers/service-environment.js';

const test = suite('systemd integration');
const unit = join(packageRoot(), 'systemd/cartwright.service');

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze) process.stdout.write('skipped: systemd-analyze is not installed\n');
const unitTest = hasAnalyze ? test : test.skip;

unitTest("the unit's systemd exposure level is at most 2.0 out of 10", () => {
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' });
  const [, exposure] = /Overall exposure level for cartwright\.service: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(exposure !== undefined && Number(exposure) <= 2, stdout.split('\n').at(-2));
});

for (const name of [
  'cartwright.service',
  'cartwright-recover.service',
  'cartwright-update.path',
  'cartwright-update.service',
  'cartwright-integrity.timer',
  'cartwright-integrity.service',
  'media-cartwright.mount',
])
  unitTest(`systemd accepts every line of ${name}`, () => {
    const path = join(packageRoot(), 'systemd', name);
    const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    // Ignores messages about other units and about the programs, which are missing here.
    const messages = stderr.split('\n').filter((line) => line.includes(name));
    assert.deepEqual(
      messages.filter((line) => !/\/opt\/cartwright\/\S+ is not executable/.test(line)),
      [],
    );
  });

test('the unit always restarts the gateway and preserves the crash count only across restarts', async () => {
  const lines = new Set((await readFile(unit, 'utf8')).split('\n'));
  for (const line of [
    'StartLimitIntervalSec=0',
    'Restart=always',
    'RestartSec=2',
    'RuntimeDirectory=cartwright',
    'RuntimeDirectoryPreserve=restart',
    'TimeoutStartFailureMode=kill',
  ])
    assert.ok(lines.has(line), line);
});

test('the build contains every program that the unit runs', async () => {
  const text = await readFile(unit, 'utf8');
  const programs = [...text.matchAll(/\/opt\/cartwright\/current\/dist\/(\S+\.js)/g)].map(([, path]) => path);
  assert.deepEqual(programs, ['src/main.js', 'src/cli/motors-off.js']);
  for (const path of programs) await readFile(join(import.meta.dirname, '../../..', path ?? ''));
});

test('systemd and pm2 set the same memory options', async () => {
  const text = await readFile(unit, 'utf8');
  for (const [name, value] of Object.entries(await serviceEnvironment()))
    assert.ok(text.includes(`\nEnvironment=${name}=${value}\n`), name);
});

test('the gateway notifies systemd that it is ready, alive or stopping', async () => {
  const systemd = await NotifySocket.open();
  const gateway = await GatewayProcess.start({}, { NOTIFY_SOCKET: systemd.path });
  const ready = await systemd.until(/^READY=1/);
  assert.ok(ready.includes(`\nSTATUS=Serving at ${gateway.url} ; cart 1 may `), ready);
  await systemd.until(/^WATCHDOG=1$/);
  await systemd.until(/^WATCHDOG=1$/);
  await gateway.call('POST', '/estop', {});
  await systemd.until(/^STATUS=.*cart 1 may not move: stopped by/);
  const stopped = gateway.kill('SIGTERM');
  await systemd.until(/^STOPPING=1/);
  assert.equal(await stopped, 0);
  await gateway.close();
  await systemd.close();
});

test('motors-off exits with 0 when there is nothing to switch off, and reports failures', () => {
  const run = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../../src/cli/motors-off.js')], {
      encoding: 'utf8',
      env: { ...process.env, CARTWRIGHT_DATA_DIR: '/nowhere', ...env },
    });
  assert.deepEqual([run({}).status, run({}).stderr], [0, '']);
  const { status, stderr } = run({ CARTWRIGHT_CONFIG: '/nowhere/config.json' });
  assert.equal(status, 1);
  assert.match(stderr, /^motor enable could not be switched off: .*\/nowhere\/config\.json/s);
});

test.run();
