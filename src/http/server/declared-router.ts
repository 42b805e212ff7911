import { type IRouterMatcher, type RequestHandler, Router } from 'express';
import type { RouteName } from '../guard/policy.js';

/** Only these methods mount a handler, so that every handler is known by the name of its route. */
export interface DeclaredRouter {
  readonly get: IRouterMatcher<void>;
  readonly post: IRouterMatcher<void>;
  readonly put: IRouterMatcher<void>;
  readonly patch: IRouterMatcher<void>;
  readonly delete: IRouterMatcher<void>;
  /** Mounts the routes of another router. Throws if one of them is mounted already. */
  use(other: DeclaredRouter): void;
  /** The handler of each route, which ignores requests that Express does not match with the route. */
  readonly routes: ReadonlyMap<RouteName, RequestHandler>;
}

/** The modules mount their handlers here. `RouteTable.serve` passes requests to the handlers. */
export function declaredRouter(): DeclaredRouter {
  const routes = new Map<RouteName, RequestHandler>();
  const add = (name: RouteName, handler: RequestHandler): void => {
    if (routes.has(name)) throw new Error(`${name} is mounted twice`);
    routes.set(name, handler);
  };
  const matcher = (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): IRouterMatcher<void> =>
    ((path: `/${string}`, ...handlers: RequestHandler[]) => {
      const router = Router();
      router[method](path, ...handlers);
      add(`${method.toUpperCase()} ${path}` as RouteName, router);
    }) as IRouterMatcher<void>;
  return {
    get: matcher('get'),
    post: matcher('post'),
    put: matcher('put'),
    patch: matcher('patch'),
    delete: matcher('delete'),
    use(other) {
      for (const [name, handler] of other.routes) add(name, handler);
    },
    routes,
  };
}
