import assert from 'node:assert/strict';
import { test } from 'uvu';
import { POSITION_KEPT_MS } from '../../../../src/carts/command/model.js';
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
  const published: { topic: string; body: Record<string, unknown> }[] = [];
  const located: unknown[] = [];
  let receive: (message: BusMessage) => void = () => assert.fail('not subscribed');
  const bus: MessageBus = {
    status: () => ({ connected: true, reason: '', url: 'mqtt://test', embedded: true }),
    publish: async (topic, payload) => void published.push({ topic, body: JSON.parse(payload) }),
    subscribe: (filter, listener) => {
      assert.equal(filter, 'cart/v1/site1/+/sightings');
      receive = listener;
      return () => undefined;
    },
    onStatus: () => () => undefined,
    close: async () => undefined,
  };
  const clock = new FakeClock();
  const locate = (sightings: unknown): object => {
    located.push(sightings);
    if (located.length > 5) throw new GatewayError('INVALID_INPUT', 'enough');
    return { position: { lat: 1, long: 2 } };
  };
  const fleet = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const includes = (cartId: number): boolean => fleet.has(cartId);
  const sightings = new BeaconReports({ bus, identity, locate, includes, clock, log: quietLog });
  sightings.start();
  const send = (cart: string, body: unknown, retain = false): void =>
    receive({ topic: `cart/v1/site1/${cart}/sightings`, payload: Buffer.from(JSON.stringify(body)), retain });
  return { published, located, clock, sightings, fleet, send };
}

const HEARD = { sightings: [{ id: 'beacon-1', rssi: -60 }] };

test("computes a cart's position from a beacon report and publishes it over MQTT and to the pages", async () => {
  const { published, sightings, send } = setUp();
  const positions: unknown[] = [];
  sightings.onPosition(({ cartID }) => positions.push(cartID));
  send('7', HEARD);
  await Promise.resolve();
  assert.deepEqual(positions, [7]);
  assert.equal(published[0]?.topic, 'cart/v1/site1/7/position');
  assert.deepEqual(published[0]?.body.position, { lat: 1, long: 2 });
  assert.equal(sightings.positions()[0]?.cartID, 7);
});

test('ignores a retained report, a report for an unknown cart and an invalid report', () => {
  const { located, send } = setUp();
  send('7', HEARD, true);
  send('0', HEARD);
  send('_all', HEARD);
  send('8', { sightings: 'all of them' });
  send('9', { sightings: Array.from({ length: 101 }, () => ({ id: 'beacon-1', rssi: -60 })) });
  assert.deepEqual(located, []);
});

test('discards the position of a cart that was removed from the settings', () => {
  const { sightings, fleet, send } = setUp();
  send('7', HEARD);
  send('8', HEARD);
  fleet.delete(7);
  const shown = () => sightings.positions().map(({ cartID }) => cartID);
  assert.deepEqual(shown(), [8]);
  fleet.add(7);
  assert.deepEqual(shown(), [8], 'a new cart with the number has not been located yet');
});

test('discards a position that is older than an hour, and keeps a newer one', () => {
  const { sightings, clock, send } = setUp();
  send('7', HEARD);
  clock.advance(POSITION_KEPT_MS / 2);
  send('8', HEARD);
  clock.advance(POSITION_KEPT_MS / 2);
  const shown = () => sightings.positions().map(({ cartID }) => cartID);
  assert.deepEqual(shown(), [7, 8]);
  clock.advance(1);
  assert.deepEqual(shown(), [8]);
});

test('processes at most five reports per cart per second', () => {
  const { located, clock, send } = setUp();
  for (let report = 0; report < 100; report++) {
    send('7', HEARD);
    clock.advance(10);
  }
  assert.equal(located.length, 5);
});

test('keeps processing reports after a report that does not yield a position', () => {
  const { clock, sightings, send } = setUp();
  for (let report = 0; report < 8; report++) {
    send('7', HEARD);
    clock.advance(250);
  }
  assert.equal(sightings.positions().length, 1);
});

test.run();
