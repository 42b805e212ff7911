import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { accessRoutes, loginRoutes } from '../../access/index.js';
import { type Alarms, alarmRoutes } from '../../alarms/index.js';
import type { BackupSchedule, GatewayBackups, GatewayRestore } from '../../backups/index.js';
import { type Beacons, beaconFastPath, beaconRoutes, mapRoutes } from '../../beacons/index.js';
import { type Camera, cameraLiveRoutes, cameraPhotoRoutes } from '../../camera/index.js';
import {
  ActiveDrivers,
  type BeaconReports,
  type CartName,
  commandRoutes,
  commissioningRoutes,
  DriveSocket,
  EventFeed,
  type FirmwareUpdate,
  firmwareRoutes,
  fleetRoutes,
  type ManualDrive,
  NO_SITE_KEY,
  type Origin,
  unitsFingerprint,
} from '../../carts/index.js';
import { boardRoutes } from '../../console/calibration/routes.js';
import { cameraPageRoutes } from '../../console/camera/routes.js';
import { openConsole, type ViewDeps } from '../../console/console.js';
import { docsRoutes } from '../../console/docs/routes.js';
import { historyExportRoutes } from '../../console/history/routes.js';
import { appRoutes } from '../../console/layout/app-routes.js';
import type { LayoutData } from '../../console/layout/context.js';
import { Pages } from '../../console/layout/pages.js';
import { mapPageRoutes } from '../../console/map/routes.js';
import { markersPageRoutes } from '../../console/markers/routes.js';
import { settingsChangeRoutes } from '../../console/settings/change-routes.js';
import { changesText } from '../../console/settings/change-rows.js';
import { pendingRestartText } from '../../console/settings/restart-text.js';
import type { Offer } from '../../console/settings/table.js';
import { settingsViews } from '../../console/settings/views.js';
import { shopPageRoutes } from '../../console/shop/routes.js';
import { isDevelopment, styleguideRoutes } from '../../console/styleguide/routes.js';
import { systemState } from '../../console/system/context.js';
import { systemPageRoutes } from '../../console/system/routes.js';
import { errorHandler } from '../../http/errors.js';
import { accessGuard, mayUse } from '../../http/guard/guard.js';
import { pageHeaders } from '../../http/guard/headers.js';
import { KnownCallers } from '../../http/guard/known-callers.js';
import { type LocalRules, localCheck, ownHosts, trustProxies } from '../../http/guard/origin.js';
import { policyOf } from '../../http/guard/policy.js';
import { callerActor, principalOf } from '../../http/guard/principal.js';
import { languageRoutes, pageMessages } from '../../http/language.js';
import { webMessage } from '../../http/messages.js';
import { useDrawings } from '../../http/pages.js';
import { assetsRouter, loadAssets } from '../../http/server/assets.js';
import { compressPages } from '../../http/server/compress-pages.js';
import { countRequests } from '../../http/server/count-requests.js';
import type { DeclaredRouter } from '../../http/server/declared-router.js';
import { fastExpress, type KeyPair } from '../../http/server/fast-express.js';
import { httpsRedirect } from '../../http/server/https-redirect.js';
import { RouteTable } from '../../http/server/route-table.js';
import { type Calibration, type DetectorService, navigationRoutes } from '../../navigation/index.js';
import { type FloorPlan, planRoutes, siteOriginOf } from '../../plan/index.js';
import { requirePermission, settingsApi, settingsRoutes, settingsSchema } from '../../settings/index.js';
import { cancelAll } from '../../shared/cancel-all.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { packageVersion } from '../../shared/package-root.js';
import type { Cancel } from '../../shared/ports/clock.js';
import { interlockError, shopPrincipalOf, shopRoutes } from '../../shop/index.js';
import {
  type PlanSharing,
  runRoutes,
  type SitePlan,
  siteRoutes,
  type ZoneFrame,
  type ZoneGate,
} from '../../site/index.js';
import {
  type BlackBox,
  backupRoutes,
  blackBoxRoutes,
  firstRunRoutes,
  gatewayBackupRoutes,
  gatewayRestoreRoutes,
  type Health,
  healthRoutes,
  historyPageRoutes,
  historyRoutes,
  metricsRoutes,
  type ReadyChecks,
  securityTextRoute,
  systemRoutes,
  type Trend,
  tlsRoutes,
} from '../../system/index.js';
import { type UpdateMonitor, type Updates, updateRoutes } from '../../updates/index.js';
import { APIS } from '../api/apis.js';
import type { ControllerLosses } from '../composition/alarms.js';
import type { Drives } from '../composition/approach.js';
import { type Mqtt, testBrokerSettings } from '../composition/broker.js';
import type { OwnCart } from '../composition/create-cart.js';
import type { GatewayFacts } from '../composition/facts.js';
import type { FirstRunChecklist } from '../composition/first-run.js';
import type { Positioning } from '../composition/navigation.js';
import type { SiteRuns } from '../composition/runs.js';
import type { ShopWithSandbox } from '../composition/shop.js';
import { isParked } from '../composition/updates.js';
import type { AppContext } from '../context.js';
import type { Scrape } from '../metrics/metrics.js';
import type { Https } from './https.js';

