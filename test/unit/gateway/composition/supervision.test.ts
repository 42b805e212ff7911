import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { reportToSupervisor } from '../../../../src/gateway/composition/supervision.js';
import { ShutdownStack } from '../../../../src/shared/shutdown-stack.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('supervision');

function harness(input: CartView['safety']['input'] = 'healthy') {
  const state = { writerSilentMs: 0, loopFault: '', input, mayMove: true, reason: '' };
  const told: string[] = [];
  const clock = new FakeClock();
  const turns = new Signal();
  const closers = new ShutdownStack();
  const parts = {
    supervisor: {
      ready: (status: string) => told.push('ready', status),
      alive: () => told.push('alive'),
      status: (status: string) => told.push(status),
      stopping: () => undefined,
      close: () => undefined,
    },
    store: { status: () => state },
    cart: {
      cartId: 7,
      get loopFault() {
        return state.loopFault;
      },
      view: () => ({ safety: state }),
      onTurn: turns.on.bind(turns),
    },
    clock,
    log: new RecordingLog(),
    closers,
    isStopOnly: false,
  };
  reportToSupervisor(parts, 'http://localhost:3000');
  /** Runs the control loop for 10 s; returns the number of watchdog feeds and the last status. */
  const tenSeconds = (): { feeds: number; lastStatus: string | undefined } => {
    const from = told.length;
    for (let turn = 0; turn < 200; turn += 1) {
      clock.advance(50);
      turns.emit();
    }
    const feeds = told.slice(from).filter((word) => word === 'alive').length;
    return { feeds, lastStatus: told.findLast((word) => word !== 'alive') };
  };
  return { state, told, closers, tenSeconds };
}

test('reports readiness with URL and motion state', () => {
  assert.deepEqual(harness().told, ['ready', 'Serving at http://localhost:3000 ; cart 7 may move']);
});

test('updates the status when the reason changes', () => {
  const { state, tenSeconds } = harness();
  Object.assign(state, { mayMove: false, reason: 'the emergency-stop button is pressed' });
  const { feeds, lastStatus } = tenSeconds();
  assert.equal(feeds, 10);
  assert.equal(
    lastStatus,
    'Serving at http://localhost:3000 ; cart 7 may not move: the emergency-stop button is pressed',
  );
});

test('accepts a slow store writer and reports a hanging one', () => {
  const { state, tenSeconds } = harness();
  state.writerSilentMs = 10_000;
  assert.equal(tenSeconds().feeds, 10);
  state.writerSilentMs = 10_001;
  assert.deepEqual(tenSeconds(), {
    feeds: 0,
    lastStatus: 'Watchdog not fed: the store writer does not respond',
  });
});

test('stops feeding on a control loop fault', () => {
  const { state, tenSeconds } = harness();
  state.loopFault = 'the control loop was late by 300 ms';
  assert.equal(tenSeconds().feeds, 0);
});

test('stops feeding when the E-stop input is lost, but not when it was never available', () => {
  const lost = harness();
  lost.tenSeconds();
  lost.state.input = 'unavailable';
  assert.equal(lost.tenSeconds().feeds, 0);
  assert.equal(harness('unavailable').tenSeconds().feeds, 10);
  assert.equal(harness('off').tenSeconds().feeds, 10);
});

test('stops feeding after close', async () => {
  const { closers, tenSeconds } = harness();
  await closers.closeAll(() => assert.fail());
  assert.equal(tenSeconds().feeds, 0);
});

test.run();
