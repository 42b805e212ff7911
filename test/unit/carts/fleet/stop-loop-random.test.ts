import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { StopKind } from '../../../../src/carts/control/contracts.js';
import { OPERATOR } from '../../../helpers/rig.js';
import { randomFrom } from '../../beacons/positioning/random.js';
import { LoopSite } from './stop-loop-site.js';

const SEQUENCES = 2000;
const SEED = 20_260_504;

test(`no cart is confirmed that was not stopped, in ${SEQUENCES} random sequences`, async () => {
  const random = randomFrom(SEED);
  const below = (limit: number): number => Math.floor(random() * limit);
  const site = await LoopSite.open();
  let lossy = false;
  site.broker.loses = () => lossy && random() < 0.15;
  const tally = { confirmed: 0, unconfirmed: 0, late: 0 };
  const isStopped = (cartId: number, kind: StopKind): boolean => {
    const { estop, state } = site.rigs[cartId - 1]?.controller.snapshot() ?? {};
    return kind === 'estop' ? estop?.latched === true : state !== 'RUNNING';
  };
  let isGivenUp = false;
  const pending = new Map<number, StopKind | undefined>();
  site.peers.onChange((cartId) => {
    const { stopPending } = site.view(cartId);
    const before = pending.get(cartId);
    pending.set(cartId, stopPending);
    if (before !== 'estop' || stopPending || isGivenUp) return;
    tally.late += 1;
    assert.ok(isStopped(cartId, before), `cart ${cartId} is confirmed later`);
  });

  const stopAll = async (kind: StopKind): Promise<void> => {
    for (const cart of await site.until(site.own.dispatcher.stop(null, kind, OPERATOR))) {
      tally[cart.confirmed ? 'confirmed' : 'unconfirmed'] += 1;
      assert.ok(!cart.confirmed || isStopped(cart.cartID, kind), `cart ${cart.cartID} is confirmed`);
    }
  };
  const step = async (): Promise<void> => {
    const member = site.members[below(2)] ?? site.members[0];
    const rig = site.rigs[below(3)] ?? site.own;
    const roll = below(100);
    if (roll < 25) site.drive(1 + below(3));
    else if (roll < 45) await member.cut();
    else if (roll < 60) member.join();
    else if (roll < 61) await member.restart();
    else if (roll < 66) rig.wire.unplug();
    else if (roll < 71) rig.wire.plug();
    else if (roll < 75) site.bus.become(random() < 0.5 ? '' : 'gone');
    else if (roll < 80) lossy = !lossy;
    else await stopAll((['estop', 'estop', 'halt', 'stop'] as const)[below(4)] ?? 'estop');
    await site.run(25 * below(8));
  };
  const heal = async (): Promise<void> => {
    lossy = false;
    site.bus.become('');
    for (const member of site.members) if (!member.isUp) member.join();
    for (const { wire } of site.rigs) wire.plug();
    await site.run(300);
    isGivenUp = true;
    for (const cartId of [2, 3]) site.peers.giveUpStop(cartId);
    isGivenUp = false;
    for (const { dispatcher } of site.rigs)
      await site.until(dispatcher.resetOwn(OPERATOR).catch(() => undefined));
    await site.run(300);
  };

  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    for (let left = 3 + below(4); left > 0; left -= 1) await step();
    await stopAll('estop');
    await heal();
  }
  // Each kind of end has been seen often: the sequences try what they are meant to try.
  for (const [what, count] of Object.entries(tally)) assert.ok(count > SEQUENCES / 10, `${what}: ${count}`);
  await site.close();
});

test.run();
