import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject } from 'node:crypto';
import { test } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { signHeartbeat } from '../../../../src/carts/mqtt/heartbeat-publisher.js';
import type { TopicIdentity } from '../../../../src/carts/mqtt/messages/topics.js';
import { CartHarness, OPERATOR, quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { identityOf } from './site.js';

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

/** A site that commands cart 2, which has a gateway of its own, on one clock and one broker in memory. */
class Scene {
  readonly clock = new FakeClock();
  readonly broker = new MemoryBroker();
  readonly witness = this.broker.client();
  readonly harness: CartHarness;
  readonly agent: MqttAgent;
  readonly heard: string[] = [];
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
      ...{
        bus: this.broker.client(),
        dispatcher: this.harness.dispatcher,
        identity: identityOf(2),
        clock,
        log: quietLog,
      },
      ...{ factsheet: () => ({}), rules: () => this.harness.settings, siteKey: cartKey },
    });
    this.harness.cart.onSafety(({ kind, by }) => this.events.push(`${kind}: ${by}`));
    this.witness.subscribe(HEARTBEATS, ({ payload }) => this.heard.push(String(payload)));
  }

  static async open(options: Options = {}): Promise<Scene> {
    const scene = new Scene(options);
    await scene.harness.cart.start();
    scene.agent.start();
    await scene.run(2500);
    return scene;
  }

  /** A process of the commanding gateway. */
  async site(identity: TopicIdentity = identityOf(1)) {
    const bus = this.broker.client();
    const { clock } = this;
    const peers = new RemoteCartRegistry({
      ...{ bus, identity, clock, log: quietLog, siteKey: this.#siteKey },
      ...{ known: () => [{ cartID: 2, name: 'Cart 2' }], allowUnknown: () => false },
    });
    peers.start();
    this.#sites.push(peers);
    await this.run(1500);
    const send = (more: object = {}): Command =>
      peers.send(
        {
          ...{ commandId: crypto.randomUUID(), cartId: 2, kind: 'move', distanceMm: 2000, angleDdeg: 0 },
          ...{ raw: { distanceID: 2000, angleID: 0 }, maxSpeedMmps: 300, ttlMs: 5000, onBusy: 'replace' },
          ...more,
        },
        OPERATOR,
      );
    return { bus, identity, peers, send };
  }

  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10) {
      this.clock.advance(Math.min(10, left));
      await settle();
    }
  }

  /** The own command of the cart that the site's command has become. */
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

async function inScene(options: Options, run: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await Scene.open(options);
  await run(scene);
  await scene.close();
}

test('a move of a site that sends heartbeats runs to its end', () =>
  inScene({}, async (scene) => {
    const { send } = await scene.site();
    const command = send();
    await scene.run(9000);
    assert.equal(command.state, 'FINISHED');
    const count = scene.heard.length;
    assert.ok(count > 30);
    await scene.run(2000);
    assert.equal(scene.heard.length, count, 'heartbeats end with the command');
  }));

test('a cart stops within the limit and one tick of losing the heartbeat, without a latch', () =>
  inScene({}, async (scene) => {
    const { send, bus } = await scene.site();
    const sent = send();
    await scene.run(2000);
    const command = scene.own(sent);
    assert.equal(command.state, 'RUNNING');
    bus.become('killed');
    await scene.run(LIMIT_MS - 250);
    assert.equal(command.state, 'RUNNING');
    await scene.run(250 + TICK_MS);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'HEARTBEAT_LOST']);
    assert.equal(command.reason?.text, 'no valid heartbeat from gateway gw-1 for 1 s');
    assert.deepEqual(scene.events, ['protective_stop: no valid heartbeat from gateway gw-1 for 1 s']);
    await scene.run(1500);
    assert.equal(scene.harness.controller.snapshot().speed, 0);
    assert.equal(scene.harness.cart.view().safety.mayMove, true);
  }));

test('without the limit a command outlives its site', () =>
  inScene({ limitMs: 0 }, async (scene) => {
    const { send, bus } = await scene.site();
    const sent = send();
    await scene.run(1000);
    bus.become('killed');
    await scene.run(8000);
    assert.equal(scene.own(sent).state, 'FINISHED');
  }));

test('heartbeats under another key do not count, and the state says so', () =>
  inScene({ siteKey: keyOf('another key of at least 32 letters') }, async (scene) => {
    const { send } = await scene.site();
    const states: string[] = [];
    scene.witness.subscribe('cart/v1/site1/2/state', ({ payload }) => states.push(String(payload)));
    const sent = send();
    await scene.run(LIMIT_MS + TICK_MS);
    assert.equal(scene.own(sent).reason?.code, 'HEARTBEAT_LOST');
    await scene.run(1000);
    assert.match(states.at(-1) ?? '', /HEARTBEAT_REFUSED.*the signature of the heartbeat is wrong/);
  }));

