import { messageOf } from '../shared/errors.js';
import { ShutdownStack } from '../shared/shutdown-stack.js';
import type { Config } from './config.js';
import { type GatewayPorts, openCoreServices } from './core-services.js';
import type { StartFacts } from './start/banner.js';

export type { GatewayPorts } from './core-services.js';

export interface Gateway {
  url: string;
  simulated: boolean;
  facts: StartFacts;
  /** Stops the carts and publishes OFFLINE, then closes all services in reverse order. */
  close(): Promise<void>;
}

export async function openGateway(config: Config, ports: GatewayPorts): Promise<Gateway> {
  const closers = new ShutdownStack();
  const opening = openCoreServices(config, ports, closers);
  // The modules are loaded while the store checks its file, which reduces the startup time by a quarter.
  const loading = ports.uncleanEnds ? import('./stop-only/stop-only.js') : import('./build-gateway.js');
  const [core, { buildGateway }] = await Promise.all([opening, loading]);
  const { facts, shutDown } = await buildGateway(core);
  return {
    url: facts.url,
    simulated: facts.simulated,
    facts,
    async close() {
      // Stops the cart first, so that a later step that hangs cannot delay the stop.
      shutDown();
      await closers.closeAll((part, error) =>
        core.log.error('gateway.close_failed', { part, reason: messageOf(error) }),
      );
    },
  };
}
