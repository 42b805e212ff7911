import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { signHeartbeat } from '../../../../src/carts/mqtt/heartbeat-publisher.js';
import type { TopicIdentity } from '../../../../src/carts/mqtt/messages/topics.js';
import { actorName } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR, quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { identityOf } from './test-fleet.js';

const keyOf = (text: string): KeyObject => createSecretKey(text, 'utf8');
const KEY = keyOf('0123456789abcdef0123456789abcdef');
const LIMIT_MS = 1000;
const TICK_MS = 50;
const HEARTBEATS = 'cart/v1/site1/2/heartbeat';

interface Options {
  limitMs?: number;
  siteKey?: KeyObject | undefined;
  cartKey?: KeyObject | undefined;
}

/**
 * A gateway that commands cart 2, which has its own gateway. Both gateways share one clock and one in-memory
 * broker.
 */
class Fixture {
  readonly clock = new FakeClock();
  readonly broker = new MemoryBroker();
  readonly observer = this.broker.client();
  readonly harness: CartHarness;
  readonly agent: MqttAgent;
  readonly received: string[] = [];
  readonly events: string[] = [];
  #siteKey: KeyObject | undefined;
  #sites: RemoteCartRegistry[] = [];

  private constructor({ limitMs = LIMIT_MS, ...keys }: Options) {
    const { siteKey, cartKey } = { siteKey: KEY, cartKey: KEY, ...keys };
    this.#siteKey = siteKey;
    const { clock } = this;
    this.harness = new CartHarness(
      ({ limits }) => {
        limits.remoteHeartbeatMs = limitMs;
      },
      { clock, cartId: 2 },
    );
    this.agent = new MqttAgent({
      bus: this.broker.client(),
      dispatcher: this.harness.dispatcher,
      identity: identityOf(2),
      clock,
      log: quietLog,
      factsheet: () => ({}),
      rules: () => this.harness.settings,
      siteKey: cartKey,
    });
    this.harness.cart.onSafety(({ kind, by }) => this.events.push(`${kind}: ${actorName(by)}`));
    this.observer.subscribe(HEARTBEATS, ({ payload }) => this.received.push(String(payload)));
  }

  static async open(options: Options = {}): Promise<Fixture> {
    const fixture = new Fixture(options);
    await fixture.harness.cart.start();
    fixture.agent.start();
    await fixture.run(2500);
    return fixture;
  }

  async site(identity: TopicIdentity = identityOf(1)) {
    const bus = this.broker.client();
    const { clock } = this;
    const remoteCarts = new RemoteCartRegistry({
      bus,
      identity,
      clock,
      log: quietLog,
      siteKey: this.#siteKey,
      known: () => [{ cartID: 2, name: 'Cart 2' }],
      allowUnknown: () => false,
    });
    remoteCarts.start();
    this.#sites.push(remoteCarts);
    await this.run(1500);
    const send = (more: object = {}): Command =>
      remoteCarts.send(
        {
          commandId: crypto.randomUUID(),
          cartId: 2,
          kind: 'move',
          distanceMm: 2000,
          angleDdeg: 0,
          raw: { distanceID: 2000, angleID: 0 },
          maxSpeedMmps: 300,
          ttlMs: 5000,
          onBusy: 'replace',
          ...more,
        },
        OPERATOR,
      );
    return { bus, identity, remoteCarts, send };
  }

  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10) {
      this.clock.advance(Math.min(10, left));
      await settle();
    }
  }

  own({ id }: Command): Command {
    const command = this.harness.dispatcher.find(id);
    assert.ok(command);
    return command;
  }

  async close(): Promise<void> {
    for (const site of this.#sites) site.close();
    await this.agent.close();
    await this.harness.close();
  }
}

async function withFixture(options: Options, run: (fixture: Fixture) => Promise<void>): Promise<void> {
  const fixture = await Fixture.open(options);
  await run(fixture);
  await fixture.close();
}

