import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { STOP_ONLY } from '../../carts/index.js';
import type { LayoutData } from '../../console/layout/context.js';
import { addressList } from '../../shared/addresses.js';
import { packageRoot } from '../../shared/package-root.js';
import { BlackBox, type Health } from '../../system/index.js';
import type { BuiltGateway } from '../build-gateway.js';
import { type Carts, openCarts } from '../composition/carts.js';
import { isLocalOnly, localName } from '../composition/own-names.js';
import { reportToSupervisor } from '../composition/supervision.js';
import type { CoreServices } from '../core-services.js';
import { listen } from '../start/start-checks.js';
import { Https } from '../web/https.js';
import { aboutGateway, startFacts, urlOf } from '../web/web.js';
import { stopOnlyApp } from './app.js';

const CAMERA_OFF = { tone: 'quiet', text: 'Off', reason: '', simulated: false } as const;

/** Builds a gateway that rejects motion but forwards stops through the external broker, if any. */
export async function buildGateway(core: CoreServices): Promise<BuiltGateway> {
  const { config, closers, clock, log, supervisor, settings } = core;
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const carts = await openCarts(core, blackBox);
  const https = new Https(core);
  const { server, createSecureServer } = stopOnlyApp({
    ...core,
    ...carts,
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [...config.hostnames, localName()],
    local: { isLoopbackOnly: isLocalOnly(config.host), isProxy: addressList(config.trustedProxies) },
    gateway: () => aboutGateway({ core, carts }),
    layout: () => layoutOf(core, carts),
    health: () => healthOf(core, carts),
    gatewayId: carts.identity.gatewayId,
  });
  closers.defer('http', () => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config);
  closers.defer('https', () => https.close());
  // Pages opened over HTTPS send their stops to the HTTPS server.
  https.start(createSecureServer);
  const url = urlOf(core, server.address() as AddressInfo);
  reportToSupervisor({ ...core, cart: carts.cart }, url);
  if (settings.current.mqtt.broker === 'external') void carts.broker.open();
  return {
    facts: startFacts(core, carts, url),
    shutDown() {
      carts.shutDown();
      supervisor.stopping();
    },
  };
}

function layoutOf(core: CoreServices, carts: Carts): LayoutData {
  return {
    gateway: aboutGateway({ core, carts }),
    links: { broker: carts.bus.status(), camera: CAMERA_OFF },
    carts: carts.dispatcher.near(),
    trustedLan: core.config.auth === 'trusted-lan',
    clockSynced: core.timeSync.synced(),
  };
}

function healthOf(core: CoreServices, carts: Carts): Health {
  const { settings, store } = core;
  return {
    mode: 'stop-only',
    overview: layoutOf(core, carts),
    faulty: [{ part: 'stop-only', text: STOP_ONLY.text }],
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  };
}
