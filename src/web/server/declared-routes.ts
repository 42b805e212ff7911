import type { IncomingMessage } from 'node:http';
import type { Express, Request } from 'express';
import { Tally } from '../../shared/metric.js';
import type { PolicyEntry } from '../guard/policy.js';
import type { FastPath } from './fast-express.js';

/** What Express keeps of a route, a router or another handler. */
interface Layer {
  rawPath: unknown;
  handle: { name?: string; stack?: readonly Layer[]; router?: { stack: readonly Layer[] } };
  route?: { path: unknown; methods: Readonly<Record<string, boolean>> };
}

/** `METHOD /path` of every route, including the routes of nested routers. */
export function routesOf(app: Express): string[] {
  return routesIn((app as unknown as { router: { stack: readonly Layer[] } }).router.stack, '');
}

function routesIn(stack: readonly Layer[], above: string): string[] {
  return stack.flatMap(({ route, handle, rawPath }) => {
    if (route) {
      return Object.keys(route.methods).map(
        (method) => `${method.toUpperCase()} ${above}${String(route.path)}`,
      );
    }
    const at = rawPath === '/' ? above : `${above}${String(rawPath)}`;
    // `app.use(otherApp)` hides the routes of the other app.
    if (handle.name === 'mounted_app') return [`APP ${at || '/'}`];
    return routesIn(handle.stack ?? handle.router?.stack ?? [], at);
  });
}

/** Throws when a route of `app` has no declaration: neither access nor description nor checks would apply to it. */
export function requireDeclared(app: Express, policy: readonly PolicyEntry[]): void {
  const declared = new Set(policy.map(({ method, path }) => `${method} ${path}`));
  const missing = routesOf(app).filter((route) => !declared.has(route));
  if (missing.length > 0) throw new Error(`routes without a declaration: ${missing.join(', ')}`);
}

/**
 * Counts the answers of a server by method, route and status. What is no route of ours is `none`: no more rows than routes.
 * @returns `ahead`, which counts what the given one answers at once, and everything else when its answer closes: a
 * listener for each request costs as much as a quarter of a ready answer.
 */
export function countRequests(ahead: FastPath): { requests: Tally; ahead: FastPath } {
  const requests = new Tally();
  // One function for all answers, so that a request makes no closure; the answer is its `this`.
  function count(this: { req: IncomingMessage; statusCode: number }): void {
    const { method = '', route, baseUrl } = this.req as Request;
    requests.add(method, route ? `${baseUrl}${String(route.path)}` : 'none', String(this.statusCode));
  }
  return {
    requests,
    ahead(req, res) {
      const route = ahead(req, res);
      if (route === undefined) res.on('close', count);
      else requests.add('GET', route, '200');
      return route;
    },
  };
}
