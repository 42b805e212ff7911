import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ipPrefixOf } from '../../shared/addresses.js';
import { type Connections, processConnections } from '../../shared/connections.js';
import type { Caller } from '../server/request-scheduler.js';
import { isStopRequest, type RouteTable } from '../server/route-table.js';
import type { Authenticator, Credentials, Principal } from './authenticator.js';
import { clientAddress } from './origin.js';
import { credentialsOf, stopTokenOf } from './principal.js';

const MAX_KNOWN = 1000;
/** Maximum number of stops with unverified credentials per address and window; a new page sends up to two. */
const MAX_UNKNOWN_STOPS = 20;
const UNKNOWN_STOPS_WINDOW_MS = 1000;

interface KnownCallersDeps {
  routes: Pick<RouteTable, 'match'>;
  access: Pick<Authenticator, 'isTrusted'> & { stopTokens: Pick<Authenticator['stopTokens'], 'holderOf'> };
  isLocal: (req: IncomingMessage) => boolean;
  /** Returns true for a trusted proxy, which sets `X-Forwarded-For`. */
  isProxy: (address: string) => boolean;
  /** Default: all connections to this process's servers. */
  connections?: Connections;
}

/** Used only to schedule requests, so an outdated entry does no harm. */
export class KnownCallers {
  readonly #deps: KnownCallersDeps;
  readonly #names = new Map<string, string>();
  readonly #unknownStops = new Map<string, number>();
  #windowEndsAt = 0;

  constructor(deps: KnownCallersDeps) {
    this.#deps = deps;
  }

  /** Must be called for each request, once its caller is known. */
  note(credentials: Credentials, principal: Principal, socket: Socket): void {
    const name = nameOf(principal);
    if (name === undefined) return;
    const { connections = processConnections } = this.#deps;
    connections.identify(socket, name);
    const credential = credentialOf(credentials);
    if (credential !== undefined && !this.#names.has(credential)) this.#remember(credential, name);
  }

  readonly callerOf = (req: IncomingMessage): Caller => {
    const { routes, access, isLocal, isProxy } = this.#deps;
    routes.match(req);
    const credentials = credentialsOf(req, isLocal);
    const credential = credentialOf(credentials);
    const address = ipPrefixOf(clientAddress(req, isProxy));
    const isStop = isStopRequest(req);
    const name = credential === undefined ? undefined : this.#names.get(credential);
    if (name !== undefined) return { rank: isStop ? 'stop' : 'named', key: name };
    const stopper = isStop ? access.stopTokens.holderOf(stopTokenOf(req) ?? '') : undefined;
    if (stopper !== undefined) return { rank: 'stop', key: stopper };
    if (access.isTrusted(credentials)) return { rank: isStop ? 'stop' : 'named', key: address };
    if (isStop && credential !== undefined && this.#takeUnknownStop(address))
      return { rank: 'stop', key: address };
    return { rank: 'anonymous', key: address };
  };

  #remember(credential: string, name: string): void {
    this.#names.set(credential, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_KNOWN && oldest !== undefined) this.#names.delete(oldest);
  }

  #takeUnknownStop(address: string): boolean {
    const now = performance.now();
    if (now >= this.#windowEndsAt) {
      this.#unknownStops.clear();
      this.#windowEndsAt = now + UNKNOWN_STOPS_WINDOW_MS;
    }
    const count = (this.#unknownStops.get(address) ?? 0) + 1;
    this.#unknownStops.set(address, count);
    return count <= MAX_UNKNOWN_STOPS;
  }
}

function nameOf(principal: Principal): string | undefined {
  if (principal.kind === 'user') return `user ${principal.userId}`;
  return principal.kind === 'key' ? `key ${principal.keyId}` : undefined;
}

/** Returns the API key or all session cookies, because any of the cookies may identify the session. */
function credentialOf({ apiKey, cookies = [] }: Credentials): string | undefined {
  return apiKey ?? (cookies.length > 0 ? cookies.join(' ') : undefined);
}
