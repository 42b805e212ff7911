import type { Command } from '../../../../src/carts/command/command.js';
import type { CartView, Order } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { lastWill, MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import type { TopicIdentity } from '../../../../src/carts/mqtt/messages/topics.js';
import { CartHarness, OPERATOR, quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker, type MemoryBus } from '../../../helpers/memory-bus.js';
import { identityOf } from '../mqtt/test-fleet.js';

/** A cart with its own gateway: a real dispatcher, agent, link and driver, and a simulated controller. */
class FleetMember {
  readonly harness: CartHarness;
  #broker: MemoryBroker;
  #bus: MemoryBus;
  #agent: MqttAgent;
  #identity: TopicIdentity;
  isUp = true;

  constructor(broker: MemoryBroker, clock: FakeClock, cartId: number) {
    this.harness = new CartHarness(undefined, { clock, cartId });
    this.#broker = broker;
    this.#bus = broker.client();
    this.#identity = identityOf(cartId);
    this.#agent = this.#startAgent();
  }

  get isStopped(): boolean {
    return this.harness.controller.snapshot().estop.latched;
  }

  /** Drops the connection to the broker, which then publishes the last will. */
  async cut(): Promise<void> {
    if (!this.isUp) return;
    this.isUp = false;
    this.#bus.setOutage('cut');
    const { topic, payload } = lastWill(this.#identity, this.harness.clock);
    await this.#broker.client().publish(topic, payload, { qos: 1, retain: true });
  }

  join(): void {
    this.isUp = true;
    this.#bus.setOutage('');
  }

  /** Restarts the gateway process; the controller keeps its state. */
  async restart(): Promise<void> {
    await this.cut();
    await this.#agent.close();
    const closed = this.harness.cart.close();
    await this.harness.run(2500);
    await closed;
    this.harness.build();
    await this.harness.cart.start();
    this.#bus = this.#broker.client();
    this.#identity = identityOf(this.harness.cart.cartId);
    this.#agent = this.#startAgent();
    this.isUp = true;
  }

  async close(): Promise<void> {
    await this.#agent.close();
    await this.harness.close();
  }

  #startAgent(): MqttAgent {
    const { harness } = this;
    const agent = new MqttAgent({
      bus: this.#bus,
      dispatcher: harness.dispatcher,
      identity: this.#identity,
      clock: harness.clock,
      log: quietLog,
      factsheet: () => ({}),
      rules: () => harness.settings,
    });
    agent.start();
    return agent;
  }
}

/**
 * A gateway that controls cart 1 and commands carts 2 and 3. All carts share one clock and one in-memory
 * broker.
 */
export class StopLoopHarness {
  readonly clock = new FakeClock();
  readonly broker = new MemoryBroker();
  readonly bus = this.broker.client();
  readonly remoteCarts: RemoteCartRegistry;
  readonly own: CartHarness;
  readonly members: readonly [FleetMember, FleetMember];

  constructor() {
    this.remoteCarts = new RemoteCartRegistry({
      bus: this.bus,
      identity: identityOf(1),
      clock: this.clock,
      log: quietLog,
      known: () => KNOWN,
      allowUnknown: () => false,
    });
    this.own = new CartHarness(undefined, { clock: this.clock, cartId: 1, remote: this.remoteCarts });
    this.members = [new FleetMember(this.broker, this.clock, 2), new FleetMember(this.broker, this.clock, 3)];
  }

  static async open(): Promise<StopLoopHarness> {
    const loop = new StopLoopHarness();
    loop.remoteCarts.start();
    for (const harness of loop.harnesses) await harness.cart.start();
    await loop.run(2500);
    return loop;
  }

  get harnesses(): CartHarness[] {
    return [this.own, ...this.members.map(({ harness }) => harness)];
  }

  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 25) {
      this.clock.advance(Math.min(25, left));
      await settle();
    }
  }

  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    void promise.finally(() => (settled = true)).catch(() => undefined);
    await settle();
    while (!settled) await this.run(25);
    return promise;
  }

  view(cartId: number): CartView {
    return this.own.dispatcher.cartView(cartId);
  }

  drive(cartId: number): Command | undefined {
    const body: Partial<Order> & Record<string, number> = { cartID: cartId, distanceID: 2000, angleID: 0 };
    try {
      return this.own.dispatcher.submit(body, OPERATOR);
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.remoteCarts.close();
    for (const member of this.members) await member.close();
    await this.own.close();
  }
}

const KNOWN = [2, 3].map((cartID) => ({ cartID, name: `Cart ${cartID}` }));
