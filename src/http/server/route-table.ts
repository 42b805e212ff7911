import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { PolicyEntry, RouteName } from '../guard/policy.js';
import type { DeclaredRouter } from './declared-router.js';
import { originForm } from './request-head.js';

/** The result of matching a request with the route table. */
export interface RouteMatch {
  /** Undefined if no route is declared for the method and the path. */
  readonly route: PolicyEntry | undefined;
  /** The methods of the path's routes, in the order of their declaration. */
  readonly methods: readonly string[];
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by `RouteTable.match`. */
    routeMatch?: RouteMatch;
  }
}

/** Returns the match of a request. Throws if the table has not matched it, so that no access rule is skipped. */
export function routeMatchOf({ routeMatch }: IncomingMessage): RouteMatch {
  if (!routeMatch) throw new Error('the request has not been compared with the route table');
  return routeMatch;
}

/** Returns true if the request stops carts. */
export function isStopRequest(req: IncomingMessage): boolean {
  return routeMatchOf(req).route?.stopToken === true;
}

interface Pattern {
  route: PolicyEntry;
  /** The path's segments, in lower case. */
  segments: readonly string[];
}

/** The matches of a path by method. */
type PathMatches = (method: string) => RouteMatch;

const NO_MATCH: RouteMatch = { route: undefined, methods: [] };
const ANY = '{*';

/**
 * All declared routes. A request is matched against them once; the request's rank, the redirect to HTTPS, the
 * access rule, the allowed methods, the metrics and the handler all depend on this one match.
 */
export class RouteTable {
  readonly #patterns: readonly Pattern[];
  readonly #withParameters: readonly Pattern[];
  /** The declared paths without parameters, in lower case, each matched at its first request. */
  readonly #plain = new Map<string, PathMatches | undefined>();
  readonly #byName: ReadonlyMap<string, PolicyEntry>;
  readonly #served = new Set<string>();

  constructor(routes: readonly PolicyEntry[]) {
    this.#byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
    if (this.#byName.size < routes.length) throw new Error('a route is declared twice');
    this.#patterns = routes.map((route) => ({ route, segments: segmentsOf(canonical(route.path)) }));
    this.#withParameters = this.#patterns.filter(({ segments }) => segments.some(isParameter));
    for (const { path } of routes)
      if (!segmentsOf(path).some(isParameter)) this.#plain.set(canonical(path), undefined);
  }

  /** Matches a request against the routes on the first call. Returns the same match on every call. */
  match(req: IncomingMessage): RouteMatch {
    req.routeMatch ??= this.find(req.method ?? '', pathOf(req.url));
    return req.routeMatch;
  }

  /**
   * Ignores case and one trailing slash, as Express does. A HEAD request matches the route for GET.
   * @param path must not be decoded, so that an encoded letter matches only a parameter.
   */
  find(method: string, path: string): RouteMatch {
    const matches = this.#plain.get(path) ?? this.#matchesOf(canonical(path));
    return matches(method === 'HEAD' ? 'GET' : method);
  }

  #matchesOf(path: string): PathMatches {
    if (!this.#plain.has(path)) return matchesOf(this.#withParameters, segmentsOf(path));
    const matches = this.#plain.get(path) ?? matchesOf(this.#patterns, segmentsOf(path));
    this.#plain.set(path, matches);
    return matches;
  }

  declaration(name: RouteName): PolicyEntry | undefined {
    return this.#byName.get(name);
  }

  /**
   * Returns a handler that passes a matched request to the handler of its route. Throws if a route of the
   * routers is not declared, because no access rule would apply to it, or if the route is already served.
   */
  serve(...routers: readonly DeclaredRouter[]): RequestHandler {
    const handlers = new Map<PolicyEntry, RequestHandler>();
    for (const [name, handler] of routers.flatMap(({ routes }) => [...routes])) {
      const route = this.#byName.get(name);
      if (!route) throw new Error(`undeclared route: ${name}`);
      if (this.#served.has(name)) throw new Error(`${name} is served twice`);
      this.#served.add(name);
      handlers.set(route, handler);
    }
    return (req, res, next) => {
      const { route } = routeMatchOf(req);
      const handler = route && handlers.get(route);
      if (!handler) return next();
      handler(req, res, (error?: unknown) => {
        // Express sets `req.route` when it has matched the request with the route.
        if (error !== undefined || req.route !== undefined) return next(error);
        next(new Error(`Express does not match ${req.method} ${req.path} with ${route.path}`));
      });
    };
  }

  /** Returns the names of the declared routes that have no handler. */
  unserved(): string[] {
    return [...this.#byName.keys()].filter((name) => !this.#served.has(name));
  }
}

/** Returns the path of a request target without the query. */
function pathOf(url = '/'): string {
  const target = originForm(url) ?? '';
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

function canonical(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith(ANY);
}

/** If several routes have the same method, the most specific one is used. */
function matchesOf(patterns: readonly Pattern[], path: readonly string[]): PathMatches {
  const fitting = patterns.filter(({ segments }) => fits(segments, path));
  if (fitting.length === 0) return () => NO_MATCH;
  const methods = [...new Set(fitting.map(({ route }) => route.method))];
  const byMethod = new Map<string, RouteMatch>();
  for (const { route } of fitting.toSorted(moreSpecific))
    if (!byMethod.has(route.method)) byMethod.set(route.method, { route, methods });
  const none: RouteMatch = { route: undefined, methods };
  return (method) => byMethod.get(method) ?? none;
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpenEnd = pattern.at(-1)?.startsWith(ANY) ?? false;
  if (isOpenEnd ? path.length < pattern.length : path.length !== pattern.length) return false;
  return pattern.every((segment, index) => {
    const given = path[index] ?? '';
    return isParameter(segment) ? given !== '' : segment === given;
  });
}

/** Sorts a path with a literal segment before one with a parameter at the same position. */
function moreSpecific(one: Pattern, other: Pattern): number {
  for (const [index, segment] of one.segments.entries()) {
    const difference = openness(segment) - openness(other.segments[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function openness(segment: string): number {
  if (segment.startsWith(ANY)) return 2;
  return isParameter(segment) ? 1 : 0;
}
