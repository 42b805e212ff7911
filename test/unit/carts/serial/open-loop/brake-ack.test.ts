import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { OpenLoopBoard } from '../../../../../src/carts/serial/open-loop/board.js';
import { OpenLoopDriver } from '../../../../../src/carts/serial/open-loop/driver.js';
import { defaultSettings } from '../../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../../src/shared/actor.js';
import { GatewayError } from '../../../../../src/shared/errors.js';
import { CartHarness, quietLog, settle } from '../../../../helpers/cart-harness.js';
import { FakeClock } from '../../../../helpers/fake-clock.js';
import { hasCode } from '../../../../helpers/has-code.js';
import { MemoryLink } from '../../../../helpers/memory-link.js';

const TIMEOUT = new GatewayError('SERIAL_ACK_TIMEOUT', 'not acknowledged');
const LOST = new GatewayError('SERIAL_LOST', 'session closed');

/** A packet that the board received, with functions that acknowledge it or lose the reply. */
interface Packet {
  name: 'speed' | 'stop';
  ack: () => void;
  lose: (error: Error) => void;
}

/** Returns a driver that drives at a constant speed, on a board whose replies the test sends. */
async function driving() {
  const clock = new FakeClock();
  const packets: Packet[] = [];
  const receive = (name: Packet['name']): Promise<void> =>
    new Promise((ack, lose) => void packets.push({ name, ack, lose }));
  let poll = async (): Promise<void> => undefined;
  const board: OpenLoopBoard = {
    traits: { ack: 'frame', feedback: false, watchdogMs: 500, resetButton: false, warning: '' },
    counters: { sent: 0, received: 0, dropped: 0, retried: 0 },
    status: { estop: false, errors: [], warnings: [], batteryMv: null, tempBoardC: null },
    open: async () => ({ firmware: 'test', simulated: true }),
    set: () => receive('speed'),
    stop: () => receive('stop'),
    writeZeroSpeed: () => undefined,
    poll: () => poll(),
    heartbeat: () => undefined,
    onReport: () => () => undefined,
    onFault: () => () => undefined,
    close: () => {
      for (const { lose } of packets) lose(LOST);
    },
  };
  const link = await new MemoryLink({ receive: () => undefined, onSend: () => () => undefined }).open();
  const driver = new OpenLoopDriver({ ...defaultSettings(), link, cartId: 1, clock, log: quietLog }, board);
  /** Advances the clock in steps of 50 ms; `reply` responds to the packets of each step. */
  const run = async (ms: number, reply: (packet: Packet) => void): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      const first = packets.length;
      driver.heartbeat(true);
      clock.advance(50);
      packets.slice(first).forEach(reply);
      await settle();
    }
  };
  driver.jog(1, 200, 0, 5000);
  await run(1000, ({ ack }) => ack());
  const last = (): Packet => packets.at(-1) ?? assert.fail('the board has received no packet');
  /** Delays the reply to the next poll until the test calls the returned function. */
  const holdPoll = (): (() => void) => {
    let reply: () => void = () => undefined;
    poll = () => new Promise((resolve) => (reply = resolve));
    return () => reply();
  };
  return { clock, driver, last, run, holdPoll };
}

/** Returns the outcome of a stop so far. */
function outcomeOf(stop: Promise<void>): () => string {
  let outcome = 'pending';
  stop.then(
    () => (outcome = 'confirmed'),
    (error: unknown) => (outcome = error instanceof GatewayError ? error.code : String(error)),
  );
  return () => outcome;
}

const lose = (packet: Packet): void => packet.lose(TIMEOUT);
const ack = (packet: Packet): void => packet.ack();

test('a latching stop that arrives while a reset waits for the board stays latched', async () => {
  const { driver, run, last, holdPoll } = await driving();
  void driver.estop();
  last().ack();
  await run(100, ack);
  const reply = holdPoll();
  const reset = outcomeOf(driver.resetEstop());
  void driver.estop();
  last().ack();
  reply();
  await settle();
  assert.equal(reset(), 'CONTROLLER_ESTOP_ACTIVE');
  assert.throws(() => driver.jog(2, 200, 0, 5000), hasCode('CONTROLLER_ESTOP_ACTIVE'));
  await run(500, ({ name }) => assert.equal(name, 'stop'));
  const again = outcomeOf(driver.resetEstop());
  reply();
  await settle();
  assert.equal(again(), 'confirmed');
});

test('the next acknowledged speed confirms a stop whose first reply was lost', async () => {
  const { driver, last, run } = await driving();
  const outcome = outcomeOf(driver.stop(2));
  last().lose(TIMEOUT);
  await settle();
  assert.equal(outcome(), 'pending');
  await run(50, ack);
  assert.equal(last().name, 'speed');
  assert.equal(outcome(), 'confirmed');
});

