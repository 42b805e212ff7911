import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { reportToSupervisor } from '../../../../src/app/composition/supervision.js';
import type { CartView } from '../../../../src/carts/command/model.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('supervision');

function harness(input: CartView['safety']['input'] = 'healthy') {
  const state = { writerSilentMs: 0, loopFault: '', input, mayMove: true, reason: '' };
  const sent: string[] = [];
  const clock = new FakeClock();
  const turns = new Signal();
  const services = {
    supervisor: {
      restartCommand: '',
      ready: (status: string) => sent.push('ready', status),
      alive: () => sent.push('alive'),
      status: (status: string) => sent.push(status),
      stopping: () => undefined,
      close: () => undefined,
    },
    store: { status: () => state },
    clock,
    log: new RecordingLog(),
    isStopOnly: false,
  };
  const cart = {
    cartId: 7,
    loop: {
      get fault() {
        return state.loopFault;
      },
      onTurn: turns.on.bind(turns),
    },
    view: () => ({ safety: state }),
  };
  const cancel = reportToSupervisor(services, { ownCart: { cart }, facts: { url: 'http://localhost:3000' } });
  const runTenSeconds = (): { feeds: number; lastStatus: string | undefined } => {
    const from = sent.length;
    for (let turn = 0; turn < 200; turn += 1) {
      clock.advance(50);
      turns.emit();
    }
    const feeds = sent.slice(from).filter((entry) => entry === 'alive').length;
    return { feeds, lastStatus: sent.findLast((entry) => entry !== 'alive') };
  };
  return { state, sent, cancel, runTenSeconds };
}

test('reports readiness with the URL and motion state', () => {
  assert.deepEqual(harness().sent, ['ready', 'Serving at http://localhost:3000 ; cart 7 may move']);
});

test('updates the status when the reason for blocking motion changes', () => {
  const { state, runTenSeconds } = harness();
  Object.assign(state, { mayMove: false, reason: 'the E-stop button is pressed' });
  const { feeds, lastStatus } = runTenSeconds();
  assert.equal(feeds, 10);
  assert.equal(
    lastStatus,
    'Serving at http://localhost:3000 ; cart 7 may not move: the E-stop button is pressed',
  );
});

test('tolerates a slow store writer, but stops notifying the watchdog when the writer hangs', () => {
  const { state, runTenSeconds } = harness();
  state.writerSilentMs = 10_000;
  assert.equal(runTenSeconds().feeds, 10);
  state.writerSilentMs = 10_001;
  assert.deepEqual(runTenSeconds(), {
    feeds: 0,
    lastStatus: 'Watchdog not notified: the store writer does not respond',
  });
});

test('notifies the watchdog while the control loop is late, but not once the loop has been late for a minute', () => {
  const { state, runTenSeconds } = harness();
  state.loopFault = 'the control loop was 300 ms late';
  const feeds = Array.from({ length: 6 }, () => runTenSeconds().feeds);
  assert.deepEqual(feeds, [10, 10, 10, 10, 10, 9]);
  assert.deepEqual(runTenSeconds(), {
    feeds: 0,
    lastStatus: 'Watchdog not notified: the control loop was 300 ms late',
  });
});

test('an on-time control cycle restarts the one-minute limit', () => {
  const { state, runTenSeconds } = harness();
  for (let minute = 0; minute < 3; minute += 1) {
    state.loopFault = 'the control loop was 300 ms late';
    for (let nth = 0; nth < 5; nth += 1) assert.equal(runTenSeconds().feeds, 10);
    state.loopFault = '';
    assert.equal(runTenSeconds().feeds, 10);
  }
});

test('stops notifying the watchdog when a previously available E-stop input is lost', () => {
  const lost = harness();
  lost.runTenSeconds();
  lost.state.input = 'unavailable';
  assert.equal(lost.runTenSeconds().feeds, 0);
  assert.equal(harness('unavailable').runTenSeconds().feeds, 10);
  assert.equal(harness('off').runTenSeconds().feeds, 10);
});

test('stops notifying the watchdog after close()', async () => {
  const { cancel, runTenSeconds } = harness();
  cancel();
  assert.equal(runTenSeconds().feeds, 0);
});

test.run();
