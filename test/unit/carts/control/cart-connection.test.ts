import assert from 'node:assert/strict';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { Arduino } from '../../../helpers/arduino.js';
import { CartHarness } from '../../../helpers/cart-harness.js';
import { MemoryLink } from '../../../helpers/memory-link.js';

async function connect(board: Arduino, harness: CartHarness, wire = new MemoryLink(board)): Promise<void> {
  Object.assign(harness, { wire });
  harness.build();
  await harness.cart.start();
}

function stateOf({ cart }: CartHarness): string | undefined {
  return cart.view().link?.state;
}

// Fault case 18
test('an Arduino Mega that resets when its port is opened is ready within 5 s', async () => {
  const harness = new CartHarness();
  const board = new Arduino(harness.clock);
  const wire = new MemoryLink(board);
  wire.onOpen = () => board.reset();
  await connect(board, harness, wire);
  await harness.run(5000);
  assert.equal(stateOf(harness), 'READY');
  assert.equal(board.swallowed, 0, 'bytes sent to the boot loader');
  await harness.close();
  board.close();
});

// Fault case 23
test('an Arduino Mega whose boot loader receives heartbeats is ready again after a reset', async () => {
  const harness = new CartHarness();
  const board = new Arduino(harness.clock);
  board.reset();
  await connect(board, harness);
  await harness.run(3000);
  assert.equal(stateOf(harness), 'READY');
  board.reset();
  await harness.run(1000);
  assert.ok(board.swallowed > 0, 'no heartbeat reached the boot loader');
  await harness.run(10_000);
  assert.equal(stateOf(harness), 'READY');
  await harness.close();
  board.close();
});

test('sends nothing to a controller before its first frame, and then sends HELLO immediately', async () => {
  const harness = new CartHarness();
  const { controller, wire } = harness;
  await harness.run(200);
  await harness.cart.start();
  // The controller started 200 ms earlier and reports every 500 ms.
  await harness.run(299);
  assert.deepEqual(wire.bytes, []);
  await harness.run(10);
  assert.deepEqual(wire.sent.map(({ type }) => type).slice(0, 2), ['HELLO', 'LIMITS']);
  assert.equal(wire.bytes[0], 0);
  assert.equal(stateOf(harness), 'READY');
  await harness.close();
  controller.close();
});

/** Times in ms after the port opens at which a gateway writes to a controller that never responds. */
async function writesToSilence(driver: 'cgw1' | 'json-lines', runMs: number) {
  const harness = new CartHarness(({ serial }) => {
    serial.driver = driver;
  });
  const startMs = harness.clock.now();
  const times: number[] = [];
  const receive = (): void => void times.push(harness.clock.now() - startMs);
  const wire = new MemoryLink({ receive, onSend: () => () => undefined });
  Object.assign(harness, { wire });
  harness.build();
  await harness.cart.start();
  await harness.run(runMs);
  const reason = textOf(harness.cart.view().link?.reason ?? '');
  await harness.close();
  return { times: [...new Set(times)], reason };
}

test('waits more than 5 s before repeating HELLO to a controller that does not respond', async () => {
  const { times } = await writesToSilence('cgw1', 60_000);
  assert.equal(times[0], 2000);
  assert.ok(times.length >= 4, `${times}`);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.ok(Math.min(...gaps) >= 6000, `${gaps}`);
});

test('reports a controller that does not respond', async () => {
  const { reason } = await writesToSilence('cgw1', 6010);
  assert.equal(reason, 'no controller responded to the cgw1 driver within 6 s');
});

test('sends nothing to a silent json-lines controller for 2 s, and then sends HELLO every 250 ms', async () => {
  const { times, reason } = await writesToSilence('json-lines', 6010);
  assert.deepEqual(
    times,
    Array.from({ length: 16 }, (_, index) => 2000 + 250 * index),
  );
  assert.equal(reason, 'no controller responded to the json-lines driver within 6 s');
});

test.run();
