import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ActiveDrivers } from '../../../../src/carts/command/active-drivers.js';
import { Command } from '../../../../src/carts/command/command.js';
import type { CartView, Origin, Reason } from '../../../../src/carts/command/model.js';
import { type Actor, gatewayActor, keyActor, LAN_ACTOR, userActor } from '../../../../src/shared/actor.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const clock = new FakeClock();
const ANNA: Origin = { source: 'http', gatewayId: 'pi', actor: userActor('anna') };

function setUp(views: Record<number, Partial<CartView>> = {}) {
  let note = (_command: Command): void => undefined;
  const drivers = new ActiveDrivers({
    newest: () => [],
    onCommand: (listener: typeof note) => {
      note = listener;
    },
    cartView: (cartID: number) => {
      if (cartID === 99) throw new Error('there is no cart 99');
      return { cartID, name: `Cart ${cartID}`, moving: false, ...views[cartID] };
    },
  } as never);
  let count = 0;
  const send = (cartId: number, origin: Partial<Origin> = {}, kind: 'move' | 'stop' = 'move'): Command => {
    const commandId = `command-${cartId}-${++count}`;
    const order = { commandId, cartId, kind, raw: { distanceID: 1, angleID: 0 }, distanceMm: 1 };
    const command = new Command(
      { ...order, angleDdeg: 0, maxSpeedMmps: 1, ttlMs: 1, onBusy: 'queue' },
      { ...ANNA, ...origin },
      { destination: 'mqtt', simulated: true, clock },
    );
    command.onTransition((changed) => note(changed));
    note(command);
    return command;
  };
  const cartsOf = (actor: Actor) => drivers.list(actor).map(({ cartID }) => cartID);
  return { drivers, cartsOf, send };
}

const LOST: Reason = { code: 'RESULT_UNKNOWN', text: 'lost' };

test('lists the carts on which a user has an active command, until the command ends', () => {
  const { cartsOf, send } = setUp();
  const first = send(2);
  send(2, { actor: userActor('bert') });
  send(1);
  assert.deepEqual(cartsOf(userActor('anna')), [1, 2]);
  assert.deepEqual(cartsOf(userActor('bert')), [2]);
  first.end('CANCELLED', { code: 'STOPPED', text: 'stopped' });
  assert.deepEqual(cartsOf(userActor('anna')), [1]);
});

for (const [name, other] of [
  ['key tablet', keyActor('tablet')],
  ['the operator', LAN_ACTOR],
  ['gateway gw-2', gatewayActor('gw-2')],
] as const) {
  // Fault case 76
  test(`does not count the carts of user "${name}" as those of the ${other.kind} with the same name`, () => {
    const { drivers, cartsOf, send } = setUp();
    send(2, { actor: userActor(name) });
    send(2, { actor: other });
    assert.equal(drivers.list().length, 2);
    send(3, { actor: userActor(name) });
    assert.deepEqual([cartsOf(userActor(name)), cartsOf(other)], [[2, 3], [2]]);
  });
}

test("does not list stops, other gateways' commands or commands for removed carts", () => {
  const { drivers, send } = setUp();
  send(1, {}, 'stop');
  send(2, { source: 'mqtt' });
  send(99);
  assert.deepEqual(drivers.list(), []);
});

test('keeps listing a moving cart when the result of its command is unknown', () => {
  const view: Partial<CartView> = { moving: true };
  const { drivers, send } = setUp({ 2: view });
  send(2).end('FAILED', LOST);
  assert.deepEqual(drivers.list(), [{ cartID: 2, name: 'Cart 2', by: 'anna' }]);
  view.commandId = 'of another operator';
  assert.deepEqual(drivers.list(), []);
  delete view.commandId;
  view.moving = false;
  assert.deepEqual(drivers.list(), []);
});

test.run();
