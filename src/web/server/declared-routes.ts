import type { Express } from 'express';
import type { PolicyEntry } from '../guard/policy.js';

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
