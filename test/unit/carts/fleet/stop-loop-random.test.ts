import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { StopKind } from '../../../../src/carts/control/contracts.js';
import { OPERATOR } from '../../../helpers/cart-harness.js';
import { randomFrom } from '../../../helpers/random.js';
import { StopLoopHarness } from './stop-loop-harness.js';

const SEQUENCES = 2000;
const SEED = 20_260_504;

test(`confirms only carts that have stopped, in ${SEQUENCES} random sequences`, async () => {
  const random = randomFrom(SEED);
  const below = (limit: number): number => Math.floor(random() * limit);
  const loop = await StopLoopHarness.open();
  let lossy = false;
  loop.broker.loses = () => lossy && random() < 0.15;
  const tally = { confirmed: 0, unconfirmed: 0, late: 0 };
  const isStopped = (cartId: number, kind: StopKind): boolean => {
    const { estop, state } = loop.harnesses[cartId - 1]?.controller.snapshot() ?? {};
    return kind === 'estop' ? estop?.latched === true : state !== 'RUNNING';
  };
  let isGivenUp = false;
  const pending = new Map<number, StopKind | undefined>();
  loop.remoteCarts.onChange((cartId) => {
    const { stopPending } = loop.view(cartId);
    const before = pending.get(cartId);
    pending.set(cartId, stopPending);
    if (before !== 'estop' || stopPending || isGivenUp) return;
    tally.late += 1;
    assert.ok(isStopped(cartId, before), `cart ${cartId} is confirmed later`);
  });

  const stopAll = async (kind: StopKind): Promise<void> => {
    for (const cart of await loop.until(loop.own.dispatcher.stop(null, kind, OPERATOR))) {
      tally[cart.confirmed ? 'confirmed' : 'unconfirmed'] += 1;
      assert.ok(!cart.confirmed || isStopped(cart.cartID, kind), `cart ${cart.cartID} is confirmed`);
    }
  };
  const step = async (): Promise<void> => {
    const member = loop.members[below(2)] ?? loop.members[0];
    const harness = loop.harnesses[below(3)] ?? loop.own;
    const roll = below(100);
    if (roll < 25) loop.drive(1 + below(3));
    else if (roll < 45) await member.cut();
    else if (roll < 60) member.join();
    else if (roll < 61) await member.restart();
    else if (roll < 66) harness.wire.unplug();
    else if (roll < 71) harness.wire.plug();
    else if (roll < 75) loop.bus.setOutage(random() < 0.5 ? '' : 'gone');
    else if (roll < 80) lossy = !lossy;
    else await stopAll((['estop', 'estop', 'halt', 'stop'] as const)[below(4)] ?? 'estop');
    await loop.run(25 * below(8));
  };
  const heal = async (): Promise<void> => {
    lossy = false;
    loop.bus.setOutage('');
    for (const member of loop.members) if (!member.isUp) member.join();
    for (const { wire } of loop.harnesses) wire.plug();
    await loop.run(300);
    isGivenUp = true;
    for (const cartId of [2, 3]) loop.remoteCarts.giveUpStop(cartId);
    isGivenUp = false;
    for (const { dispatcher } of loop.harnesses)
      await loop.until(dispatcher.resetOwn(OPERATOR).catch(() => undefined));
    await loop.run(300);
  };

  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    for (let left = 3 + below(4); left > 0; left -= 1) await step();
    await stopAll('estop');
    await heal();
  }
  // Every outcome must occur often; otherwise, the sequences do not cover the cases.
  for (const [what, count] of Object.entries(tally)) assert.ok(count > SEQUENCES / 10, `${what}: ${count}`);
  await loop.close();
});

test.run();