test('a move finishes while the sender publishes heartbeats', () =>
  withFixture({}, async (fixture) => {
    const { send } = await fixture.site();
    const command = send();
    await fixture.run(9000);
    assert.equal(command.state, 'FINISHED');
    const count = fixture.received.length;
    assert.ok(count > 30);
    await fixture.run(2000);
    assert.equal(fixture.received.length, count, 'heartbeats end with the command');
  }));

test('stops the cart within one tick after the heartbeat limit is exceeded, without latching the stop', () =>
  withFixture({}, async (fixture) => {
    const { send, bus } = await fixture.site();
    const sent = send();
    await fixture.run(2000);
    const command = fixture.own(sent);
    assert.equal(command.state, 'RUNNING');
    bus.setOutage('killed');
    await fixture.run(LIMIT_MS - 250);
    assert.equal(command.state, 'RUNNING');
    await fixture.run(250 + TICK_MS);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'HEARTBEAT_LOST']);
    assert.equal(textOf(command.reason?.text ?? ''), 'no valid heartbeat from gateway gw-1 for 1 s');
    assert.deepEqual(fixture.events, ['protective_stop: no valid heartbeat from gateway gw-1 for 1 s']);
    await fixture.run(1500);
    assert.equal(fixture.harness.controller.snapshot().speed, 0);
    assert.equal(fixture.harness.cart.view().safety.mayMove, true);
  }));

test('a command finishes without heartbeats when the heartbeat limit is 0', () =>
  withFixture({ limitMs: 0 }, async (fixture) => {
    const { send, bus } = await fixture.site();
    const sent = send();
    await fixture.run(1000);
    bus.setOutage('killed');
    await fixture.run(8000);
    assert.equal(fixture.own(sent).state, 'FINISHED');
  }));

test('ignores heartbeats signed with a different key and reports this in the state', () =>
  withFixture({ siteKey: keyOf('another key of at least 32 letters') }, async (fixture) => {
    const { send } = await fixture.site();
    const states: string[] = [];
    fixture.observer.subscribe('cart/v1/site1/2/state', ({ payload }) => states.push(String(payload)));
    const sent = send();
    await fixture.run(LIMIT_MS + TICK_MS);
    assert.equal(fixture.own(sent).reason?.code, 'HEARTBEAT_LOST');
    await fixture.run(1000);
    assert.match(states.at(-1) ?? '', /HEARTBEAT_REFUSED.*the heartbeat signature is invalid/);
  }));

test('ends or rejects remote commands when the sender or the gateway has no heartbeat key', async () => {
  await withFixture({ siteKey: undefined }, async (fixture) => {
    const { send } = await fixture.site();
    const sent = send();
    await fixture.run(LIMIT_MS + TICK_MS);
    assert.equal(fixture.own(sent).reason?.code, 'HEARTBEAT_LOST');
    assert.equal(fixture.received.length, 0);
  });
  await withFixture({ cartKey: undefined }, async (fixture) => {
    const { send } = await fixture.site();
    const sent = send();
    await fixture.run(100);
    assert.deepEqual([sent.state, sent.reason?.code], ['REJECTED', 'SAFETY_UNAVAILABLE']);
    assert.equal(fixture.harness.controller.snapshot().motions, 0);
  });
});