test('the final stop confirms a stop when the replies to all speeds were lost', async () => {
  const { driver, last, run } = await driving();
  const outcome = outcomeOf(driver.stop(1));
  last().lose(TIMEOUT);
  await run(500, (packet) => packet.name === 'speed' && lose(packet));
  assert.deepEqual([last().name, outcome()], ['stop', 'pending']);
  last().ack();
  await settle();
  assert.equal(outcome(), 'confirmed');
});

test('rejects a stop when the board acknowledges neither a speed nor the final stop', async () => {
  const { driver, last, run } = await driving();
  const outcome = outcomeOf(driver.stop(2));
  last().lose(TIMEOUT);
  await run(500, lose);
  assert.deepEqual([last().name, outcome()], ['stop', 'SERIAL_ACK_TIMEOUT']);
});

test('a speed that was sent before a stop does not confirm the stop', async () => {
  const { clock, driver, last, run } = await driving();
  clock.advance(50);
  const earlier = last();
  const outcome = outcomeOf(driver.stop(2));
  assert.notEqual(last(), earlier);
  earlier.ack();
  last().lose(TIMEOUT);
  await settle();
  assert.equal(outcome(), 'pending');
  await run(500, lose);
  assert.equal(outcome(), 'SERIAL_ACK_TIMEOUT');
});

test('one acknowledgement confirms all waiting stops, but not a later stop', async () => {
  const { driver, last, run } = await driving();
  const outcomes = [outcomeOf(driver.stop(2)), outcomeOf(driver.stop(1))];
  last().ack();
  await settle();
  assert.deepEqual(
    outcomes.map((outcome) => outcome()),
    ['confirmed', 'confirmed'],
  );
  const later = outcomeOf(driver.stop(2));
  await settle();
  assert.equal(later(), 'pending');
  await run(500, lose);
  assert.equal(later(), 'SERIAL_ACK_TIMEOUT');
});

test('a latching stop during braking also confirms the earlier stop', async () => {
  const { driver, last } = await driving();
  const stop = outcomeOf(driver.stop(2));
  last().lose(TIMEOUT);
  const estop = outcomeOf(driver.estop());
  assert.equal(last().name, 'stop');
  last().ack();
  await settle();
  assert.deepEqual([stop(), estop()], ['confirmed', 'confirmed']);
});

test('rejects a waiting stop when the session closes', async () => {
  const { clock, driver, last } = await driving();
  const outcome = outcomeOf(driver.stop(2));
  last().lose(TIMEOUT);
  driver.close();
  await settle();
  assert.equal(outcome(), 'SERIAL_LOST');
  assert.equal(clock.timers, 0);
});

test('rejects a stop that is not sent because the heartbeats stopped', async () => {
  const { clock, driver, last } = await driving();
  driver.onSessionFault(() => driver.close());
  driver.heartbeat(true);
  clock.advance(500);
  clock.stall(10);
  last().ack();
  const outcome = outcomeOf(driver.stop(2));
  await settle();
  assert.equal(outcome(), 'SERIAL_LOST');
});

test('a stop whose outcome the caller ignores does not cause an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const { driver, last, run } = await driving();
  void driver.stop(2);
  last().lose(TIMEOUT);
  await run(500, lose);
  await settle();
  process.off('unhandledRejection', onUnhandled);
  assert.deepEqual(unhandled, []);
});

/** Returns a cart with a RoboClaw that loses `replies` acknowledgements from the moment of a stop. */
async function stoppedWhileLosing(replies: number): Promise<CartHarness> {
  const harness = await CartHarness.ready(({ serial }) => {
    serial.driver = 'roboclaw';
  });
  harness.move(5000);
  // The first packet after the stop is a heartbeat's read command. Its reply is not the missing acknowledgement, so the
  // stop's speed command fails.
  await harness.run(1580);
  harness.controller.fault('dropAck', true, replies);
  harness.cart.stop('stop', userActor('the operator'));
  return harness;
}

test('a RoboClaw cart confirms a stop even if one reply is lost', async () => {
  const harness = await stoppedWhileLosing(1);
  const outcome = outcomeOf(harness.cart.stopAck.confirmed());
  await harness.run(1000);
  assert.equal(outcome(), 'confirmed');
  assert.equal(harness.cart.view().stopPending, undefined);
  assert.equal(harness.link.view().state, 'READY');
  await harness.close();
});

test('a RoboClaw cart reports a stop that is never acknowledged', async () => {
  const harness = await stoppedWhileLosing(1_000_000);
  const outcome = outcomeOf(harness.cart.stopAck.confirmed());
  await harness.run(1000);
  assert.equal(outcome(), 'SERIAL_ACK_TIMEOUT');
  assert.equal(harness.cart.view().stopPending, 'stop');
  await harness.close();
});

test.run();
