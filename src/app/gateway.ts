import { messageOf } from '../shared/errors.js';
import type { CartModules } from './cart-modules.js';
import type { Config } from './config.js';
import { type AppContext, type GatewayPorts, openContext } from './context.js';
import type { ModuleList } from './module-list.js';
import { ShutdownStack } from './shutdown-stack.js';
import type { StartFacts } from './start/banner.js';

export type { GatewayPorts } from './context.js';

export interface Gateway {
  url: string;
  simulated: boolean;
  facts: StartFacts;
  /** Stops the carts and publishes OFFLINE, then closes the modules and services in reverse order. */
  close(): Promise<void>;
}

export async function openGateway(config: Config, ports: GatewayPorts): Promise<Gateway> {
  const closers = new ShutdownStack();
  const opening = openContext(config, ports, closers);
  // The modules are loaded while the store checks its file, which reduces the startup time by a quarter.
  const loading: Promise<{ MODULES: ModuleList<CartModules> }> = ports.uncleanEnds
    ? import('./stop-only/modules.js')
    : import('./modules.js');
  const [context, { MODULES }] = await Promise.all([opening, loading]);
  const modules = await MODULES.open(context, closers);
  const facts = modules.facts.atStart();
  return {
    url: facts.url,
    simulated: facts.simulated,
    facts,
    async close() {
      stopCarts(context, modules);
      await closers.closeAll((part, error) =>
        context.log.error('gateway.close_failed', { part, reason: messageOf(error) }),
      );
    },
  };
}

/** Stops the carts before any module is closed, so that a module that hangs while it closes cannot delay the stops. */
function stopCarts({ supervisor }: AppContext, { ownCart, simulatedCarts, agent }: CartModules): void {
  ownCart.cart.shutDown();
  for (const cart of simulatedCarts) cart.shutDown();
  void agent.leave();
  supervisor.stopping();
}
