import type { Command } from '../../../../src/carts/command/command.js';
import type { CartView, Order } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { lastWill, TreeAgent } from '../../../../src/carts/mqtt/agent.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker, type MemoryBus } from '../../../helpers/memory-bus.js';
import { OPERATOR, quietLog, Rig, settle } from '../../../helpers/rig.js';
import { identityOf } from '../mqtt/site.js';

/** A cart with its own gateway: the real dispatcher, agent, link and driver, and a simulated controller. */
class Member {
  readonly rig: Rig;
  #broker: MemoryBroker;
  #bus: MemoryBus;
  #agent: TreeAgent;
  isUp = true;

  constructor(broker: MemoryBroker, clock: FakeClock, cartId: number) {
    this.rig = new Rig(undefined, { clock, cartId });
    this.#broker = broker;
    this.#bus = broker.client();
    this.#agent = this.#speak(cartId);
  }

  get isStopped(): boolean {
    return this.rig.controller.snapshot().estop.latched;
  }

  /** Loses the connection to the broker, which publishes the last will a moment later. */
  async cut(): Promise<void> {
    if (!this.isUp) return;
    this.isUp = false;
    this.#bus.become('cut');
    const { topic, payload } = lastWill(identityOf(this.rig.cart.cartId), this.rig.clock);
    await this.#broker.client().publish(topic, payload, { qos: 1, retain: true });
  }

  join(): void {
    this.isUp = true;
    this.#bus.become('');
  }

  /** Kills the process of the gateway and starts another; the controller stays as it is. */
  async restart(): Promise<void> {
    await this.cut();
    await this.#agent.close();
    const closed = this.rig.cart.close();
    await this.rig.run(2500);
    await closed;
    this.rig.build();
    await this.rig.cart.start();
    this.#bus = this.#broker.client();
    this.#agent = this.#speak(this.rig.cart.cartId);
    this.isUp = true;
  }

  async close(): Promise<void> {
    await this.#agent.close();
    await this.rig.close();
  }

  #speak(cartId: number): TreeAgent {
    const { rig } = this;
    const agent = new TreeAgent({
      bus: this.#bus,
      dispatcher: rig.dispatcher,
      identity: identityOf(cartId),
      clock: rig.clock,
      log: quietLog,
      factsheet: () => ({}),
      rules: () => rig.settings,
    });
    agent.start();
    return agent;
  }
}

/** A commanding gateway with cart 1 of its own, and carts 2 and 3 elsewhere, on one clock and one broker in memory. */
export class LoopSite {
  readonly clock = new FakeClock();
  readonly broker = new MemoryBroker();
  readonly bus = this.broker.client();
  readonly peers: RemoteCartRegistry;
  readonly own: Rig;
  readonly members: readonly [Member, Member];

  constructor() {
    this.peers = new RemoteCartRegistry({
      bus: this.bus,
      identity: identityOf(1),
      clock: this.clock,
      log: quietLog,
      known: () => KNOWN,
      allowUnknown: () => false,
    });
    this.own = new Rig(undefined, { clock: this.clock, cartId: 1, remote: this.peers });
    this.members = [new Member(this.broker, this.clock, 2), new Member(this.broker, this.clock, 3)];
  }

  static async open(): Promise<LoopSite> {
    const site = new LoopSite();
    site.peers.start();
    for (const rig of site.rigs) await rig.cart.start();
    await site.run(2500);
    return site;
  }

  get rigs(): Rig[] {
    return [this.own, ...this.members.map(({ rig }) => rig)];
  }

  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 25) {
      this.clock.advance(Math.min(25, left));
      await settle();
    }
  }

  /** Runs until the promise is settled. */
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
    this.peers.close();
    for (const member of this.members) await member.close();
    await this.own.close();
  }
}

const KNOWN = [2, 3].map((cartID) => ({ cartID, name: `Cart ${cartID}` }));
