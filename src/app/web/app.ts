import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Request } from 'express';
import { type Access, accessRoutes, loginRoutes } from '../../access/index.js';
import { alarmRoutes } from '../../alarms/index.js';
import { beaconFastPath, beaconRoutes, mapRoutes, siteOriginOf } from '../../beacons/index.js';
import { cameraLiveRoutes, cameraPhotoRoutes } from '../../camera/index.js';
import {
  ActiveDrivers,
  type CartName,
  commandRoutes,
  commissioningRoutes,
  DriveSocket,
  EventFeed,
  firmwareRoutes,
  fleetRoutes,
  type ManualDrive,
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
import { pendingRestartText } from '../../console/settings/restart-text.js';
import type { Offer } from '../../console/settings/table.js';
import { settingsViews } from '../../console/settings/views.js';
import { type ShopPagesDeps, shopPageRoutes } from '../../console/shop/routes.js';
import { isDevelopment, styleguideRoutes } from '../../console/styleguide/routes.js';
import { systemState } from '../../console/system/context.js';
import { systemPageRoutes } from '../../console/system/routes.js';
import { errorHandler } from '../../http/errors.js';
import { accessGuard } from '../../http/guard/guard.js';
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
import { type NavigationRoutesDeps, navigationRoutes } from '../../navigation/index.js';
import { type SettingsRoutesDeps, settingsRoutes } from '../../settings/index.js';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { shopRoutes } from '../../shop/index.js';
import {
  backupRoutes,
  blackBoxRoutes,
  firstRunRoutes,
  type Health,
  type History,
  healthRoutes,
  historyPageRoutes,
  historyRoutes,
  type LogRing,
  type MetricsRoutesDeps,
  metricsRoutes,
  type ProcessMonitor,
  type RecentLosses,
  systemRoutes,
  type Trend,
  tlsRoutes,
} from '../../system/index.js';
import { APIS } from '../api/apis.js';
import type { Drives } from '../composition/approach.js';
import type { Modules } from '../composition/modules.js';
import type { Https } from './https.js';

/** The Settings page offers at most this many carts, so that its size stays bounded. */
const MAX_OFFERS = 20;

function cartOffer({ cartID, name }: CartName): Offer {
  return { label: `${cartID} ${name}`, cells: [String(cartID), name] };
}

type Parts = Drives &
  Omit<NavigationRoutesDeps, 'imageSize' | 'senderOf'> &
  Pick<Modules, 'beacons' | 'beaconReports' | 'floorPlan' | 'camera'>;

export interface AppDeps extends Omit<ViewDeps, 'drivers'>, Parts {
  viewsDir: string;
  access: Access;
  hostnames: readonly string[];
  local: LocalRules;
  https: Https;
  /** If set, the main port serves HTTPS. */
  keyPair?: { cert: Buffer; key: Buffer } | undefined;
  drive: ManualDrive;
  store: Store;
  logRing: LogRing;
  processMonitor: ProcessMonitor;
  trend: Trend;
  history: History;
  shop: Omit<ShopPagesDeps, 'log'>;
  gateway: () => LayoutData['gateway'];
  health: () => Health;
  controllerLosses: Pick<RecentLosses, 'count'>;
  isStopOnly: boolean;
  scrape: MetricsRoutesDeps['scrape'];
  onLinks: (listener: () => void) => Cancel;
  isIdle: () => boolean;
  testBroker: SettingsRoutesDeps['testBroker'];
  simulator?: DeclaredRouter;
  gatewayId: string;
  cartID: number;
  clock: Clock;
  log: Log;
}

export function createApp(deps: AppDeps): {
  server: Server;
  feed: EventFeed;
  driveSocket: DriveSocket;
  routes: RouteTable;
  createSecureServer: (keyPair: KeyPair) => SecureServer;
} {
  const { dispatcher, settings, log } = deps;
  const { access, hostnames, keyPair, https } = deps;
  const assets = loadAssets();
  const drivers = new ActiveDrivers(dispatcher);
  const pages = new Pages({ viewsDir: deps.viewsDir, assetUrls: assets.urls });

  const originOf = (req: Request): Origin => ({
    source: 'http',
    gatewayId: deps.gatewayId,
    actor: callerActor(req),
  });

  const authorityOf = (req: Request) => deps.access.authorityOf(principalOf(req));

  const state = () =>
    systemState({
      health: deps.health(),
      tls: https.view(),
      controllerLosses: deps.controllerLosses.count,
      restartNeeded: pendingRestartText(settings),
      isRestoreScheduled: deps.backups.chosen() !== undefined,
      processMetrics: deps.processMonitor.read(),
      pages: feed.clients,
      viewers: deps.camera.broadcaster.viewers,
      nowMs: deps.clock.wallTime(),
    });
  const { drawings, layout, renderError } = openConsole({ ...deps, drivers }, pages, state);

  const routes = new RouteTable(policyOf(APIS));
  const isLocal = localCheck(deps.local);
  const callers = new KnownCallers({ routes, access, isLocal, isProxy: deps.local.isProxy });
  const { requests, fastPath } = countRequests(beaconFastPath(deps.beacons, ownHosts(hostnames)));
  const { app, server, createSecureServer } = fastExpress({
    keyPair,
    routes,
    fastPath,
    callerOf: callers.callerOf,
  });
  const isAuthorised = (req: Request): boolean => access.isValid(principalOf(req));
  const { onLinks, beaconReports, clock } = deps;
  const onTrial = settings.trial.onChange.bind(settings.trial);
  const feed = new EventFeed({
    dispatcher,
    drivers,
    layout: deps.layout,
    onLinks,
    onTrial,
    beaconReports,
    clock,
    firmware: deps.firmware,
    meaning: () => unitsFingerprint(settings.current),
    onSettings: settings.onChange.bind(settings),
    mayStay: (req) => access.keepAlive(principalOf(req)),
    stopToken: (req) => access.stopTokens.issue(principalOf(req)),
  });
  const driveSocket = new DriveSocket(deps);
  driveSocket.serve(server);
  useDrawings(app, drawings);
  trustProxies(app, deps.local.isProxy);
  app.use(pageMessages);
  app.use(httpsRedirect({ portFor: (host) => https.portFor(host), isProxy: deps.local.isProxy }));
  app.use(accessGuard({ access, hostnames, isLocal, callers }));
  const { beacons, floorPlan } = deps;
  const siteOrigin = () => siteOriginOf(floorPlan.current?.placement?.bottomLeft, beacons.southWest());
  // These routes omit the page headers.
  app.use(routes.serve(beaconRoutes({ beacons, origin: siteOrigin }), assetsRouter(assets)));
  app.use(pageHeaders);
  app.use(compressPages());
  const routers: DeclaredRouter[] = [];
  routers.push(commandRoutes({ dispatcher, drivers, originOf, authorityOf }));
  routers.push(languageRoutes());
  const { alarms, camera } = deps;
  routers.push(loginRoutes({ access, log }));
  routers.push(accessRoutes(access));
  routers.push(alarmRoutes({ alarms, cartID: deps.cartID }));
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
  routers.push(appRoutes({ assets, name: () => deps.gateway().name }));
  routers.push(fleetRoutes({ dispatcher, clock }));
  routers.push(historyRoutes(deps));
  routers.push(historyPageRoutes({ history: deps.history, boxes: deps.boxes, clock }));
  routers.push(historyExportRoutes({ history: deps.history, layout, clock }));
  routers.push(systemRoutes(deps));
  routers.push(systemPageRoutes({ state }));
  const httpPort = (): number => (server.address() as AddressInfo).port;
  routers.push(tlsRoutes({ https, httpPort }));
  routers.push(firmwareRoutes({ firmware: deps.firmware }));
  routers.push(commissioningRoutes(deps));
  routers.push(firstRunRoutes(deps));
  routers.push(
    backupRoutes({
      store: deps.store,
      backups: deps.backups,
      history: deps.history,
      cartID: deps.cartID,
      log,
    }),
  );
  routers.push(blackBoxRoutes({ boxes: deps.boxes, log }));
  routers.push(feed.router());
  routers.push(driveSocket.router());
  routers.push(healthRoutes(deps));
  routers.push(metricsRoutes({ scrape: deps.scrape, requests, feed }));
  routers.push(settingsRoutes({ settings, isIdle: deps.isIdle, testBroker: deps.testBroker }));
  const offers = () => ({ '/carts': dispatcher.unlisted().slice(0, MAX_OFFERS).map(cartOffer) });
  const { restartCommand } = deps.supervisor;
  const views = settingsViews(pages, layout, settings, { offers, restartCommand });
  routers.push(settingsChangeRoutes({ settings, isIdle: deps.isIdle, views }));
  routers.push(cameraPageRoutes({ camera, settings, isIdle: deps.isIdle }));
  routers.push(cameraLiveRoutes({ camera, isAuthorised, clock }));
  routers.push(cameraPhotoRoutes(camera));
  routers.push(mapRoutes({ beacons, floorPlan, origin: siteOrigin }));
  routers.push(
    mapPageRoutes({ beacons, floorPlan, origin: siteOrigin, tiles: () => settings.current.beacons }),
  );
  const senderOf = (req: Request) => deps.senderOf(originOf(req), authorityOf(req));
  routers.push(navigationRoutes({ ...deps, imageSize: () => settings.current.camera, senderOf }));
  routers.push(markersPageRoutes(deps));
  routers.push(boardRoutes(deps));
  routers.push(shopRoutes({ ...deps.shop, log }));
  routers.push(shopPageRoutes({ ...deps.shop, log }));
  if (deps.simulator) routers.push(deps.simulator);
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
