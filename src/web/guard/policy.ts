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
    Object.entries(routes).map(([route, { need, scopes, lan, stopToken, ok }]) => {
      const [method, path = ''] = route.split(' ');
      return {
        ...{ method: method as Method, path, need },
        ...(scopes ? { scopes } : {}),
        ...(lan === undefined ? {} : { lan }),
        ...(stopToken ? { stopToken } : {}),
        ...('text/html' in (ok?.content ?? {}) ? { isPage: true } : {}),
      };
    }),
  );
}

interface Pattern {
  entry: PolicyEntry;
  segments: readonly string[];
}

const MAX_CACHED_PATHS = 500;
const ANY = '{*';

export class PolicyTable {
  readonly entries: readonly PolicyEntry[];
  readonly #patterns: readonly Pattern[];
  readonly #found = new Map<string, readonly PolicyEntry[]>();

  constructor(entries: readonly PolicyEntry[]) {
    this.entries = entries;
    this.#patterns = entries.map((entry) => ({ entry, segments: split(entry.path) }));
  }

  /**
   * A request must satisfy every matching entry and is denied if none matches. Ignores case and a trailing
   * slash, as Express does. @param path must not be decoded, because Express matches the undecoded path.
   */
  find(method: string, path: string): readonly PolicyEntry[] {
    // Express uses the GET route for HEAD requests.
    const wanted = method === 'HEAD' ? 'GET' : method;
    const key = `${wanted} ${path}`;
    const known = this.#found.get(key);
    if (known) return known;
    const segments = split(path);
    const found = this.#patterns
      .filter((pattern) => pattern.entry.method === wanted && fits(pattern.segments, segments))
      .map(({ entry }) => entry);
    if (this.#found.size >= MAX_CACHED_PATHS) this.#found.clear();
    if (found.length > 0 && key.length <= 100) this.#found.set(key, found);
    return found;
  }

  /** Returns the methods that a path supports, regardless of the caller. */
  methodsOf(path: string): string[] {
    const segments = split(path);
    const fitting = this.#patterns.filter((pattern) => fits(pattern.segments, segments));
    return [...new Set(fitting.map(({ entry }) => entry.method))];
  }
}

function split(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpenEnd = pattern.at(-1)?.startsWith(ANY) ?? false;
  if (isOpenEnd ? path.length < pattern.length : path.length !== pattern.length) return false;
  return pattern.every((segment, index) => {
    const given = path[index] ?? '';
    if (segment.startsWith(':') || segment.startsWith(ANY)) return given !== '';
    return segment.toLowerCase() === given.toLowerCase();
  });
}
