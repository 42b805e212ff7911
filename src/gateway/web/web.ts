import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { simulatorRoutes } from '../../carts/http/simulator-routes.js';
import { NO_SITE_KEY } from '../../carts/mqtt/heartbeat-watch.js';
import { addressList } from '../../shared/addresses.js';
import type { Text } from '../../shared/messages/message.js';
import { packageRoot, packageVersion } from '../../shared/package-root.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { shopPrincipalOf } from '../../shop/http/principal.js';
import type { Health } from '../../system/http/health-routes.js';
import type { BlackBox } from '../../system/incidents/black-box.js';
import type { Trend } from '../../system/trends/trend.js';
import type { FrameData } from '../../web/layout/context.js';
import type { Foundation } from '../core-services.js';
import { openMetrics } from '../metrics/metrics.js';
import { tryBroker } from '../parts/broker.js';
import type { Carts } from '../parts/carts.js';
import { isLocalOnly, localName, ownAddresses } from '../parts/discovery.js';
import type { Modules } from '../parts/modules.js';
import { simulatorControls } from '../simulation/controller.js';
import type { StartFacts } from '../start/banner.js';
import { listen } from '../start/start-checks.js';
import { createApp } from './app.js';

/** Addresses for other devices in the banner. */
const MAX_ADDRESSES = 3;

/** Everything that has been opened. */
interface WebParts {
  foundation: Foundation;
  carts: Carts;
  rooms: Modules;
  blackBox: BlackBox;
  trend: Trend;
}

/** What the gateway says of itself. */
export function aboutGateway({ foundation, carts }: Pick<WebParts, 'foundation' | 'carts'>) {
  const { identity, link } = carts;
  const { gateway } = foundation.settings.current;
  return {
    name: gateway.name,
    cartID: identity.cartId,
    fleet: identity.fleet,
    simulated: link.simulated,
    version: packageVersion(),
  };
}

/** What the banner shows. @param url the URL for this machine. */
export function startFacts(foundation: Foundation, carts: Carts, url: string): StartFacts {
  const { config, settings, access } = foundation;
  const { name, version, simulated } = aboutGateway({ foundation, carts });
  const servesAll = config.host === '0.0.0.0' || config.host === '::';
  const addresses = ownAddresses().filter((address) => !address.includes(':'));
  const mdns = settings.current.gateway.announce && !isLocalOnly(config.host) ? [localName()] : [];
  const { protocol, port } = new URL(url);
  const hosts = servesAll ? addresses.slice(0, MAX_ADDRESSES) : [];
  const elsewhere = [...hosts, ...(addresses.length > 0 ? mdns : [])];
  return {
    ...{ name, version, simulated, url },
    controller: carts.link.view().path,
    elsewhere: elsewhere.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`),
    loginRequired: config.auth === 'required',
    dataDir: config.dataDir,
    setupUrl: access.setup.link(url),
  };
}

/** Serves the pages and the API; resolves with the address they are at. */
export async function serve(parts: WebParts): Promise<string> {
  const { foundation, carts, rooms, blackBox, trend } = parts;
  const { config, closers, settings, access, clock, log } = foundation;
  const { publicUrl } = config.payments ?? {};
  const { sandbox, shop } = rooms;
  const { server, feed, driveSocket } = createApp({
    ...foundation,
    ...carts,
    ...rooms,
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [...config.hostnames, localName()],
    local: { isLoopbackOnly: isLocalOnly(config.host), isProxy: addressList(config.trustedProxies) },
    boxes: blackBox.shelf,
    trend,
    shop: {
      ...{ shop, principalOf: shopPrincipalOf },
      ...(sandbox ? { sandbox } : {}),
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    frame: () => frameOf(parts),
    gateway: () => aboutGateway(parts),
    health: () => healthOf(parts),
    scrape: openMetrics({ foundation, carts, rooms, about: () => aboutGateway(parts) }),
    onLinks: (listener) => onLinks(parts, listener),
    isIdle: () => !carts.cart.busy,
    testBroker: (section) => tryBroker(section, { settings, door: carts.door, clock, log }),
    ...(carts.isSimulated ? { simulator: simulatorRoutes(simulatorControls(carts)) } : {}),
    gatewayId: carts.identity.gatewayId,
  });
  closers.defer('http', () => {
    feed.close();
    driveSocket.close();
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config);
  const url = urlOf(foundation, server.address() as AddressInfo);
  access.setup.announce(url);
  return url;
}

/** The address of the server for this machine. */
export function urlOf(
  { config, keyPair }: Pick<Foundation, 'config' | 'keyPair'>,
  { port }: AddressInfo,
): string {
  const shown = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return `${keyPair ? 'https' : 'http'}://${shown}:${port}`;
}

function frameOf(parts: WebParts): FrameData {
  const { foundation, carts, rooms } = parts;
  return {
    gateway: aboutGateway(parts),
    links: { broker: carts.bus.status(), camera: rooms.camera.status() },
    carts: carts.dispatcher.near(),
    trustedLan: foundation.config.auth === 'trusted-lan',
    clockSynced: foundation.timeSync.synced(),
    trial: foundation.settings.trial.view(),
  };
}

function healthOf(parts: WebParts): Health {
  const { foundation, carts, rooms } = parts;
  const { settings, store } = foundation;
  const { cart, link, bus } = carts;
  return {
    mode: 'full',
    frame: frameOf(parts),
    faulty: [
      ...cart.view().faults.map(({ message }) => ({ part: 'cart', text: message })),
      { part: 'settings', text: settings.invalidReason },
      { part: 'settings', text: siteKeyFault(foundation) },
      { part: 'controller', text: link.ready ? '' : link.view().reason },
      { part: 'broker', text: bus.status().reason },
      { part: 'camera', text: rooms.camera.fault() },
      ...[store.status().reason, ...store.status().notices].map((text) => ({ part: 'database', text })),
    ].filter(({ text }) => text !== ''),
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  };
}

function siteKeyFault({ settings, siteKey }: Foundation): Text {
  return settings.current.limits.remoteHeartbeatMs > 0 && !siteKey ? NO_SITE_KEY : '';
}

/** Calls back whenever a link of the frame changes, beside the cart's own. */
function onLinks({ carts, rooms }: WebParts, listener: () => void): Cancel {
  const cancels = [carts.bus.onStatus(() => listener()), rooms.camera.source.onChange(listener)];
  return () => {
    for (const cancel of cancels) cancel();
  };
}