/** The Settings page offers at most this many carts, so that its size stays bounded. */
const MAX_OFFERS = 20;

function cartOffer({ cartID, name }: CartName): Offer {
  return { label: `${cartID} ${name}`, cells: [String(cartID), name] };
}

/** The modules whose routes and pages are served. */
export interface AppModules {
  facts: GatewayFacts;
  mqtt: Mqtt;
  ownCart: OwnCart;
  drive: ManualDrive;
  positioning: Positioning;
  beacons: Beacons;
  floorPlan: FloorPlan;
  sitePlan: SitePlan;
  zoneGate: ZoneGate;
  zoneFrame: ZoneFrame;
  planSharing: PlanSharing;
  beaconReports: BeaconReports;
  shop: ShopWithSandbox;
  camera: Camera;
  detector: DetectorService;
  calibration: Calibration;
  drives: Drives;
  siteRuns: SiteRuns;
  checklist: FirstRunChecklist;
  gatewayBackups: GatewayBackups;
  backupSchedule: BackupSchedule;
  firmwareUpdate: FirmwareUpdate;
  alarms: Alarms;
  losses: ControllerLosses;
  blackBox: BlackBox;
  gatewayRestore: GatewayRestore;
  updateMonitor: UpdateMonitor;
  updates: Updates;
  trend: Trend;
  scrape: Scrape;
  https: Https;
}

export interface AppOptions {
  viewsDir: string;
  hostnames: readonly string[];
  local: LocalRules;
  /** Routes that control the simulator; undefined if the gateway drives a real cart. */
  simulator: DeclaredRouter | undefined;
}

