import { type AddressInfo, isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Alarms } from '../../alarms/index.js';
import { type FirmwareUpdate, NO_SITE_KEY, simulatorRoutes } from '../../carts/index.js';
import type { LayoutData } from '../../console/layout/context.js';
import { changesText } from '../../console/settings/review.js';
import { settingsSchema } from '../../settings/index.js';
import { addressList } from '../../shared/addresses.js';
import type { Text } from '../../shared/messages/message.js';
import { packageRoot, packageVersion } from '../../shared/package-root.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { interlockError, shopPrincipalOf } from '../../shop/index.js';
import type { BlackBox, FirstRun, Health, RecentLosses, Trend } from '../../system/index.js';
import type { Drives } from '../composition/approach.js';
import { testBrokerSettings } from '../composition/broker.js';
import type { Carts } from '../composition/carts.js';
import type { Modules } from '../composition/modules.js';
import { isEveryAddress, isLocalOnly, localName, ownAddresses } from '../composition/own-names.js';
import type { CoreServices } from '../core-services.js';
import { openMetrics } from '../metrics/metrics.js';
import { simulatorControls } from '../simulation/controller.js';
import type { StartFacts } from '../start/banner.js';
import { listen } from '../start/start-checks.js';
import { createApp } from './app.js';
import { Https } from './https.js';

const MAX_ADDRESSES = 3;

interface WebParts {
  core: CoreServices;
  carts: Carts;
  modules: Modules;
  drives: Drives;
  firstRun: FirstRun;
  firmware: FirmwareUpdate;
  alarms: Alarms;
  controllerLosses: RecentLosses;
  blackBox: BlackBox;
  trend: Trend;
}

export function aboutGateway({ core, carts }: Pick<WebParts, 'core' | 'carts'>) {
  const { identity, link } = carts;
  const { gateway } = core.settings.current;
  return {
    name: gateway.name,
    cartID: identity.cartId,
    fleet: identity.fleet,
    simulated: link.simulated,
    version: packageVersion(),
  };
}

export function startFacts(core: CoreServices, carts: Carts, url: string): StartFacts {
  const { config, settings, access } = core;
  const { name, version, simulated } = aboutGateway({ core, carts });
  const servesAll = isEveryAddress(config.host);
  const addresses = ownAddresses().filter((address) => !address.includes(':'));
  const mdns = settings.current.gateway.announce && !isLocalOnly(config.host) ? [localName()] : [];
  const { protocol, port } = new URL(url);
  const hosts = servesAll ? addresses.slice(0, MAX_ADDRESSES) : [];
  const elsewhere = [...hosts, ...(addresses.length > 0 ? mdns : [])];
  return {
    name,
    version,
    simulated,
    url,
    controller: carts.link.view().path,
    elsewhere: elsewhere.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`),
    loginRequired: config.auth === 'required',
    dataDir: config.dataDir,
    setupUrl: access.setup.link(url),
  };
}

/** Returns the URL for other machines, preferably with a `.local` name, or else the local URL. */
export function addressForOthers({ elsewhere, url }: Pick<StartFacts, 'elsewhere' | 'url'>): string {
  return elsewhere.find((address) => address.includes('.local')) ?? elsewhere[0] ?? url;
}

export async function serve(parts: WebParts): Promise<string> {
  const { core, carts, modules, drives, firstRun, firmware, alarms, controllerLosses, blackBox, trend } =
    parts;
  const { config, closers, settings, access, clock, log } = core;
  const { publicUrl } = config.payments ?? {};
  const { sandbox, shop } = modules;
  const https = new Https(core);
  const { server, feed, driveSocket, createSecureServer } = createApp({
    ...core,
    ...carts,
    ...modules,
    ...drives,
    https,
    viewsDir: join(packageRoot(), 'views'),
    hostnames: [...config.hostnames, localName()],
    local: { isLoopbackOnly: isLocalOnly(config.host), isProxy: addressList(config.trustedProxies) },
    boxes: blackBox.incidentStore,
    alarms,
    controllerLosses,
    firstRun,
    firmware,
    trend,
    cartID: carts.identity.cartId,
    shop: {
      shop,
      principalOf: shopPrincipalOf,
      ...(sandbox ? { sandbox } : {}),
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    layout: () => layoutOf(parts),
    gateway: () => aboutGateway(parts),
    health: () => healthOf(parts, https),
    scrape: openMetrics({ core, carts, modules, alarms, about: () => aboutGateway(parts) }),
    onLinks: (listener) => onLinks(parts, listener),
    isIdle: () => !carts.cart.busy,
    testBroker: (section) =>
      testBrokerSettings(section, {
        settings,
        authorizer: carts.authorizer,
        clock,
        log,
        ownPort: carts.broker.port,
      }),
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
  const url = urlOf(core, server.address() as AddressInfo);
  closers.defer('https', () => https.close());
  https.start(createSecureServer);
  access.setup.announce(url);
  return url;
}

export function urlOf(
  { config, keyPair }: Pick<CoreServices, 'config' | 'keyPair'>,
  { port }: AddressInfo,
): string {
  const shown = isEveryAddress(config.host) ? 'localhost' : config.host;
  return `${keyPair ? 'https' : 'http'}://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`;
}

function isShopShown(menu: 'auto' | 'always' | 'never', hasGames: boolean): boolean {
  return menu === 'always' || (menu === 'auto' && hasGames);
}

function layoutOf(parts: WebParts): LayoutData {
  const { core, carts, modules } = parts;
  return {
    gateway: aboutGateway(parts),
    links: { broker: carts.bus.status(), camera: modules.camera.status() },
    carts: carts.dispatcher.near(),
    trustedLan: core.config.auth === 'trusted-lan',
    clockSynced: core.timeSync.synced(),
    trial: core.settings.trial.view(),
    trialChanges: () => changesText(settingsSchema, core.settings.trial.changes()),
    trialEnded: core.settings.trial.ended,
    hasShop: isShopShown(core.settings.current.shop.menu, modules.shop.catalogue.hasGames),
    hasMarkers: carts.markers.list().length > 0,
  };
}

function healthOf(parts: WebParts, https: Pick<Https, 'fault'>): Health {
  const { core, carts, modules, alarms } = parts;
  const { settings, store } = core;
  const { cart, link, bus } = carts;
  return {
    mode: 'full',
    overview: layoutOf(parts),
    faulty: [
      ...cart.view().faults.map(({ message }) => ({ part: 'cart', text: message })),
      { part: 'settings', text: settings.invalidReason },
      { part: 'settings', text: siteKeyFault(core) },
      { part: 'controller', text: link.ready ? '' : link.view().reason },
      { part: 'broker', text: bus.status().reason },
      { part: 'camera', text: modules.camera.fault() },
      ...alarms.faults.map((text) => ({ part: 'alarms', text })),
      { part: 'https', text: https.fault() },
      { part: 'payments', text: interlockError(store.status())?.text ?? '' },
      ...[store.status().reason, ...store.status().notices].map((text) => ({ part: 'database', text })),
    ].filter(({ text }) => text !== ''),
    settingsFaults: settings.faults,
    store: store.status(),
    uptimeS: Math.round(process.uptime()),
  };
}

function siteKeyFault({ settings, siteKey }: CoreServices): Text {
  return settings.current.limits.remoteHeartbeatMs > 0 && !siteKey ? NO_SITE_KEY : '';
}

function onLinks({ carts, modules }: WebParts, listener: () => void): Cancel {
  const cancels = [carts.bus.onStatus(() => listener()), modules.camera.source.onChange(listener)];
  return () => {
    for (const cancel of cancels) cancel();
  };
}
