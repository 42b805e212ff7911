import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Command } from '../../../../src/carts/command/command.js';
import type { Order } from '../../../../src/carts/command/model.js';
import { RemoteCommands } from '../../../../src/carts/fleet/remote-commands.js';
import { userActor } from '../../../../src/shared/actor.js';
import { OPERATOR } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const order = (cartId: number, kind: Order['kind']): Order => ({
  commandId: `aaaaaaaa-0000-4000-8000-00000000000${cartId}`,
  cartId,
  kind,
  raw: { distanceID: 100, angleID: 0 },
  distanceMm: 100,
  angleDdeg: 0,
  maxSpeedMmps: 300,
  ttlMs: 5000,
  onBusy: 'replace',
});

function setUp() {
  const clock = new FakeClock();
  const cancelled: number[] = [];
  const sent: number[] = [];
  const commands = new RemoteCommands({
    identity: { gatewayId: 'g1', sessionId: 'own' },
    isLive: () => true,
    clock,
    moved: () => undefined,
    cancel: (command) => cancelled.push(command.order.cartId),
  });
  const follow = (cartId: number, kind: Order['kind'] = 'move'): Command => {
    const command = new Command(order(cartId, kind), OPERATOR, {
      destination: 'mqtt',
      simulated: true,
      clock,
    });
    const basis = { sessionId: 'aaaaaaaa-0000-4000-8000-00000000000f', stateHeaderId: 1 };
    commands.follow(command, basis, async () => void sent.push(cartId));
    return command;
  };
  return { clock, cancelled, sent, commands, follow };
}

test('a stop cancels an unacknowledged command both on this gateway and on the cart', () => {
  const { clock, cancelled, sent, commands, follow } = setUp();
  const stopped = follow(2);
  const other = follow(3);
  commands.stopped(2, userActor('the operator'));
  clock.advance(600);
  assert.equal(stopped.state, 'CANCELLED');
  assert.deepEqual(cancelled, [2]);
  assert.deepEqual(sent, [2, 3, 3]);
  assert.equal(other.final, false);
});

test('a stop for all carts cancels every unacknowledged command', () => {
  const { clock, sent, commands, follow } = setUp();
  const both = [follow(2), follow(3)];
  commands.stopped(null, userActor('the operator'));
  clock.advance(2000);
  assert.deepEqual(
    both.map(({ state }) => state),
    ['CANCELLED', 'CANCELLED'],
  );
  assert.deepEqual(sent, [2, 3]);
  assert.equal(clock.timers, 0);
});

test.run();
