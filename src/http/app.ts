import type { Server } from 'node:http';
import type { Request, Router } from 'express';
import type { Beacons } from '../beacons/registry.js';
import type { Desk } from '../carts/desk.js';
import type { Origin } from '../carts/model.js';
import type { Sightings } from '../carts/sightings.js';
import type { History } from '../ops/history.js';
import type { Cancel, Clock, Log, Store } from '../ports.js';
import { settingsSchema } from '../settings/schema.js';
import type { SettingsRoom } from '../settings/settings.js';
import { GatewayError } from '../util/errors.js';
import { assetsRouter, loadAssets } from './assets.js';
import { beaconRoutes } from './beacon-routes.js';
import { commandRoutes } from './command-routes.js';
import {
  brokerSettingsContext,
  cameraContext,
  errorContext,
  type FrameData,
  indexContext,
  type Notice,
  type Outcome,
} from './context.js';
import { errorHandler, type HttpFailure } from './errors.js';
import { EventFeed } from './events.js';
import { fastExpress } from './fast-express.js';
import { type Health, healthRoutes } from './health-routes.js';
import { historyRoutes } from './history-routes.js';
import { Pages } from './pages.js';
import { settingsForm } from './settings-form.js';
import { type SettingsRoutesDeps, settingsRoutes } from './settings-routes.js';

const COMMANDS_SHOWN = 20;

export interface AppDeps {
  viewsDir: string;
  desk: Desk;
  settings: SettingsRoom;
  store: Store;
  history: History;
  beacons: Beacons;
  frame: () => FrameData;
  gateway: () => FrameData['gateway'];
  health: () => Health;
  onLinks: (listener: () => void) => Cancel;
  sightings: Sightings;
  isIdle: () => boolean;
  testBroker: SettingsRoutesDeps['testBroker'];
  /** Routes that exist only while the controller is simulated. */
  simulator?: Router;
  gatewayId: string;
  clock: Clock;
  log: Log;
}

/** Every middleware and router, in order. The answer's server is not listening yet. */
export function createApp(deps: AppDeps): { server: Server; feed: EventFeed } {
  const { desk, settings, frame, log } = deps;
  const assets = loadAssets();
  const pages = new Pages({ viewsDir: deps.viewsDir, assetUrls: assets.urls });

  const renderIndex = (outcome?: Outcome, entered?: Record<string, unknown>): string => {
    const { limits, units, kinematics, presets } = settings.current;
    const commands = desk.newest(COMMANDS_SHOWN).map((command) => command.view());
    const input = { commands, limits, units, kinematics, presets };
    return pages.render(
      'index',
      indexContext(frame(), { ...input, ...(outcome ? { outcome } : {}), ...(entered ? { entered } : {}) }),
    );
  };
  const renderSettings: SettingsRoutesDeps['renderSettings'] = (notice, retry) => {
    const form = settingsForm(settingsSchema, settings.masked(), retry);
    return pages.render('brokerSettings', brokerSettingsContext(frame(), form, notice));
  };
  const renderCamera = (notice?: Notice): string =>
    pages.render('cameraSettings', cameraContext(frame(), notice));
  const renderError = ({ status, body }: HttpFailure): string => {
    const { error: title, message, code, hint } = body;
    return pages.render(
      'error',
      errorContext(frame(), { status, title, message, code, ...(hint ? { hint } : {}) }),
    );
  };
  const originOf = (_req: Request): Origin => ({
    source: 'http',
    gatewayId: deps.gatewayId,
    principal: 'the operator',
  });

  const { app, server } = fastExpress();
  const feed = new EventFeed(deps);
  // First, and without the headers of pages: the busiest routes.
  app.use(beaconRoutes(deps));
  app.use('/assets', assetsRouter(assets));
  app.use((_req, res, next) => {
    res.setHeader('content-security-policy', CSP);
    res.setHeader('x-content-type-options', 'nosniff');
    next();
  });
  app.use(commandRoutes({ desk, originOf, renderIndex }));
  app.use(historyRoutes(deps));
  app.use(feed.router());
  app.use(healthRoutes(deps.health, deps.gateway));
  app.use(
    settingsRoutes({
      settings,
      isIdle: deps.isIdle,
      testBroker: deps.testBroker,
      renderIndex,
      renderSettings,
    }),
  );
  const noCamera = {
    ok: false,
    title: 'No camera yet',
    message: 'This gateway has no camera routine yet. No picture was taken.',
  };
  app.get('/cameraSettings', (_req, res) => void res.type('html').send(renderCamera()));
  app.get('/runCamera', (_req, res) => void res.type('html').send(renderCamera(noCamera)));
  if (deps.simulator) app.use(deps.simulator);
  app.use((req) => {
    throw new GatewayError('NOT_FOUND', `there is nothing at ${req.method} ${req.path}`);
  });
  app.use(errorHandler(log, renderError));
  return { server, feed };
}

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
