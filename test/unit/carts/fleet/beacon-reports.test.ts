import assert from 'node:assert/strict';
import { test } from 'uvu';
import { BeaconReports } from '../../../../src/carts/fleet/beacon-reports.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { BusMessage, MessageBus } from '../../../../src/shared/ports/mqtt.js';
import { quietLog } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const identity = {
  cartId: 1,
  fleet: 'site1',
  manufacturer: 'acme',
  root: 'cart/v1',
  gatewayId: 'g1',
  sessionId: 'aaaaaaaa-0000-4000-8000-000000000001',
  name: 'Cart 1',
};

function setUp() {
  const said: { topic: string; body: Record<string, unknown> }[] = [];
  const asked: unknown[] = [];
  let hear: (message: BusMessage) => void = () => assert.fail('nobody listens');
  const bus: MessageBus = {
    status: () => ({ connected: true, reason: '', url: 'mqtt://test', embedded: true }),
    publish: async (topic, payload) => void said.push({ topic, body: JSON.parse(payload) }),
    subscribe: (filter, listener) => {
      assert.equal(filter, 'cart/v1/site1/+/sightings');
      hear = listener;
      return () => undefined;
    },
    onStatus: () => () => undefined,
    close: async () => undefined,
  };
  const clock = new FakeClock();
  const locate = (sightings: unknown): object => {
    asked.push(sightings);
    if (asked.length > 5) throw new GatewayError('INVALID_INPUT', 'enough');
    return { position: { lat: 1, long: 2 } };
  };
  const includes = (cartId: number): boolean => cartId < 10;
  const sightings = new BeaconReports({ bus, identity, locate, includes, clock, log: quietLog });
  sightings.start();
  const send = (cart: string, body: unknown, retain = false): void =>
    hear({ topic: `cart/v1/site1/${cart}/sightings`, payload: Buffer.from(JSON.stringify(body)), retain });
  return { said, asked, clock, sightings, send };
}

const HEARD = { sightings: [{ id: 'beacon-1', rssi: -60 }] };

test('what a cart hears becomes its position, on the tree and for the pages', async () => {
  const { said, sightings, send } = setUp();
  const told: unknown[] = [];
  sightings.onPosition(({ cartID }) => told.push(cartID));
  send('7', HEARD);
  await Promise.resolve();
  assert.deepEqual(told, [7]);
  assert.equal(said[0]?.topic, 'cart/v1/site1/7/position');
  assert.deepEqual(said[0]?.body.position, { lat: 1, long: 2 });
  assert.equal(sightings.positions()[0]?.cartID, 7);
});

test('a retained report, a wrong cart and what is no report move nobody', () => {
  const { asked, send } = setUp();
  send('7', HEARD, true);
  send('0', HEARD);
  send('_all', HEARD);
  send('8', { sightings: 'all of them' });
  send('9', { sightings: Array.from({ length: 101 }, () => ({ id: 'beacon-1', rssi: -60 })) });
  assert.deepEqual(asked, []);
});

test('a scanner that reports without pause is heard five times a second', () => {
  const { asked, clock, send } = setUp();
  for (let report = 0; report < 100; report++) {
    send('7', HEARD);
    clock.advance(10);
  }
  assert.equal(asked.length, 5);
});

test('a registry that refuses the report is no reason to fall over', () => {
  const { clock, sightings, send } = setUp();
  for (let report = 0; report < 8; report++) {
    send('7', HEARD);
    clock.advance(250);
  }
  assert.equal(sightings.positions().length, 1);
});

test.run();
