import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { findSupervisor } from '../../../../src/adapters/systemd/supervisor.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { NotifySocket } from '../../../helpers/notify-socket.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('systemd supervisor');

const supervised = (env: NodeJS.ProcessEnv) => ({ env, connected: false });

test('sends each state to systemd as an sd_notify datagram', async () => {
  const systemd = await NotifySocket.open();
  const supervisor = await findSupervisor(quietLog, supervised({ NOTIFY_SOCKET: systemd.path }));
  const acts: [() => void, string][] = [
    [() => supervisor.ready('Serving'), 'READY=1\nSTATUS=Serving'],
    [() => supervisor.alive(), 'WATCHDOG=1'],
    [() => supervisor.status('The disk is full'), 'STATUS=The disk is full'],
    [() => supervisor.stopping(), 'STOPPING=1\nSTATUS=Stopping'],
  ];
  for (const [act, expected] of acts) {
    act();
    assert.equal(await systemd.until(/./), expected);
  }
  supervisor.close();
  await systemd.close();
});

test('a line break in a status cannot inject another sd_notify assignment', async () => {
  const systemd = await NotifySocket.open();
  const supervisor = await findSupervisor(quietLog, supervised({ NOTIFY_SOCKET: systemd.path }));
  supervisor.status('not ready:\nMAINPID=1');
  assert.equal(await systemd.until(/./), 'STATUS=not ready: MAINPID=1');
  supervisor.close();
  await systemd.close();
});

test('logs once that systemd is unreachable, and never throws', async () => {
  const log = new RecordingLog();
  const supervisor = await findSupervisor(log, supervised({ NOTIFY_SOCKET: '/nowhere/notify' }));
  supervisor.ready('Serving');
  supervisor.alive();
  supervisor.alive();
  const failures = log.lines.filter(({ event }) => event === 'systemd.notify_failed');
  assert.equal(failures.length, 1);
  assert.equal(failures[0]?.fields?.socket, '/nowhere/notify');
  supervisor.close();
  supervisor.stopping();
});

test('sends only "ready" to a parent process that has an IPC channel', async () => {
  const sent: unknown[] = [];
  const own = { env: {}, connected: true, send: (message: unknown) => sent.push(message) > 0 };
  const supervisor = await findSupervisor(quietLog, own);
  supervisor.ready('Serving');
  supervisor.alive();
  supervisor.status('Fine');
  supervisor.stopping();
  supervisor.close();
  assert.deepEqual(sent, ['ready']);
});

test('sends nothing to a parent process whose IPC channel has closed', async () => {
  const send = () => assert.fail('the channel is closed');
  (await findSupervisor(quietLog, { env: {}, connected: false, send })).ready('Serving');
});

test('returns the restart command for systemd or pm2, and none in a terminal', async () => {
  const systemd = await NotifySocket.open();
  const withSystemd = await findSupervisor(quietLog, supervised({ NOTIFY_SOCKET: systemd.path }));
  assert.equal(withSystemd.restartCommand, 'sudo systemctl restart cartwright');
  withSystemd.close();
  await systemd.close();
  const child = { connected: true, send: () => true };
  const withPm2 = await findSupervisor(quietLog, { ...child, env: { pm_id: '0' } });
  assert.equal(withPm2.restartCommand, 'pm2 restart cartwright');
  assert.equal((await findSupervisor(quietLog, { ...child, env: {} })).restartCommand, '');
  assert.equal((await findSupervisor(quietLog, supervised({}))).restartCommand, '');
});

test.run();
