import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { findSupervisor } from '../../../../src/adapters/systemd/supervisor.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { NotifySocket } from '../../../helpers/notify-socket.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('supervisor');

const supervised = (env: NodeJS.ProcessEnv) => ({ env, connected: false });

test('systemd is told in datagrams that it knows, each as it happens', async () => {
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

test('a reason of two lines cannot smuggle in an assignment', async () => {
  const systemd = await NotifySocket.open();
  const supervisor = await findSupervisor(quietLog, supervised({ NOTIFY_SOCKET: systemd.path }));
  supervisor.status('not ready:\nMAINPID=1');
  assert.equal(await systemd.until(/./), 'STATUS=not ready: MAINPID=1');
  supervisor.close();
  await systemd.close();
});

test('a systemd that cannot be reached is told of once in the log, and nothing is thrown', async () => {
  const log = new RecordingLog();
  const supervisor = await findSupervisor(log, supervised({ NOTIFY_SOCKET: '/nowhere/notify' }));
  supervisor.ready('Serving');
  supervisor.alive();
  supervisor.alive();
  const told = log.lines.filter(({ event }) => event === 'systemd.not_told');
  assert.equal(told.length, 1);
  assert.equal(told[0]?.fields?.socket, '/nowhere/notify');
  supervisor.close();
  supervisor.stopping();
});

test('a parent that Node can talk to hears "ready" and nothing else', async () => {
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

test('a parent that has gone meanwhile is not spoken to', async () => {
  const send = () => assert.fail('the channel is closed');
  (await findSupervisor(quietLog, { env: {}, connected: false, send })).ready('Serving');
});

test.run();
