import type { IncomingMessage } from 'node:http';
import type { Express, Request } from 'express';
import { Tally } from '../../shared/metric.js';
import type { PolicyEntry } from '../guard/policy.js';
import type { FastPath } from './fast-express.js';
import { routeMatchOf } from './route-table.js';
import { compare } from './shadow.js';

/** Express's internal record of a route, router or handler. */
interface Layer {
  rawPath: unknown;
  handle: { name?: string; stack?: readonly Layer[]; router?: { stack: readonly Layer[] } };
  route?: { path: unknown; methods: Readonly<Record<string, boolean>> };
}

/** Returns `METHOD /path` for every route, including nested routers. */
export function routesOf(app: Express): string[] {
  return routesIn((app as unknown as { router: { stack: readonly Layer[] } }).router.stack, '');
}

function routesIn(stack: readonly Layer[], above: string): string[] {
  return stack.flatMap(({ route, handle, rawPath }) => {
    // Outside of its router, Express reports the route of a missing asset without the path of the router.
    if (route && route.path !== '/{*name}') {
      return Object.keys(route.methods).map(
        (method) => `${method.toUpperCase()} ${above}${String(route.path)}`,
      );
    }
    const at = rawPath === '/' ? above : `${above}${String(rawPath)}`;
    // The routes of an app mounted with `app.use(otherApp)` cannot be listed.
    if (handle.name === 'mounted_app') return [`APP ${at || '/'}`];
    return routesIn(handle.stack ?? handle.router?.stack ?? [], at);
  });
}

/** Throws if a route is not declared: no access rule, description or check would apply to it. */
export function requireDeclared(app: Express, policy: readonly PolicyEntry[]): void {
  const declared = new Set(policy.map(({ method, path }) => `${method} ${path}`));
  const missing = routesOf(app).filter((route) => !declared.has(route));
  if (missing.length > 0) throw new Error(`undeclared routes: ${missing.join(', ')}`);
}

/**
 * Counts responses by method, route and status, with unknown routes as `none`. Counts fast responses
 * directly, because a listener per request would take a quarter of their time.
 * @returns the tally and the wrapped fast path.
 */
export function countRequests(fastPath: FastPath): { requests: Tally; fastPath: FastPath } {
  const requests = new Tally();
  // One function for all responses avoids a closure per request; `this` is the response.
  function count(this: { req: IncomingMessage; statusCode: number }): void {
    const { method = '', route, baseUrl } = this.req as Request;
    // Outside of its router, Express reports the route of a missing asset without the path of the router.
    if (route && route.path !== '/{*name}') {
      const now = routeMatchOf(this.req).route?.path;
      compare(undefined, 'handler', {
        now,
        before: `${baseUrl}${String(route.path)}`,
        of: `${method} ${this.req.url}`,
      });
    }
    requests.add(method, route ? `${baseUrl}${String(route.path)}` : 'none', String(this.statusCode));
  }
  return {
    requests,
    fastPath(req, res) {
      const route = fastPath(req, res);
      if (route === undefined) res.on('close', count);
      else requests.add('GET', route, '200');
      return route;
    },
  };
}
