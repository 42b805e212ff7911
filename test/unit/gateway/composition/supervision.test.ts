import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { reportToSupervisor } from '../../../../src/gateway/composition/supervision.js';
import { ShutdownStack } from '../../../../src/shared/shutdown-stack.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('what the supervisor hears');

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
  /** Ten seconds of the control loop; how often it was fed, and the last thing that was said. */
  const tenSeconds = (): { feeds: number; said: string | undefined } => {
    const from = told.length;
    for (let turn = 0; turn < 200; turn += 1) {
      clock.advance(50);
      turns.emit();
    }
    const feeds = told.slice(from).filter((word) => word === 'alive').length;
    return { feeds, said: told.findLast((word) => word !== 'alive') };
  };
  return { state, told, closers, tenSeconds };
}

test('ready comes with the address and with what the cart may do', () => {
  assert.deepEqual(harness().told, ['ready', 'Serving at http://localhost:3000 ; cart 7 may move']);
});

test('why the cart may not move is said when it changes', () => {
  const { state, tenSeconds } = harness();
  Object.assign(state, { mayMove: false, reason: 'the emergency-stop button is pressed' });
  const { feeds, said } = tenSeconds();
  assert.equal(feeds, 10);
  assert.equal(
    said,
    'Serving at http://localhost:3000 ; cart 7 may not move: the emergency-stop button is pressed',
  );
});

test('a writer that is slow is borne, one that hangs is not', () => {
  const { state, tenSeconds } = harness();
  state.writerSilentMs = 10_000;
  assert.equal(tenSeconds().feeds, 10);
  state.writerSilentMs = 10_001;
  assert.deepEqual(tenSeconds(), { feeds: 0, said: 'Watchdog not fed: the store writer does not answer' });
});

test('a control loop that cannot be trusted is not fed', () => {
  const { state, tenSeconds } = harness();
  state.loopFault = 'the control loop was late by 300 ms';
  assert.equal(tenSeconds().feeds, 0);
});

test('an E-stop input that is lost starves the watchdog; one that never was there only keeps the cart from moving', () => {
  const lost = harness();
  lost.tenSeconds();
  lost.state.input = 'unavailable';
  assert.equal(lost.tenSeconds().feeds, 0);
  assert.equal(harness('unavailable').tenSeconds().feeds, 10);
  assert.equal(harness('off').tenSeconds().feeds, 10);
});

test('a gateway that closes feeds nobody any more', async () => {
  const { closers, tenSeconds } = harness();
  await closers.closeAll(() => assert.fail());
  assert.equal(tenSeconds().feeds, 0);
});

test.run();
