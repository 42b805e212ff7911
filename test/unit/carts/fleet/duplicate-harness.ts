import type { CartView, StoppedCart } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { lastWill, MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import type { TopicIdentity } from '../../../../src/carts/mqtt/messages/topics.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { CartHarness, OPERATOR, quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker, type MemoryBus } from '../../../helpers/memory-bus.js';
import { identityOf } from '../mqtt/test-fleet.js';

/** A gateway with a cart, its MQTT agent and its registry of remote carts, all on one fake clock. */
export class FleetGateway {
  readonly identity: TopicIdentity;
  readonly bus: MemoryBus;
  readonly remoteCarts: RemoteCartRegistry;
  readonly harness: CartHarness;
  readonly #broker: MemoryBroker;
  readonly #agent: MqttAgent;

  constructor(
    fleet: DuplicateHarness,
    cartId: number,
    host: string,
    oldSessions: string[],
    generation: number,
  ) {
    const { broker, clock } = fleet;
    this.#broker = broker;
    this.identity = { ...identityOf(cartId), gatewayId: `${host}-${cartId}`, generation };
    this.bus = broker.client();
    const base = { bus: this.bus, identity: this.identity, clock, log: quietLog };
    this.remoteCarts = new RemoteCartRegistry({
      ...base,
      known: () => [1, 2, 3].map((cartID) => ({ cartID, name: `Cart ${cartID}` })),
      allowUnknown: () => false,
      oldSessions: new Set(oldSessions),
    });
    this.harness = new CartHarness(undefined, { clock, cartId, remote: this.remoteCarts });
    this.#agent = new MqttAgent({
      ...base,
      dispatcher: this.harness.dispatcher,
      factsheet: () => ({}),
      rules: () => this.harness.settings,
    });
  }

  async start(): Promise<void> {
    await this.harness.cart.start();
    this.remoteCarts.start();
    this.#agent.start();
  }

  /** The code with which a 2 m move of this cart is refused; empty if the move is accepted. */
  drive(cartID: number): string {
    try {
      this.harness.dispatcher.submit({ cartID, distanceID: 2000, angleID: 0 }, OPERATOR);
      return '';
    } catch (error) {
      if (error instanceof GatewayError) return error.code;
      throw error;
    }
  }

  view(cartId: number): CartView {
    return this.harness.dispatcher.cartView(cartId);
  }

  get isMoving(): boolean {
    return this.harness.controller.snapshot().speed !== 0;
  }

  get isLatched(): boolean {
    return this.harness.controller.snapshot().estop.latched;
  }

  /** Disconnects from the broker without OFFLINE; the cart keeps its state. */
  cut(): void {
    this.bus.setOutage('cut');
  }

  /** Ends the process: the broker publishes the last will, by default at once. */
  async kill(publishWill = true): Promise<void> {
    this.cut();
    if (publishWill) await this.publishWill();
    await this.close();
  }

  async publishWill(): Promise<void> {
    const { topic, payload } = lastWill(this.identity, this.harness.clock);
    await this.#broker.client().publish(topic, payload, { qos: 1, retain: true });
  }

  async close(): Promise<void> {
    this.remoteCarts.close();
    await this.#agent.close();
    this.harness.link.end({ code: 'SERIAL_LOST', text: 'closed' });
  }
}

/** Gateways on one in-memory broker. Several gateways can have the same cart number. */
export class DuplicateHarness {
  readonly clock = new FakeClock();
  readonly broker = new MemoryBroker();
  readonly #gateways: FleetGateway[] = [];

  /** Adds a gateway and waits until its cart is ready. */
  async add(cartId: number, host: string, oldSessions: string[] = [], generation = 0): Promise<FleetGateway> {
    const gateway = new FleetGateway(this, cartId, host, oldSessions, generation);
    this.#gateways.push(gateway);
    await gateway.start();
    await this.run(1000);
    return gateway;
  }

  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 25) {
      this.clock.advance(Math.min(25, left));
      await settle();
    }
  }

  async stopped(stop: Promise<StoppedCart[]>): Promise<string[]> {
    let carts: StoppedCart[] | undefined;
    void stop.then((answer) => (carts = answer));
    for (let ms = 0; ms < 2000 && !carts; ms += 25) await this.run(25);
    return (carts ?? []).map(({ cartID, confirmed }) => `${cartID} ${confirmed}`);
  }

  async close(): Promise<void> {
    for (const gateway of this.#gateways) await gateway.close();
  }
}
