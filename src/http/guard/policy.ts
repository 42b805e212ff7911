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
  /**
   * True if the route accepts an API key as a Basic password, because most video players support only that.
   */
  basicKey?: boolean;
  /** True if monitors may omit the `Host` header; load balancers send such requests in HTTP/1.0. */
  probe?: boolean;
  /** True if a cached response is sent without the access check and Express. Requires a public route. */
  cached?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and Express path, for example `GET /carts/:cartID` or `GET /assets/{*name}`. */
export type RouteName = `${Method} /${string}`;

export interface PolicyEntry extends RouteAccess {
  method: Method;
  path: string;
  answers: Answers;
}

/**
 * The kind of response that a route sends: only a page, a page unless the client prefers JSON, JSON unless
 * the client prefers a page, or no page. Errors are pages for clients that prefer HTML, regardless of the
 * route.
 */
type Answers = 'page' | 'page-first' | 'json-first' | 'no-page';

interface Declaration extends RouteAccess {
  ok?: { content?: Readonly<Record<string, unknown>> };
  redirect?: string;
  pageFirst?: boolean;
}

function answersOf(method: string, { ok, redirect, pageFirst = false }: Declaration): Answers {
  const types = Object.keys(ok?.content ?? {});
  const isPage = types.includes('text/html');
  if (isPage && types.length === 1) return 'page';
  if (pageFirst) return 'page-first';
  // For browsers, a redirect after a form submission counts as a page.
  return isPage || (redirect !== undefined && method !== 'GET') ? 'json-first' : 'no-page';
}

/** Returns the access rules of the declared routes. All other routes are denied. */
export function policyOf(
  apis: readonly { readonly routes: Readonly<Record<RouteName, Declaration>> }[],
): PolicyEntry[] {
  return apis.flatMap(({ routes }) =>
    Object.entries(routes).map(([route, declaration]) => {
      const [method, path = ''] = route.split(' ');
      const { need, scopes, lan, stopToken, basicKey, probe, cached } = declaration;
      return {
        method: method as Method,
        path,
        need,
        answers: answersOf(method ?? '', declaration),
        ...(scopes ? { scopes } : {}),
        ...(lan === undefined ? {} : { lan }),
        ...(stopToken ? { stopToken } : {}),
        ...(basicKey ? { basicKey } : {}),
        ...(probe ? { probe } : {}),
        ...(cached ? { cached } : {}),
      };
    }),
  );
}
