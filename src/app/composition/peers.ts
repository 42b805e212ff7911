import { RemoteCartRegistry } from '../../carts/index.js';
import type { Actor } from '../../shared/actor.js';
import { derived } from '../../shared/derived.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { Signal } from '../../shared/signal.js';
import type { AppContext } from '../context.js';
import { rememberSession } from '../old-sessions.js';
import type { Mqtt } from './broker.js';

/** The carts of other gateways. */
export interface Peers {
  registry: RemoteCartRegistry;
  /** Calls the listener when a remote cart's latched stop has been reset. */
  onReset(listener: (cartId: number, by: Actor) => void): Cancel;
}

export async function openPeers(
  { config, settings, identity, siteKey, clock, log }: AppContext,
  { mqtt, simulatedIds }: { mqtt: Pick<Mqtt, 'bus'>; simulatedIds: readonly number[] },
): Promise<Peers> {
  const resets = new Signal<[cartId: number, by: Actor]>();
  const simulated = simulatedIds.map((id) => ({ cartID: id, name: `Cart ${id}` }));
  const registry = new RemoteCartRegistry({
    bus: mqtt.bus,
    identity,
    clock,
    log,
    known: derived(
      () => settings.current.carts,
      (carts) => [...carts, ...simulated],
    ),
    allowUnknown: () => settings.current.safety.allowUnknownCarts,
    siteKey,
    onReset: resets.emit.bind(resets),
    oldSessions: await rememberSession(config.dataDir, identity.sessionId, log),
  });
  registry.start();
  return { registry, onReset: resets.on.bind(resets) };
}
