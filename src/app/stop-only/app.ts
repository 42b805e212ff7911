import type { Request, RequestHandler } from 'express';
import { type Access, loginApi, loginRoutes } from '../../access/index.js';
import {
  ActiveDrivers,
  type CommandDispatcher,
  commandApi,
  commandRoutes,
  STOP_ONLY,
} from '../../carts/index.js';
import { addLoginPages } from '../../console/access/pages.js';
import { docsApi } from '../../console/docs/routes.js';
import type { LayoutData } from '../../console/layout/context.js';
import { errorContext, errorPageOf } from '../../console/layout/context.js';
import { templateDrawings } from '../../console/layout/drawings.js';
import { Pages } from '../../console/layout/pages.js';
import { errorHandler, failureOf, type HttpFailure } from '../../http/errors.js';
import { accessGuard } from '../../http/guard/guard.js';
import { pageHeaders } from '../../http/guard/headers.js';
import { KnownCallers } from '../../http/guard/known-callers.js';
import { type LocalRules, localCheck, safeNext, trustProxies } from '../../http/guard/origin.js';
import { type PolicyEntry, policyOf } from '../../http/guard/policy.js';
import { callerActor, principalOf, visitorOf } from '../../http/guard/principal.js';
import { inLanguageOf, pageMessages } from '../../http/language.js';
import { useDrawings } from '../../http/pages.js';
import { assetsApi, assetsRouter, loadAssets } from '../../http/server/assets.js';
import type { DeclaredRouter } from '../../http/server/declared-router.js';
import { fastExpress } from '../../http/server/fast-express.js';
import { RouteTable, routeMatchOf } from '../../http/server/route-table.js';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { type HealthDeps, healthApi, healthRoutes } from '../../system/index.js';

const SERVED: ReadonlySet<string> = new Set([
  'GET /livez',
  'GET /readyz',
  'GET /safez',
  'GET /health',
  'POST /estop',
  'POST /stop',
  'POST /stop/mine',
  'POST /carts/:cartID/stop',
  'POST /estop/reset',
  'GET /login',
  'POST /login',
  'POST /login/code',
  'POST /logout',
  'GET /assets/{*name}',
]);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const isServed = ({ method, path }: PolicyEntry): boolean => SERVED.has(`${method} ${path}`);

/** Other routes skip the login check, so that every caller receives the `STOP_ONLY` error. */
const others: PolicyEntry[] = METHODS.flatMap((method) =>
  ['/', '/{*path}'].map((path) => ({ method, path, need: 'public', answers: 'json-first' }) as const),
);
const declared: PolicyEntry[] = policyOf([commandApi, healthApi, loginApi, docsApi, assetsApi]).map(
  (route) =>
    isServed(route)
      ? route
      : { method: route.method, path: route.path, need: 'public', answers: 'json-first' },
);
const isDeclared = ({ method, path }: PolicyEntry): boolean =>
  declared.some((route) => route.method === method && route.path === path);
const policy = [...declared, ...others.filter((route) => !isDeclared(route))];

interface StopOnlyDeps extends Omit<HealthDeps, 'dispatcher'> {
  viewsDir: string;
  access: Access;
  hostnames: readonly string[];
  local: LocalRules;
  keyPair?: { cert: Buffer; key: Buffer } | undefined;
  dispatcher: CommandDispatcher;
  layout: () => LayoutData;
  gatewayId: string;
  log: Log;
}

/** Creates the server but does not start it. Routes that are not in `SERVED` return 503 `STOP_ONLY`. */
export function stopOnlyApp(
  deps: StopOnlyDeps,
): Pick<ReturnType<typeof fastExpress>, 'server' | 'createSecureServer'> {
  const { access, hostnames, keyPair, dispatcher, log } = deps;
  const assets = loadAssets();
  const pages = new Pages({ viewsDir: deps.viewsDir, assetUrls: assets.urls });
  const routes = new RouteTable(policy);
  const isLocal = localCheck(deps.local);
  const callers = new KnownCallers({ routes, access, isLocal, isProxy: deps.local.isProxy });
  const { app, server, createSecureServer } = fastExpress({
    keyPair,
    routes,
    callerOf: callers.callerOf,
  });
  trustProxies(app, deps.local.isProxy);
  app.use(pageMessages);
  app.use(accessGuard({ access, hostnames, isLocal, callers }));
  app.use(routes.serve(assetsRouter(assets)));
  app.use(pageHeaders);
  app.use(rejectOthers);
  const layout = (req: Request): LayoutData => ({
    ...deps.layout(),
    visitor: visitorOf(req),
    here: req.method === 'GET' ? safeNext(req.originalUrl) : '/',
  });
  const { drawings, add } = templateDrawings(pages, layout);
  addLoginPages(add);
  useDrawings(app, drawings);
  const routers: DeclaredRouter[] = [];
  routers.push(loginRoutes({ access, log }));
  routers.push(
    commandRoutes({
      dispatcher,
      drivers: new ActiveDrivers(dispatcher),
      originOf: (req) => ({
        source: 'http',
        gatewayId: deps.gatewayId,
        actor: callerActor(req),
      }),
      authorityOf: (req) => access.authorityOf(principalOf(req)),
      log,
    }),
  );
  routers.push(healthRoutes(deps));
  app.use(routes.serve(...routers));
  app.use(
    errorHandler(log, (req, failure) =>
      inLanguageOf(req, () => pages.render('stop-only/stop-only', stopOnlyContext(layout(req), failure))),
    ),
  );
  return { server, createSecureServer };
}

const rejectOthers: RequestHandler = (req, _res, next) => {
  const { route } = routeMatchOf(req);
  if (!route || !isServed(route)) throw stopOnlyError();
  next();
};

function stopOnlyError(): GatewayError {
  return new GatewayError(STOP_ONLY.code, STOP_ONLY.text, { hint: STOP_ONLY.hint });
}

/** Returns the data for the only page in stop-only mode, including the error of a failed stop or reset. */
function stopOnlyContext(layout: LayoutData, { status, body }: HttpFailure): object {
  const mode = errorPageOf({ status: 503, body: failureOf(stopOnlyError()).body });
  const failed =
    body.code === STOP_ONLY.code ? null : errorContext(layout, errorPageOf({ status, body })).error;
  return { ...errorContext(layout, mode), failed };
}
