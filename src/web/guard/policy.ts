/** What a route needs: nothing, a logged-in user, or a user of at least this role. */
export type Need = 'public' | 'session' | 'operator' | 'admin';

/** Who may use a route. */
export interface RouteAccess {
  need: Need;
  /** An API key with one of these may use it, too. */
  scopes?: readonly string[];
  /** Whether a trusted network needs no login. Default: yes, unless the route needs an administrator. */
  lan?: boolean;
  /** Whether a stop token is enough. */
  stopToken?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A route by method and Express path: `GET /carts/:cartID`, `GET /assets/{*name}`. */
export type RouteName = `${Method} /${string}`;

export interface PolicyEntry extends RouteAccess {
  method: Method;
  path: string;
}

/** The policy of declared routes. Routes that are not declared are denied. */
export function policyOf(
  apis: readonly { readonly routes: Readonly<Record<RouteName, RouteAccess>> }[],
): PolicyEntry[] {
  return apis.flatMap(({ routes }) =>
    Object.entries(routes).map(([route, { need, scopes, lan, stopToken }]) => {
      const [method, path = ''] = route.split(' ');
      return {
        ...{ method: method as Method, path, need },
        ...(scopes ? { scopes } : {}),
        ...(lan === undefined ? {} : { lan }),
        ...(stopToken ? { stopToken } : {}),
      };
    }),
  );
}
