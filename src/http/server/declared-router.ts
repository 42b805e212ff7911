import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { RouteName } from '../guard/policy.js';
import type { Api, Operation } from '../openapi/types.js';
import { bodyReaders } from './bodies.js';

type PathOf<Name extends string> = Name extends `${string} ${infer Path}` ? Path : never;

/** The routes of one or more APIs. */
type NamesOf<A> = A extends { routes: infer Routes } ? Extract<keyof Routes, RouteName> : never;

type ParameterOf<Path extends string> = Path extends `${string}:${infer Parameter}/${infer Rest}`
  ? Parameter | ParameterOf<`/${Rest}`>
  : Path extends `${string}:${infer Parameter}`
    ? Parameter
    : never;

type Parameters<Name extends string> = { [Parameter in ParameterOf<PathOf<Name>>]: string };

/** Handlers of requests, and possibly handlers of their errors. */
interface Mount<Name extends RouteName> {
  <N extends Name>(name: N, ...handlers: readonly RequestHandler<Parameters<N>>[]): void;
  <N extends Name>(
    name: N,
    ...handlers: readonly (RequestHandler<Parameters<N>> | ErrorRequestHandler<Parameters<N>>)[]
  ): void;
}

/** The handlers of declared routes. Nothing else mounts handlers, so every handler has an access rule. */
export interface DeclaredRouter<Name extends RouteName = RouteName> {
  /** Mounts the handlers of a route behind readers of the body that the route declares. */
  readonly on: Mount<Name>;
  /** Like `on`, for handlers that read the body themselves, for example an uploaded file. */
  readonly onRawBody: Mount<Name>;
  /** Mounts the routes of another router. Throws if one of them is mounted already. */
  use(other: DeclaredRouter): void;
  /** The handler of each route, which ignores requests that Express does not match with the route. */
  readonly routes: ReadonlyMap<RouteName, RequestHandler>;
}

/**
 * Modules mount their handlers here. A route that none of these APIs declares does not compile.
 * `RouteTable.serve` passes requests to the handlers.
 */
export function routerOf<const A extends readonly Api[]>(...apis: A): DeclaredRouter<NamesOf<A[number]>> {
  const declared = new Map<string, Operation>(apis.flatMap(({ routes }) => Object.entries(routes)));
  const routes = new Map<RouteName, RequestHandler>();
  const add = (name: RouteName, handler: RequestHandler): void => {
    if (routes.has(name)) throw new Error(`${name} is mounted twice`);
    routes.set(name, handler);
  };
  const mount = (name: RouteName, handlers: readonly (RequestHandler | ErrorRequestHandler)[]): void => {
    const [method = '', path = ''] = name.split(' ');
    const router = Router();
    router[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](path, ...handlers);
    add(name, router);
  };
  const on = (name: RouteName, ...handlers: readonly RequestHandler[]): void => {
    const operation = declared.get(name);
    if (!operation) throw new Error(`undeclared route: ${name}`);
    mount(name, [...bodyReaders(operation), ...handlers]);
  };
  const onRawBody = (name: RouteName, ...handlers: readonly RequestHandler[]): void => mount(name, handlers);
  return {
    on: on as Mount<RouteName>,
    onRawBody: onRawBody as Mount<RouteName>,
    use(other) {
      for (const [name, handler] of other.routes) add(name, handler);
    },
    routes,
  };
}
