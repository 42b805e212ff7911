/** Required access: none, a logged-in user, or at least this role. */
export type Need = 'public' | 'session' | 'operator' | 'admin';

export interface RouteAccess {
  need: Need;
  /** API keys with any of these scopes can use the route. */
  scopes?: readonly string[];
  /** True if no login is required on a trusted network. Default: true, except for administrator routes. */
  lan?: boolean;
  /** True if the route stops carts: a stop token is sufficient, and the request is handled before others. */
  stopToken?: boolean;
  /** True if a cached response is sent without the access check and Express. Requires a public route. */
  cached?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and Express path, for example `GET /carts/:cartID` or `GET /assets/{*name}`. */
export type RouteName = `${Method} /${string}`;

export interface PolicyEntry extends RouteAccess {
  method: Method;
  path: string;
  /** True if the route answers with a page. */
  isPage?: boolean;
}

interface Declaration extends RouteAccess {
  ok?: { content?: Readonly<Record<string, unknown>> };
}

/** Undeclared routes are denied. */
export function policyOf(
  apis: readonly { readonly routes: Readonly<Record<RouteName, Declaration>> }[],
): PolicyEntry[] {
  return apis.flatMap(({ routes }) =>
    Object.entries(routes).map(([route, { need, scopes, lan, stopToken, cached, ok }]) => {
      const [method, path = ''] = route.split(' ');
      return {
        method: method as Method,
        path,
        need,
        ...(scopes ? { scopes } : {}),
        ...(lan === undefined ? {} : { lan }),
        ...(stopToken ? { stopToken } : {}),
        ...(cached ? { cached } : {}),
        ...('text/html' in (ok?.content ?? {}) ? { isPage: true } : {}),
      };
    }),
  );
}
