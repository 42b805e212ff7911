import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CartHarness, PEER } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';

// Fault case 27
test('a jog stops 500 ms after the last jog message', async () => {
  const harness = await CartHarness.ready();
  const jog = harness.move(200, 0, { mode: 'jog' });
  for (let message = 0; message < 10; message++) {
    await harness.run(100);
    assert.equal(harness.move(200, 0, { mode: 'jog' }), jog);
  }
  assert.ok(harness.controller.snapshot().speed > 150);
  await harness.run(450);
  assert.equal(jog.state, 'RUNNING');
  await harness.run(150);
  assert.equal(jog.state, 'CANCELLED');
  assert.equal(jog.reason?.code, 'LEASE_ENDED');
  await harness.run(600);
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.close();
});

// Fault case 28
test('rejects motion, but not a stop, from a second source while the first holds control', async () => {
  const harness = await CartHarness.ready();
  const command = harness.move(3000);
  await harness.run(200);
  assert.throws(() => harness.move(100, 0, {}, PEER), hasCode('CONTROL_HELD'));
  assert.throws(() => harness.move(100, 0, {}, PEER), /; control ends after 5 s without a command$/);
  harness.dispatcher.stopOwn('stop', PEER);
  await harness.run(50);
  assert.equal(command.state, 'CANCELLED');
  await harness.run(5000);
  assert.equal(harness.move(100, 0, {}, PEER).final, false);
  await harness.close();
});

for (const driver of ['cgw1', 'json-lines'] as const) {
  test(`a jog that a ${driver} controller rejects fails with the controller's reason`, async () => {
    const harness = await CartHarness.ready(({ serial }) => {
      serial.driver = driver;
    });
    const { controller } = harness;
    const receive = controller.receive.bind(controller);
    // The heartbeat that arms the controller is lost, so the controller rejects the jog.
    controller.receive = (bytes) => {
      const isArming = driver === 'cgw1' ? bytes[2] === 2 : String(Buffer.from(bytes)).includes('"arm":1');
      if (!isArming) receive(bytes);
    };
    const jog = harness.move(200, 0, { mode: 'jog' });
    await harness.run(20);
    assert.deepEqual([jog.state, jog.reason?.code], ['FAILED', 'CONTROLLER_DISARMED']);
    assert.equal(controller.snapshot().motions, 0);
    controller.receive = receive;
    await harness.run(1000);
    assert.equal(harness.cart.busy, false);
    await harness.close();
  });
}

test('rejects jog messages after a stop until the joystick is released', async () => {
  const harness = await CartHarness.ready();
  harness.move(200, 0, { mode: 'jog' });
  await harness.run(100);
  harness.dispatcher.stopOwn('stop', PEER);
  for (let message = 0; message < 10; message++) {
    assert.throws(() => harness.move(200, 0, { mode: 'jog' }), hasCode('STOPPED'));
    await harness.run(100);
  }
  assert.equal(harness.controller.snapshot().speed, 0);
  await harness.run(600);
  assert.equal(harness.move(200, 0, { mode: 'jog' }).final, false);
  await harness.close();
});

// Fault case 27
test('a jog that waits for a busy cart does not start if its last request is more than 500 ms old', async () => {
  const harness = await CartHarness.ready();
  harness.move(5000);
  await harness.run(1500);
  const jog = harness.move(200, 0, { mode: 'jog', ttlMs: 10_000 });
  await harness.run(2000);
  assert.equal(jog.state, 'EXPIRED');
  assert.equal(harness.wire.of('JOG').length, 0);
  await harness.close();
});

// Fault case 27
test('a jog that waits for a busy cart starts after the cart stops, if jog requests continue to arrive', async () => {
  const harness = await CartHarness.ready();
  harness.move(5000);
  await harness.run(1500);
  let jog = harness.move(200, 0, { mode: 'jog' });
  const endMs = harness.clock.now() + 3000;
  while (jog.state === 'QUEUED' && harness.clock.now() < endMs) {
    await harness.run(150);
    if (jog.state === 'QUEUED') jog = harness.move(200, 0, { mode: 'jog' });
  }
  assert.equal(jog.state, 'RUNNING');
  await harness.run(jog.acceptedAtMs + 550 - harness.clock.now());
  assert.equal(jog.reason?.code, 'LEASE_ENDED');
  await harness.close();
});

test('an interlock rejects the renewal of a jog, which then ends with its lease', async () => {
  const harness = await CartHarness.ready();
  const jog = harness.move(200, 0, { mode: 'jog' });
  await harness.run(100);
  harness.settingsInvalidReason = 'the settings are not valid';
  assert.throws(() => harness.move(200, 0, { mode: 'jog' }), hasCode('CONFIG_INVALID'));
  await harness.run(500);
  assert.equal(jog.reason?.code, 'LEASE_ENDED');
  await harness.close();
});

test.run();
