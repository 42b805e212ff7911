import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { raiseAlarms } from '../../../src/alarms/alarm-events.js';
import type { SafetyEvent } from '../../../src/carts/control/estop-control.js';
import type { ControllerLink } from '../../../src/carts/serial/link.js';
import { serialMessage } from '../../../src/carts/serial/messages.js';
import { userActor } from '../../../src/shared/actor.js';
import { type Text, textOf } from '../../../src/shared/messages/message.js';
import type { StoreStatus } from '../../../src/shared/ports/store.js';
import { Signal } from '../../../src/shared/signal.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const test = suite('alarm sources');

type Losses = Parameters<Parameters<ControllerLink['onLost']>[0]>;

function open() {
  const [safety, lost, backup] = [new Signal<[SafetyEvent]>(), new Signal<Losses>(), new Signal<[Text]>()];
  const superseded = new Signal<[Text]>();
  const gatewayBackup = new Signal<[Text]>();
  const clock = new FakeClock();
  const disk = { freeBytes: 10 ** 9 };
  const raised: string[] = [];
  const stop = raiseAlarms(
    {
      cart: { onSafety: (listener) => safety.on(listener) },
      link: { onLost: (listener) => lost.on(listener) },
      store: {
        status: () => ({ metrics: disk }) as StoreStatus,
        onBackupFailed: (listener) => backup.on(listener),
      },
      onGatewayBackupFailed: (listener) => gatewayBackup.on(listener),
      onSuperseded: (listener) => superseded.on(listener),
      clock,
    },
    (kind, detail) => raised.push(`${kind}: ${textOf(detail)}`),
  );
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { safety, lost, backup, gatewayBackup, superseded, clock, disk, raised, stop, turn };
}

const LATCHED: SafetyEvent = { cartID: 1, kind: 'estop.latched', by: userActor('anna'), latch: 'REMOTE' };

test('a latched stop raises an alarm only after the event-loop iteration in which the stop is latched', async () => {
  const { safety, raised, turn } = open();
  safety.emit(LATCHED);
  assert.deepEqual(raised, []);
  await turn();
  assert.deepEqual(raised, ['estop: anna']);
});

test('a protective stop, a lost controller, a failed backup and a restored gateway raise alarms, but a reset does not', async () => {
  const { safety, lost, backup, gatewayBackup, superseded, raised, turn } = open();
  safety.emit({ cartID: 1, kind: 'estop.reset', by: userActor('anna') });
  safety.emit({ cartID: 1, kind: 'protective_stop', by: userActor('runaway') });
  lost.emit({ code: 'SERIAL_LOST', text: 'the cable was unplugged' });
  backup.emit('the disk is full');
  gatewayBackup.emit('the disk is read-only');
  superseded.emit('gateway new-1 was restored');
  await turn();
  assert.deepEqual(raised.toSorted(), [
    'backup-failed: the disk is full',
    'backup-failed: the disk is read-only',
    'controller-lost: the cable was unplugged',
    'protective-stop: runaway',
    'superseded: gateway new-1 was restored',
  ]);
});

test('a session restart caused by changed settings does not count as a lost controller', async () => {
  const { lost, raised, turn } = open();
  lost.emit({ code: 'SERIAL_LOST', text: serialMessage('settings-changed'), isIntended: true });
  await turn();
  assert.deepEqual(raised, []);
});

test('a nearly full disk raises only one alarm until enough space has been freed', () => {
  const { clock, disk, raised } = open();
  const MIB = 1024 * 1024;
  const free = [1000, 255, 100, 300, 255, 321, 200];
  for (const mib of free) {
    disk.freeBytes = mib * MIB;
    clock.advance(30_000);
  }
  disk.freeBytes = -1;
  clock.advance(30_000);
  assert.deepEqual(raised, ['disk-low: 255 MiB', 'disk-low: 200 MiB']);
});

test('does not raise alarms after the alarm sources are stopped', async () => {
  const { clock, safety, disk, raised, stop, turn } = open();
  stop();
  disk.freeBytes = 0;
  safety.emit(LATCHED);
  clock.advance(60_000);
  await turn();
  assert.deepEqual([raised, clock.timers], [[], 0]);
});

test.run();
