import type { KeyObject } from 'node:crypto';
import { simulatedPins } from '../../adapters/gpio/simulated.js';
import { lastWill, MqttAgent, memoryLatch } from '../../carts/index.js';
import type { Settings, SettingsService } from '../../settings/index.js';
import { derived } from '../../shared/derived.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ScenePose } from '../../simulator/camera/scene.js';
import type { BrokerLink, Mqtt } from '../composition/broker.js';
import { applyLineSettings } from '../composition/cart-settings.js';
import { composeCart } from '../composition/create-cart.js';
import type { ControllerLine } from '../composition/line.js';
import type { AppContext } from '../context.js';
import { identityOf } from '../identity.js';
import { simulate } from './controller.js';
import { parkingPlace, poseOf } from './scene.js';

interface SimulatedCartOptions {
  cartId: number;
  /** Start pose relative to this gateway's cart. */
  start: ScenePose;
  mqtt: { broker: Pick<BrokerLink, 'client' | 'beforeLeaving'> } & Pick<Mqtt, 'isAuthenticated'>;
  settings: Pick<SettingsService, 'current' | 'onChange'>;
  siteKey?: KeyObject | undefined;
  clock: Clock;
  log: Log;
}

export interface SimulatedCart {
  /** Returns the cart's true pose, relative to the start pose of this gateway's cart. */
  pose(): ScenePose;
  shutDown(): void;
  close(): Promise<void>;
}

/** Starts a cart that is driven over MQTT; only its controller is simulated. */
export async function openSimulatedCart(options: SimulatedCartOptions): Promise<SimulatedCart> {
  const { cartId, start, mqtt, settings, siteKey, clock, log } = options;
  const { broker } = mqtt;
  const name = `Cart ${cartId}`;
  const identity = identityOf(settings.current, { cartId, name });
  const { controller, opener } = simulate(`cart-${cartId}`, 'cgw1', clock, start);
  const base = {
    cartId,
    name: () => name,
    opener: () => opener,
    pins: simulatedPins(),
    latchStore: memoryLatch(),
  };
  const simulated = derived(
    () => settings.current,
    (current): Settings => ({ ...current, serial: { ...current.serial, driver: 'cgw1' } }),
  );
  const { cart, dispatcher, link } = composeCart({
    ...base,
    settings: simulated,
    settingsInvalidReason: () => '',
    firmwareBlock: () => '',
    softwareBlock: () => '',
    latchUnsavableReason: () => '',
    brokerDown: () => false,
    clock,
    log,
  });
  const bus = broker.client(`cart-${identity.fleet}-${cartId}`, () => lastWill(identity, clock));
  const agent = new MqttAgent({
    bus,
    dispatcher,
    identity,
    clock,
    log,
    factsheet: () => ({ driver: 'cgw1', simulated: true }),
    rules: () => settings.current,
    authenticated: () => mqtt.isAuthenticated(),
    siteKey,
  });
  applyLineSettings(settings, { cart, restartLine: () => link.restart() });
  await cart.start();
  agent.start();
  broker.beforeLeaving(() => agent.leave());
  return {
    pose: () => poseOf(controller),
    shutDown(): void {
      cart.shutDown();
      void agent.leave();
    },
    async close() {
      await agent.close();
      await cart.close();
      controller.close();
    },
  };
}

/** Returns the configured simulated carts; none if the gateway drives a real cart or is in stop-only mode. */
export function simulatedIds(
  { isStopOnly, settings }: AppContext,
  { line }: { line: Pick<ControllerLine, 'isSimulated'> },
): readonly number[] {
  if (!line.isSimulated || isStopOnly) return [];
  const { gateway, simulation } = settings.current;
  return simulation.carts.filter((id) => id !== gateway.cartID);
}

export function openSimulatedCarts(
  { settings, siteKey, clock, log }: AppContext,
  { mqtt, simulatedIds }: { mqtt: Mqtt; simulatedIds: readonly number[] },
): Promise<readonly SimulatedCart[]> {
  return Promise.all(
    simulatedIds.map((cartId, index) =>
      openSimulatedCart({ cartId, start: parkingPlace(index), mqtt, settings, siteKey, clock, log }),
    ),
  );
}
