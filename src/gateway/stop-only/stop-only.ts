import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { STOP_ONLY } from '../../carts/safety/safety.js';
import { addressList } from '../../shared/addresses.js';
import { packageRoot } from '../../shared/package-root.js';
import type { Health } from '../../system/http/health-routes.js';
import { BlackBox } from '../../system/incidents/black-box.js';
import type { FrameData } from '../../web/layout/context.js';
import type { Building } from '../build-gateway.js';
import type { Foundation } from '../core-services.js';
import { type Carts, openCarts } from '../parts/carts.js';
import { isLocalOnly, localName } from '../parts/discovery.js';
import { reportToSupervisor } from '../parts/supervision.js';
import { listen } from '../start/start-checks.js';
import { aboutGateway, startFacts, urlOf } from '../web/web.js';
import { stopOnlyApp } from './app.js';

const CAMERA_OFF = { tone: 'quiet', text: 'Off', reason: '', simulated: false } as const;

/**
 * Builds the gateway of stop-only mode: the own cart, which does not move, and the stops. A broker of its own, the camera,
 * the shop, the beacons, the black box and the announcement stay closed. An external broker is connected to, because the
 * stops of other carts go through it.
 */
export async function build(foundation: Foundation): Promise<Building> {
  const { config, closers, clock, log, supervisor, settings } = foundation;
  const blackBox = new BlackBox({ dir: join(config.dataDir, 'black-box'), clock, log });
  const carts = await openCarts(foundation, blackBox);
  const server = stopOnlyApp({
    ...foundation,
    ...carts,
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [...config.hostnames, localName()],
    local: { isLoopbackOnly: isLocalOnly(config.host), isProxy: addressList(config.trustedProxies) },
    gateway: () => aboutGateway({ foundation, carts }),
    frame: () => frameOf(foundation, carts),
    health: () => healthOf(foundation, carts),
    gatewayId: carts.identity.gatewayId,
  });
  closers.defer('http', () => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config);
  const url = urlOf(foundation, server.address() as AddressInfo);
  reportToSupervisor({ ...foundation, ...carts }, url);
  if (settings.current.mqtt.broker === 'external') void carts.broker.open();
  return {
    facts: startFacts(foundation, carts, url),
    shutDown() {
      carts.shutDown();
      supervisor.stopping();
    },
  };
}

function frameOf(foundation: Foundation, carts: Carts): FrameData {
  return {
    gateway: aboutGateway({ foundation, carts }),
    links: { broker: carts.bus.status(), camera: CAMERA_OFF },
    carts: carts.dispatcher.near(),
    trustedLan: foundation.config.auth === 'trusted-lan',
    clockSynced: foundation.timeSync.synced(),
  };
}

function healthOf(foundation: Foundation, carts: Carts): Health {
  const { settings, store } = foundation;
  return {
    mode: 'stop-only',
    frame: frameOf(foundation, carts),
    faulty: [{ part: 'stop-only', text: STOP_ONLY.text }],
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  };
}