test('a site without a key is not heard, and a cart without one refuses remote commands', async () => {
  await inScene({ siteKey: undefined }, async (scene) => {
    const { send } = await scene.site();
    const sent = send();
    await scene.run(LIMIT_MS + TICK_MS);
    assert.equal(scene.own(sent).reason?.code, 'HEARTBEAT_LOST');
    assert.equal(scene.heard.length, 0);
  });
  await inScene({ cartKey: undefined }, async (scene) => {
    const { send } = await scene.site();
    const sent = send();
    await scene.run(100);
    assert.deepEqual([sent.state, sent.reason?.code], ['REJECTED', 'SAFETY_UNAVAILABLE']);
    assert.equal(scene.harness.controller.snapshot().motions, 0);
  });
});

test('recorded heartbeats do not keep a cart going', () =>
  inScene({}, async (scene) => {
    const { send, bus } = await scene.site();
    const sent = send();
    await scene.run(2000);
    bus.become('killed');
    for (const payload of scene.heard.slice()) {
      await scene.witness.publish(HEARTBEATS, payload, { qos: 0 });
      await scene.run(100);
    }
    assert.equal(scene.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test('a retained heartbeat, and one that was signed for another cart, do not count', () =>
  inScene({}, async (scene) => {
    const { send, bus, identity } = await scene.site();
    const sent = send();
    await scene.run(1000);
    bus.become('killed');
    const { gatewayId, sessionId } = identity;
    const forge = (topic: string, counter: number) => {
      const signature = signHeartbeat(KEY, topic, { gatewayId, sessionId, counter });
      return JSON.stringify({ headerId: 1, cartID: 2, gatewayId, sessionId, counter, signature });
    };
    const take = (payload: string, retain: boolean) => {
      for (const { filter, listener } of scene.broker.subscriptions)
        if (filter.test(HEARTBEATS)) listener({ topic: HEARTBEATS, payload: Buffer.from(payload), retain });
    };
    for (let counter = 1000; counter < 1012; counter += 1) {
      take(forge(HEARTBEATS, counter), true);
      take(forge('cart/v1/site1/3/heartbeat', counter + 500), false);
      await scene.run(100);
    }
    assert.equal(scene.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test('a restarted site does not keep the command of its predecessor, and its own commands run', () =>
  inScene({}, async (scene) => {
    const first = await scene.site();
    const old = first.send();
    await scene.run(1000);
    first.bus.become('killed');
    const second = await scene.site({ ...identityOf(1), gatewayId: first.identity.gatewayId });
    assert.equal(scene.own(old).reason?.code, 'HEARTBEAT_LOST');
    const next = second.send();
    await scene.run(9000);
    assert.equal(scene.own(next).state, 'FINISHED');
  }));

test('old sessions that are replayed do not make a cart forget the counter of a running one', () =>
  inScene({}, async (scene) => {
    const { send, bus } = await scene.site();
    const sent = send();
    await scene.run(1000);
    bus.become('killed');
    for (let at = 0; at < 100; at += 1) {
      const old = { gatewayId: 'gw-1', sessionId: `old-${at}`, counter: 9 };
      const signature = signHeartbeat(KEY, HEARTBEATS, old);
      const payload = JSON.stringify({ headerId: 1, cartID: 2, ...old, signature });
      await scene.witness.publish(HEARTBEATS, payload, { qos: 0 });
    }
    for (const payload of scene.heard.slice(0, 6)) {
      await scene.witness.publish(HEARTBEATS, payload, { qos: 0 });
      await scene.run(200);
    }
    assert.equal(scene.own(sent).reason?.code, 'HEARTBEAT_LOST');
  }));

test('a local command needs no heartbeat, and a remote one that waits behind it is dropped', () =>
  inScene({}, async (scene) => {
    const { send, bus } = await scene.site();
    const local = scene.harness.dispatcher.submit({ cartID: 2, distanceID: 2000, angleID: 0 }, OPERATOR);
    await scene.run(6000);
    const sent = send({ onBusy: 'queue' });
    await scene.run(100);
    assert.equal(scene.own(sent).state, 'QUEUED');
    bus.become('killed');
    await scene.run(LIMIT_MS + TICK_MS);
    assert.deepEqual([scene.own(sent).final, scene.own(sent).reason?.code], [true, 'HEARTBEAT_LOST']);
    await scene.run(5000);
    assert.equal(local.state, 'FINISHED');
    assert.deepEqual(scene.events, []);
  }));

test('a cart that stands does not mind the silence of its site, nor a step of the wall clock', () =>
  inScene({}, async (scene) => {
    const { send, bus } = await scene.site();
    const sent = send({ distanceMm: 200, raw: { distanceID: 200, angleID: 0 } });
    await scene.run(500);
    scene.clock.stepWallTime(-86_400_000);
    await scene.run(2500);
    assert.equal(scene.own(sent).state, 'FINISHED');
    bus.become('killed');
    await scene.run(5000);
    assert.deepEqual(scene.events, []);
  }));

test('a key is never part of a message', () =>
  inScene({}, async (scene) => {
    const { send } = await scene.site();
    send();
    await scene.run(500);
    const secret = KEY.export().toString();
    for (const payload of scene.heard) assert.ok(!payload.includes(secret));
  }));

test.run();
