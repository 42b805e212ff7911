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
  /** Makes the world safe first (cart stopped, OFFLINE published), then closes what was opened, last first. */
  close(): Promise<void>;
}

/** Opens the ports, builds the modules, wires them and serves. */
export async function openGateway(config: Config, ports: GatewayPorts): Promise<Gateway> {
  const closers = new ShutdownStack();
  const opening = openCoreServices(config, ports, closers);
  // The code of the modules is read while the store looks through its file: a quarter of the start.
  const loading = ports.uncleanEnds ? import('./stop-only/stop-only.js') : import('./build-gateway.js');
  const [core, { buildGateway }] = await Promise.all([opening, loading]);
  const { facts, shutDown } = await buildGateway(core);
  return {
    url: facts.url,
    simulated: facts.simulated,
    facts,
    async close() {
      // First the world is made safe: whatever hangs later, the cart has been told to stop.
      shutDown();
      await closers.closeAll((part, error) =>
        core.log.error('gateway.close_failed', { part, reason: messageOf(error) }),
      );
    },
  };
}
