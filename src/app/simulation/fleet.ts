import { connectBus } from '../../adapters/mqtt/mqtt.js';
import { lastWill, MqttAgent } from '../../carts/index.js';
import { defaultSettings } from '../../settings/index.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { identityOf } from '../identity.js';
import { KinematicCart } from './kinematic-cart.js';

/** Interval between new connections, which spreads the carts' periodic messages over time. */
const CONNECT_INTERVAL_MS = 5;
const GRID_MM = 2000;
/** Keepalive interval in s; longer than that of a real cart, to limit the load of a thousand connections. */
const KEEPALIVE_S = 20;

export interface LightFleetOptions {
  /** The carts are numbered `first`, `first + 1`, … */
  first: number;
  count: number;
  broker: { host: string; port: number; protocol: 'mqtt' | 'mqtts'; username: string; password: string };
  fleet: string;
  root: string;
  clock: Clock;
  log: Log;
}

export interface SimulatedFleet {
  readonly carts: readonly KinematicCart[];
  connected(): number;
  close(): Promise<void>;
}

export async function openLightFleet(options: LightFleetOptions): Promise<SimulatedFleet> {
  const members: ReturnType<typeof openMember>[] = [];
  for (let at = 0; at < options.count; at += 1) {
    members.push(openMember(options, options.first + at));
    await new Promise<void>((resolve) => options.clock.after(CONNECT_INTERVAL_MS, resolve));
  }
  return {
    carts: members.map(({ cart }) => cart),
    connected: () => members.filter(({ bus }) => bus.status().connected).length,
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  };
}

function openMember({ broker, fleet, root, first, clock, log }: LightFleetOptions, cartId: number) {
  const settings = defaultSettings();
  const gateway = { ...settings.gateway, fleet };
  const named = { ...settings, gateway, mqtt: { ...settings.mqtt, root } };
  const identity = identityOf(named, { cartId, name: `Cart ${cartId}` });
  const [column, row] = [(cartId - first) % 40, Math.floor((cartId - first) / 40)];
  const cart = new KinematicCart(cartId, { xMm: column * GRID_MM, yMm: row * GRID_MM, headingDeg: 0 }, clock);
  const bus = connectBus({
    ...broker,
    protocolVersion: 4,
    keepaliveS: KEEPALIVE_S,
    embedded: false,
    clientId: `cart-${fleet}-${cartId}`,
    will: () => lastWill(identity, clock),
    clock,
    log,
  });
  const factsheet = () => ({ driver: 'none', simulated: true });
  const agent = new MqttAgent({
    bus,
    dispatcher: cart,
    identity,
    clock,
    log,
    factsheet,
    rules: () => named,
  });
  agent.start();
  return {
    cart,
    bus,
    async close() {
      cart.close();
      await agent.close();
      await bus.close();
    },
  };
}
