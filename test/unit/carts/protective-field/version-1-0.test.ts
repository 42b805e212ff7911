import assert from 'node:assert/strict';
import { test } from 'uvu';
import { encodeFrame } from '../../../../src/carts/serial/codec/codec.js';
import { userActor } from '../../../../src/shared/actor.js';
import { CartHarness } from '../../../helpers/cart-harness.js';

/**
 * The frames other than HEARTBEAT that the gateway sent during `drive` before it supported CGW1 1.1, with
 * session 0x3c and a HELLO nonce of 0. Heartbeats also have sequence numbers.
 */
const GOLDEN = [
  '031101063c0101f4010101010379eb00',
  '0f1115013c2c01f401f4018403f92800',
  '0611100f3c010101032c01010884032c01d0074a03d50600',
  '061290053c830201010103456800',
  '061290253c8302010101032d1300',
  '0610114c3c020101026402c805f401888500',
  '0612902c3c830202010103f8d100',
  '0610114f3c02010102640738fff40139d000',
  '061112543c0201010101025900',
  '061290363c830202010103307d00',
  '061110653c03010103d00701010102fa04d00794030b1f00',
  '0612903a3c830203010103331a00',
  '061112703c020101010330f600',
  '0612904b3c830203010103eced00',
  '081113853c010fbf00',
  '0611149a3cb303c68900',
];

/** A session with a move, a jog, a stop, an E-stop and a reset. */
async function drive(): Promise<CartHarness> {
  const harness = await CartHarness.ready();
  harness.move(300, 90);
  await harness.run(6000);
  harness.move(100, 20, { mode: 'jog' });
  await harness.run(200);
  harness.move(100, -20, { mode: 'jog' });
  await harness.run(2000);
  harness.move(2000, 0, { maxSpeed: 250 });
  await harness.run(1000);
  harness.cart.stop('stop', userActor('the operator'));
  await harness.run(2000);
  harness.cart.stop('estop', userActor('the operator'));
  await harness.run(2000);
  await Promise.all([harness.cart.estop.reset(userActor('the operator'), false), harness.run(500)]);
  return harness;
}

test('sends a controller without a protective field the same bytes as before CGW1 1.1', async () => {
  const harness = await drive();
  const frames = harness.wire.sent.filter(({ type }) => type !== 'HEARTBEAT');
  const bytes = frames.map((frame) => {
    const fixed = { ...frame, session: 0x3c, ...(frame.type === 'HELLO' ? { hostNonce: 0 } : {}) };
    return Buffer.from(encodeFrame(fixed)).toString('hex');
  });
  assert.deepEqual(bytes, GOLDEN);
  assert.equal(harness.cart.view().link?.state, 'READY');
  await harness.close();
});

test.run();