export function createApp(
  context: AppContext,
  modules: AppModules,
  { viewsDir, hostnames, local, simulator }: AppOptions,
): {
  server: Server;
  feed: EventFeed;
  driveSocket: DriveSocket;
  routes: RouteTable;
  createSecureServer: (keyPair: KeyPair) => SecureServer;
} {
  const { access, backups, clock, commissioning, history, identity, keyPair, log, logRing } = context;
  const { settings, store, supervisor } = context;
  const { alarms, beaconReports, beacons, blackBox, calibration, camera, drives, facts } = modules;
  const { firmwareUpdate, floorPlan, https, mqtt, positioning, trend } = modules;
  const { cart, dispatcher } = modules.ownCart;
  const { firstRun } = modules.checklist;
  const restore = modules.gatewayRestore;
  const { localization, markers } = positioning;
  const cartID = identity.cartId;
  const isIdle = () => !cart.busy;
  const hasZones = () => modules.sitePlan.current.zones.length > 0;
  const layoutData = () => layoutOf(context, modules);
  const health = () => healthOf(context, modules);
  const assets = loadAssets();
  const drivers = new ActiveDrivers(dispatcher);
  const pages = new Pages({ viewsDir, assetUrls: assets.urls });

  const originOf = (req: Request): Origin => ({
    source: 'http',
    gatewayId: identity.gatewayId,
    actor: callerActor(req),
  });

  const authorityOf = (req: Request) => access.authorityOf(principalOf(req));

  const state = () =>
    systemState({
      health: health(),
      tls: https.view(),
      controllerLosses: modules.losses.recent.count,
      restartNeeded: pendingRestartText(settings),
      isRestoreScheduled: backups.chosen() !== undefined,
      restore: restore.view(),
      processMetrics: context.processMonitor.read(),
      pages: feed.clients,
      viewers: camera.broadcaster.viewers,
      nowMs: clock.wallTime(),
    });
  const viewDeps: ViewDeps = {
    settings,
    dispatcher,
    drivers,
    commissioning,
    firstRun,
    firmware: firmwareUpdate,
    backups,
    gatewayBackups: modules.gatewayBackups,
    boxes: blackBox.incidentStore,
    backupSchedule: modules.backupSchedule,
    gatewayRestore: restore,
    alarms,
    https,
    access,
    logRing,
    store,
    supervisor,
    planSharing: modules.planSharing,
    layout: layoutData,
  };
  const { drawings, layout, renderError } = openConsole(viewDeps, pages, state);

  const routes = new RouteTable(policyOf(APIS));
  const isLocal = localCheck(local);
  const callers = new KnownCallers({ routes, access, isLocal, isProxy: local.isProxy });
  const { requests, fastPath } = countRequests(beaconFastPath(beacons, ownHosts(hostnames)));
  const { app, server, createSecureServer } = fastExpress({
    keyPair,
    routes,
    fastPath,
    callerOf: callers.callerOf,
  });
  const isAuthorised = (req: Request): boolean => access.isValid(principalOf(req));
  const onTrial = settings.trial.onChange.bind(settings.trial);
  const feed = new EventFeed({
    dispatcher,
    drivers,
    layout: layoutData,
    onLinks: (listener) => onLinks(modules, listener),
    onTrial,
    beaconReports,
    clock,
    firmware: firmwareUpdate,
    sitePlan: modules.sitePlan,
    zoneGate: modules.zoneGate,
    meaning: () => unitsFingerprint(settings.current),
    onSettings: settings.onChange.bind(settings),
    mayStay: (req) => access.keepAlive(principalOf(req)),
    mayReadSettings: (req) => mayUse(principalOf(req), settingsApi.routes['GET /variables.json']),
    stopToken: (req) => access.stopTokens.issue(principalOf(req)),
  });
  const driveSocket = new DriveSocket({ drive: modules.drive, access, clock, log });
  driveSocket.serve(server);
  useDrawings(app, drawings);
  trustProxies(app, local.isProxy);
  app.use(pageMessages);
  app.use(httpsRedirect({ portFor: (host) => https.portFor(host), isProxy: local.isProxy }));
  app.use(accessGuard({ access, hostnames, isLocal, callers }));
  const siteOrigin = () => siteOriginOf(floorPlan.current?.placement?.bottomLeft, beacons.southWest());
  // These routes omit the page headers.
  app.use(routes.serve(beaconRoutes({ beacons, origin: siteOrigin }), assetsRouter(assets)));
  app.use(pageHeaders);
  app.use(compressPages());
  const routers: DeclaredRouter[] = [];
  routers.push(commandRoutes({ dispatcher, drivers, originOf, authorityOf, log }));
  routers.push(languageRoutes());
  routers.push(loginRoutes({ access, log }));
  routers.push(accessRoutes(access));
  routers.push(alarmRoutes({ alarms, cartID }));
  routers.push(
    docsRoutes({
      renderDocs: () => pages.render('docs/docs', {}),
      // Imported on demand: the API documents need 30 files that no other feature uses.
      openApi: async () => (await import('../api/openapi.js')).openApi(),
      asyncApi: async () => (await import('../api/asyncapi.js')).asyncApi(),
      settingsSchema: async () => (await import('../api/openapi.js')).settingsDocument,
    }),
  );
  if (isDevelopment)
    routers.push(
      styleguideRoutes({ layout, render: (context) => pages.render('styleguide/styleguide', context) }),
    );
  routers.push(appRoutes({ assets, name: () => facts.about().name }));
  routers.push(fleetRoutes({ dispatcher, clock }));
  routers.push(historyRoutes({ history }));
  routers.push(historyPageRoutes({ history, boxes: blackBox.incidentStore, clock }));
  routers.push(historyExportRoutes({ history, layout, clock }));
  routers.push(systemRoutes({ logRing, trend }));
  routers.push(systemPageRoutes({ state }));
  const httpPort = (): number => (server.address() as AddressInfo).port;
  routers.push(tlsRoutes({ https, httpPort }), securityTextRoute(clock));
  routers.push(firmwareRoutes({ firmware: firmwareUpdate }));
  routers.push(
    commissioningRoutes({
      commissioning,
      limits: () => settings.current.limits,
      saveFootprint: (footprint, req) =>
        settings.update(
          { kinematics: { footprint } },
          { isIdle, by: callerActor(req), authorise: requirePermission(req, hasZones) },
        ),
    }),
  );
  routers.push(firstRunRoutes({ firstRun }));
  routers.push(backupRoutes({ store, backups, gatewayRestore: restore, history, cartID, log }));
  routers.push(
    gatewayBackupRoutes({
      backups: modules.gatewayBackups,
      schedule: modules.backupSchedule,
      restore,
      history,
      cartID,
    }),
  );
  routers.push(
    gatewayRestoreRoutes({
      restore,
      clock,
      restart: context.restart,
      setup: { setup: access.setup, backups: modules.gatewayBackups, restore, history, cartID },
    }),
  );
  routers.push(updateRoutes(modules.updates));
  routers.push(blackBoxRoutes({ boxes: blackBox.incidentStore, log }));
  routers.push(feed.router());
  routers.push(driveSocket.router());
  routers.push(
    healthRoutes({
      health,
      gateway: () => facts.about(),
      dispatcher,
      store,
      checks: () => checksOf(context, modules),
      isParked: () => isParked(modules),
      isStopOnly: false,
    }),
  );
  routers.push(metricsRoutes({ scrape: modules.scrape, requests, feed }));
  routers.push(
    settingsRoutes({
      settings,
      isIdle,
      hasZones,
      testBroker: (section) => testBrokerSettings(section, context, mqtt),
    }),
  );
  const offers = () => ({ '/carts': dispatcher.unlisted().slice(0, MAX_OFFERS).map(cartOffer) });
  const { restartCommand } = supervisor;
  const views = settingsViews(pages, layout, settings, { hasZones, offers, restartCommand });
  routers.push(settingsChangeRoutes({ settings, isIdle, hasZones, views }));
  routers.push(cameraPageRoutes({ camera, settings, isIdle }));
  routers.push(cameraLiveRoutes({ camera, isAuthorised, clock }));
  routers.push(cameraPhotoRoutes(camera));
  routers.push(
    mapRoutes({ beacons }),
    planRoutes({ floorPlan, guard: modules.zoneFrame, origin: siteOrigin }),
  );
  routers.push(
    mapPageRoutes({
      beacons,
      markers,
      floorPlan,
      guard: modules.zoneFrame,
      sitePlan: modules.sitePlan,
      origin: siteOrigin,
      tiles: () => settings.current.beacons,
    }),
  );
  routers.push(siteRoutes({ sitePlan: modules.sitePlan, floorPlan, zoneGate: modules.zoneGate }));
  routers.push(runRoutes({ sitePlan: modules.sitePlan, ...modules.siteRuns }));
  const senderOf = (req: Request) => drives.senderOf(originOf(req), authorityOf(req));
  routers.push(
    navigationRoutes({
      guard: modules.zoneFrame,
      markers,
      localization,
      detector: modules.detector,
      calibration,
      approach: drives.approach,
      imageSize: () => settings.current.camera,
      senderOf,
      clock,
    }),
  );
  routers.push(markersPageRoutes({ markers, localization, guard: modules.zoneFrame }));
  routers.push(boardRoutes({ calibration }));
  const { publicUrl } = context.config.payments ?? {};
  const { shop: games, sandbox } = modules.shop;
  const shop = { shop: games, sandbox, principalOf: shopPrincipalOf, publicUrl, log };
  routers.push(shopRoutes(shop));
  routers.push(shopPageRoutes(shop));
  if (simulator) routers.push(simulator);
  app.use(routes.serve(...routers));
  app.use((req) => {
    throw new GatewayError('NOT_FOUND', webMessage('nothing-there', { target: `${req.method} ${req.path}` }));
  });
  app.use(errorHandler(log, renderError));
  return {
    server,
    feed,
    driveSocket,
    routes,
    createSecureServer(pair) {
      const secure = createSecureServer(pair);
      driveSocket.serve(secure);
      return secure;
    },
  };
}

