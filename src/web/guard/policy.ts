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

interface Pattern {
  entry: PolicyEntry;
  segments: readonly string[];
}

/** How many paths are remembered; the busy ones are few. */
const KEPT = 500;
const ANY = '{*';

/** Finds the entries of a policy for a request, as Express would find its routes. */
export class PolicyTable {
  readonly entries: readonly PolicyEntry[];
  readonly #patterns: readonly Pattern[];
  readonly #found = new Map<string, readonly PolicyEntry[]>();

  constructor(entries: readonly PolicyEntry[]) {
    this.entries = entries;
    this.#patterns = entries.map((entry) => ({ entry, segments: split(entry.path) }));
  }

  /**
   * Every entry that the path fits, for one path can fit two routes (`/payments/transaction/status`) and the stricter one
   * must count. None: the path is there for nobody. Express takes case and a last slash lightly, and so does this.
   * @param path not decoded, as Express matches it.
   */
  find(method: string, path: string): readonly PolicyEntry[] {
    // Express answers HEAD with the route of GET.
    const wanted = method === 'HEAD' ? 'GET' : method;
    const key = `${wanted} ${path}`;
    const known = this.#found.get(key);
    if (known) return known;
    const segments = split(path);
    const found = this.#patterns
      .filter((pattern) => pattern.entry.method === wanted && fits(pattern.segments, segments))
      .map(({ entry }) => entry);
    if (this.#found.size >= KEPT) this.#found.clear();
    if (found.length > 0 && key.length <= 100) this.#found.set(key, found);
    return found;
  }

  /** The methods that a path can be asked with, whoever asks. */
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
