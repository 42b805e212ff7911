import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { stopConfirmation } from '../../../../src/app/composition/updates.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';

const test = suite('stop before an update');

/** Confirms the stop, and returns the time in ms after which the confirmation ended. */
async function confirm(harness: CartHarness): Promise<number> {
  const startedMs = harness.clock.now();
  let endedMs: number | undefined;
  const confirmed = stopConfirmation(harness.clock, harness)().then(() => {
    endedMs = harness.clock.now();
  });
  await harness.run(2000);
  await confirmed;
  return (endedMs ?? Number.NaN) - startedMs;
}

function withCart(run: (harness: CartHarness) => Promise<void>): () => Promise<void> {
  return async () => {
    const harness = await CartHarness.ready();
    try {
      await run(harness);
    } finally {
      await harness.close();
    }
  };
}

test(
  'stops the stationary cart, and ends when the controller has acknowledged the stop',
  withCart(async (harness) => {
    assert.equal(harness.cart.stopAck.isAcknowledged, false);
    assert.ok((await confirm(harness)) < 1000);
    assert.equal(harness.cart.stopAck.isAcknowledged, true);
  }),
);

test(
  'ends within 1 s without an acknowledgement',
  withCart(async (harness) => {
    harness.wire.lost = 'ACK';
    assert.ok((await confirm(harness)) <= 1000);
    assert.equal(harness.cart.stopAck.isAcknowledged, false);
    assert.equal(harness.cart.view().stopPending, 'halt');
  }),
);

test(
  'does not replace an unconfirmed E-stop, which stays shown as unconfirmed',
  withCart(async (harness) => {
    harness.wire.lost = 'ACK';
    harness.cart.stop('estop', OPERATOR.actor);
    await confirm(harness);
    assert.equal(harness.cart.view().stopPending, 'estop');
    assert.equal(harness.cart.stopAck.isAcknowledged, false);
  }),
);

test(
  'does not stop a cart that is moving',
  withCart(async (harness) => {
    harness.move(5000);
    await harness.run(500);
    await confirm(harness);
    assert.equal(harness.cart.busy, true);
    assert.equal(harness.cart.stopAck.isAcknowledged, false);
  }),
);

test.run();