function isShopShown(menu: 'auto' | 'always' | 'never', hasGames: boolean): boolean {
  return menu === 'always' || (menu === 'auto' && hasGames);
}

function layoutOf(context: AppContext, modules: AppModules): LayoutData {
  const { config, settings, timeSync } = context;
  const { camera, facts, mqtt, ownCart, positioning, shop } = modules;
  return {
    gateway: facts.about(),
    links: { broker: mqtt.bus.status(), camera: camera.status() },
    carts: ownCart.dispatcher.near(),
    trustedLan: config.auth === 'trusted-lan',
    clockSynced: timeSync.synced(),
    trial: settings.trial.view(),
    trialChanges: () => changesText(settingsSchema, settings.trial.changes()),
    trialEnded: settings.trial.ended,
    hasShop: isShopShown(settings.current.shop.menu, shop.shop.catalogue.hasGames),
    hasMarkers: positioning.markers.list().length > 0,
  };
}

function healthOf(context: AppContext, modules: AppModules): Health {
  const { settings, store } = context;
  const { alarms, backupSchedule, camera, https, mqtt, ownCart } = modules;
  const { cart, link } = ownCart;
  const status = store.status();
  return {
    mode: 'full',
    overview: layoutOf(context, modules),
    faulty: [
      ...cart.view().faults.map(({ message }) => ({ part: 'cart', text: message })),
      { part: 'settings', text: settings.invalidReason },
      { part: 'settings', text: siteKeyFault(context) },
      { part: 'settings', text: modules.planSharing.fault },
      { part: 'settings', text: context.commissioning.fault },
      { part: 'controller', text: link.ready ? '' : link.view().reason },
      { part: 'broker', text: mqtt.bus.status().reason },
      { part: 'camera', text: camera.fault() },
      ...alarms.faults.map((text) => ({ part: 'alarms', text })),
      { part: 'gateway-backup', text: backupSchedule.fault },
      { part: 'https', text: https.fault() },
      { part: 'software', text: modules.updateMonitor.problemOf(packageVersion()) },
      { part: 'payments', text: interlockError(status)?.text ?? '' },
      ...[status.reason, ...status.notices].map((text) => ({ part: 'database', text })),
    ].filter(({ text }) => text !== ''),
    settingsFaults: settings.faults,
    store: status,
    uptimeS: Math.round(process.uptime()),
  };
}