test('ignores replayed heartbeats', () =>
  withFixture({}, async (fixture) => {
    const { send, bus } = await fixture.site();
    const sent = send();
    await fixture.run(2000);
    bus.setOutage('killed');
    for (const payload of fixture.received.slice()) {
      await fixture.observer.publish(HEARTBEATS, payload, { qos: 0 });
      await fixture.run(100);
    }
    assert.equal(fixture.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test('ignores a retained heartbeat and a heartbeat signed for a different cart', () =>
  withFixture({}, async (fixture) => {
    const { send, bus, identity } = await fixture.site();
    const sent = send();
    await fixture.run(1000);
    bus.setOutage('killed');
    const { gatewayId, sessionId } = identity;
    const forge = (topic: string, counter: number) => {
      const signature = signHeartbeat(KEY, topic, { gatewayId, sessionId, counter });
      return JSON.stringify({ headerId: 1, cartID: 2, gatewayId, sessionId, counter, signature });
    };
    const take = (payload: string, retain: boolean) => {
      for (const { filter, listener } of fixture.broker.subscriptions)
        if (filter.test(HEARTBEATS)) listener({ topic: HEARTBEATS, payload: Buffer.from(payload), retain });
    };
    for (let counter = 1000; counter < 1012; counter += 1) {
      take(forge(HEARTBEATS, counter), true);
      take(forge('cart/v1/site1/3/heartbeat', counter + 500), false);
      await fixture.run(100);
    }
    assert.equal(fixture.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test("ends the command of a restarted sender, and executes commands from the sender's new session", () =>
  withFixture({}, async (fixture) => {
    const first = await fixture.site();
    const old = first.send();
    await fixture.run(1000);
    first.bus.setOutage('killed');
    const second = await fixture.site({ ...identityOf(1), gatewayId: first.identity.gatewayId });
    assert.equal(fixture.own(old).reason?.code, 'HEARTBEAT_LOST');
    const next = second.send();
    await fixture.run(9000);
    assert.equal(fixture.own(next).state, 'FINISHED');
  }));

test("replayed heartbeats from old sessions do not reset the current session's counter", () =>
  withFixture({}, async (fixture) => {
    const { send, bus } = await fixture.site();
    const sent = send();
    await fixture.run(1000);
    bus.setOutage('killed');
    for (let at = 0; at < 100; at += 1) {
      const old = { gatewayId: 'gw-1', sessionId: `old-${at}`, counter: 9 };
      const signature = signHeartbeat(KEY, HEARTBEATS, old);
      const payload = JSON.stringify({ headerId: 1, cartID: 2, ...old, signature });
      await fixture.observer.publish(HEARTBEATS, payload, { qos: 0 });
    }
    for (const payload of fixture.received.slice(0, 6)) {
      await fixture.observer.publish(HEARTBEATS, payload, { qos: 0 });
      await fixture.run(200);
    }
    assert.equal(fixture.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test('finishes a local command even if heartbeats stop, but ends the remote command queued behind it', () =>
  withFixture({}, async (fixture) => {
    const { send, bus } = await fixture.site();
    const local = fixture.harness.dispatcher.submit({ cartID: 2, distanceID: 2000, angleID: 0 }, OPERATOR);
    await fixture.run(6000);
    const sent = send({ onBusy: 'queue' });
    await fixture.run(100);
    assert.equal(fixture.own(sent).state, 'QUEUED');
    bus.setOutage('killed');
    await fixture.run(LIMIT_MS + TICK_MS);
    assert.deepEqual([fixture.own(sent).final, fixture.own(sent).reason?.code], [true, 'HEARTBEAT_LOST']);
    await fixture.run(5000);
    assert.equal(local.state, 'FINISHED');
    assert.deepEqual(fixture.events, []);
  }));

test('tolerates wall-clock steps, and missing heartbeats while the cart is idle', () =>
  withFixture({}, async (fixture) => {
    const { send, bus } = await fixture.site();
    const sent = send({ distanceMm: 200, raw: { distanceID: 200, angleID: 0 } });
    await fixture.run(500);
    fixture.clock.stepWallTime(-86_400_000);
    await fixture.run(2500);
    assert.equal(fixture.own(sent).state, 'FINISHED');
    bus.setOutage('killed');
    await fixture.run(5000);
    assert.deepEqual(fixture.events, []);
  }));

test('never publishes the heartbeat key', () =>
  withFixture({}, async (fixture) => {
    const { send } = await fixture.site();
    send();
    await fixture.run(500);
    const secret = KEY.export().toString();
    for (const payload of fixture.received) assert.ok(!payload.includes(secret));
  }));

test.run();
