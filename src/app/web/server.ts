import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { simulatorRoutes } from '../../carts/index.js';
import { addressList } from '../../shared/addresses.js';
import { packageRoot } from '../../shared/package-root.js';
import { isEveryAddress, isLocalOnly, localName } from '../composition/own-names.js';
import type { AppContext } from '../context.js';
import { type SimulatedModules, simulatorControls } from '../simulation/controller.js';
import { listen } from '../start/start-checks.js';
import { type AppModules, type AppOptions, createApp } from './app.js';

/** Returns the options of the app that also apply in stop-only mode. */
export function serverOptions({ config }: AppContext): Omit<AppOptions, 'simulator'> {
  return {
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [...config.hostnames, localName()],
    local: { isLoopbackOnly: isLocalOnly(config.host), isProxy: addressList(config.trustedProxies) },
  };
}

export interface HttpServer {
  close(): void;
}

/** Serves the API and the pages. Sets the URL of `facts`. */
export async function openServer(
  context: AppContext,
  modules: AppModules & SimulatedModules,
): Promise<HttpServer> {
  const { facts, https, line } = modules;
  const simulator = line.isSimulated ? simulatorRoutes(simulatorControls(modules)) : undefined;
  const options = { ...serverOptions(context), simulator };
  const { server, feed, driveSocket, createSecureServer } = createApp(context, modules, options);
  await listen(server, context.config);
  facts.url = urlOf(context, server.address() as AddressInfo);
  https.start(createSecureServer);
  context.access.setup.announce(facts.url);
  return {
    close() {
      feed.close();
      driveSocket.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

export function urlOf(
  { config, keyPair }: Pick<AppContext, 'config' | 'keyPair'>,
  { port }: AddressInfo,
): string {
  const shown = isEveryAddress(config.host) ? 'localhost' : config.host;
  return `${keyPair ? 'https' : 'http'}://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
}