/** The update service compares the results of these checks before and after an update. */
function checksOf({ settings, store }: AppContext, modules: AppModules): ReadyChecks {
  const { camera, mqtt, ownCart } = modules;
  const { cart, link } = ownCart;
  const { input } = cart.view().safety;
  const isUnconfirmed = link.driver?.traits.ack === 'none';
  const stop = cart.stopAck.isAcknowledged ? 'passed' : cart.stopAck.unconfirmed ? 'failed' : 'off';
  return {
    store: outcomeOf(store.status().healthy),
    settings: outcomeOf(settings.invalidReason === '' && settings.faults.length === 0),
    controller: outcomeOf(link.ready),
    stop: isUnconfirmed ? 'off' : stop,
    camera: camera.source.view().phase === 'disabled' ? 'off' : outcomeOf(camera.fault() === ''),
    broker: outcomeOf(mqtt.bus.status().connected),
    emergencyStop: input === 'off' ? 'off' : outcomeOf(input !== 'unavailable'),
  };
}

function outcomeOf(isPassed: boolean): 'passed' | 'failed' {
  return isPassed ? 'passed' : 'failed';
}

function siteKeyFault({ settings, siteKey }: AppContext): Text {
  return settings.current.limits.remoteHeartbeatMs > 0 && !siteKey ? NO_SITE_KEY : '';
}

function onLinks({ mqtt, camera }: AppModules, listener: () => void): Cancel {
  return cancelAll([mqtt.bus.onStatus(() => listener()), camera.source.onChange(listener)]);
}
