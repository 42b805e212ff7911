import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Access } from '../../access/access.js';
import { isAtLeast, type Principal } from '../../access/schema.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { wantsHtml } from '../errors.js';
import { webMessage } from '../messages.js';
import { routeMatchOf } from '../server/route-table.js';
import { compare } from '../server/shadow.js';
import { isUpgrade } from '../server/upgrade.js';
import { sessionCookies } from './cookie.js';
import { setPageHeaders } from './headers.js';
import { isStopRequest, type KnownCallers } from './known-callers.js';
import { checkHost, checkOrigin, ownHosts } from './origin.js';
import type { PolicyEntry } from './policy.js';
import { PolicyTable } from './policy.js';
import {
  apiKeyOf,
  basicPasswordOf,
  credentialsOf,
  isForPlayers,
  isFromBrowser,
  principalOf,
  stopTokenOf,
} from './principal.js';

interface GuardOptions {
  access: Access;
  policy: readonly PolicyEntry[];
  hostnames: readonly string[];
  /** Returns true only if it is certain that the request comes from the local network. */
  isLocal: (req: IncomingMessage) => boolean;
  /** Records accepted credentials. */
  callers?: Pick<KnownCallers, 'note'>;
}

/**
 * Checks the host, the origin and the caller's access before every handler. Redirects browsers without a
 * session to the login page; rejects other unauthorised requests with 401 or 403.
 */
export function accessGuard({ access, policy, hostnames, isLocal, callers }: GuardOptions): RequestHandler {
  const table = new PolicyTable(policy);
  const isOurs = ownHosts(hostnames);
  return (req, res, next) => {
    try {
      if (!isProbe(req)) checkHost(isOurs, req.headers.host);
      // Determines the caller even for public routes, because pages show the user's name.
      const credentials = credentialsOf(req, isLocal);
      req.principal = access.principalOf(credentials);
      if (credentials.apiKey !== undefined && req.principal.kind !== 'key')
        access.keys.recordRejection(req.ip ?? '');
      callers?.note(credentials, req.principal, req.socket);
      const found = table.find(req.method, req.path);
      shadow(req, found, table.methodsOf(req.path));
      if (found.length === 0) throw routeError(req, res, table.methodsOf(req.path));
      if (isChange(req) && apiKeyOf(req) === undefined) {
        checkOrigin(req.headers, { hasCookie: sessionCookies(req).length > 0 });
      }
      if (!found.every(({ need }) => need === 'public')) req.principal = admit(access, found, req, isLocal);
    } catch (error) {
      setPageHeaders(req, res);
      if (isNotLoggedIn(error)) {
        setStopTokenHeader(access, req, res);
        challengePlayer(access, req, res);
      }
      // The login page would not show that the stop has failed.
      if (!isNotLoggedIn(error) || !wantsHtml(req) || isStopRequest(req)) throw error;
      return res.redirect(303, `/login?next=${encodeURIComponent(backTo(req))}`);
    }
    next();
  };
}

function shadow(req: Request, found: readonly PolicyEntry[], methods: readonly string[]): void {
  const { route, methods: now } = routeMatchOf(req);
  const of = `${req.method} ${req.url}`;
  compare(undefined, 'methods', { now, before: methods, of });
  compare(undefined, 'match', { now: route !== undefined, before: found.length > 0, of });
  if (!route) return;
  const access = ({ need, scopes, lan, stopToken }: PolicyEntry) => ({ need, scopes, lan, stopToken });
  const strict = found.filter(({ path }) => path !== '/{*path}');
  for (const entry of strict.length > 0 ? strict : found)
    compare(undefined, 'access', { now: access(route), before: access(entry), of });
  compare(undefined, 'stop', {
    now: route.stopToken === true,
    before: isStopRequest(req) || route.path === '/carts/:cartID/stop',
    of,
  });
}

/** Load balancers and monitors send these requests in HTTP/1.0 without a `Host` header. */
function isProbe({ headers, path }: Request): boolean {
  return headers.host === undefined && (path === '/livez' || path === '/readyz');
}

function routeError({ method, path }: Request, res: Response, methods: readonly string[]): GatewayError {
  if (methods.length === 0)
    return new GatewayError('NOT_FOUND', webMessage('nothing-there', { target: `${method} ${path}` }));
  const allowed = methods.join(', ');
  res.setHeader('allow', allowed);
  return new GatewayError('METHOD_NOT_ALLOWED', `${method} is not allowed for ${path}; use ${allowed}`);
}

/** A WebSocket begins as a GET request, but its messages change state, and any site can open a WebSocket. */
function isChange(req: Request): boolean {
  const { method } = req;
  return (method !== 'GET' && method !== 'HEAD') || isUpgrade(req);
}

const NOT_LOCAL = {
  hint: 'Open the gateway at its address on the local network, without a proxy. To use the gateway on this machine only, set HOST to 127.0.0.1.',
};

/** Returns the caller, or throws `NOT_LOGGED_IN` or `FORBIDDEN`. */
function admit(
  access: Access,
  found: readonly PolicyEntry[],
  req: Request,
  isLocal: GuardOptions['isLocal'],
): Principal {
  const principal = principalOf(req);
  if (principal.kind === 'user' && principal.stopsOnly && isChange(req) && !isForStops(found)) {
    throw new GatewayError('FORBIDDEN', webMessage('stops-only'), { hint: webMessage('stops-only-hint') });
  }
  if (found.every((entry) => mayUse(principal, entry))) return principal;
  // Trusted-network access does not extend an API key's scopes.
  const isTrusted = access.isTrusted({ isLocal: () => isLocal(req) });
  if (principal.kind === 'user' && found.every(isOpen) && isTrusted) return { kind: 'lan' };
  const stopper = stopTokenHolder(access, found, req);
  if (stopper) return stopper;
  if (principal.kind === 'anonymous' || principal.kind === 'lan') {
    throw new GatewayError(
      'NOT_LOGGED_IN',
      webMessage('log-in-first'),
      access.isTrustedLan && !isTrusted ? NOT_LOCAL : {},
    );
  }
  const hint = principal.kind === 'user' ? { hint: webMessage('role-hint') } : {};
  throw new GatewayError('FORBIDDEN', forbiddenText(principal, found), hint);
}

/** Returns undefined for HTML requests, because a page would reveal more than the stop's result. */
function stopTokenHolder(access: Access, found: readonly PolicyEntry[], req: Request): Principal | undefined {
  const token = stopTokenOf(req);
  if (token === undefined || !isForStops(found) || principalOf(req).kind !== 'anonymous' || wantsHtml(req))
    return undefined;
  const stopper = access.stopTokens.find(token);
  if (stopper) access.stopTokens.recordUse(stopper);
  return stopper;
}

function isForStops(found: readonly PolicyEntry[]): boolean {
  return found.every(({ stopToken = false }) => stopToken);
}

/** Requests a Basic login from video players. Throws `RATE` after too many failed logins from an address. */
function challengePlayer(access: Access, req: Request, res: Response): void {
  if (!isForPlayers(req) || isFromBrowser(req)) return;
  if (basicPasswordOf(req) !== undefined) access.logins.limits.takeAttempt(req.ip ?? '');
  res.setHeader('www-authenticate', 'Basic realm="Cartwright camera", charset="UTF-8"');
}

/** Reports the stop token's remaining validity in seconds to a page without a session. */
function setStopTokenHeader(access: Access, req: Request, res: Response): void {
  const leftMs = access.stopTokens.leftMs(stopTokenOf(req) ?? '');
  if (leftMs > 0) res.setHeader('x-stop-token-expires-in', Math.ceil(leftMs / 1000));
}

function mayUse(principal: Principal, entry: PolicyEntry): boolean {
  const { need, scopes = [] } = entry;
  if (need === 'public') return true;
  switch (principal.kind) {
    case 'user':
      return isAtLeast(principal.role, need === 'session' ? 'customer' : need);
    case 'key':
      return principal.scopes.some((scope) => scopes.includes(scope));
    case 'lan':
      return isOpen(entry);
    case 'anonymous':
      return false;
  }
}

/** Returns true if the route needs no login on a trusted network. */
function isOpen({ need, lan = need !== 'admin' }: PolicyEntry): boolean {
  return lan;
}

function forbiddenText(principal: Principal, found: readonly PolicyEntry[]): Text {
  if (principal.kind === 'key') {
    const scopes = found.flatMap((entry) => entry.scopes ?? []);
    return scopes.length > 0
      ? `this route requires an API key with the scope ${scopes.join(' or ')}`
      : 'API keys cannot use this route';
  }
  return found.some(({ need }) => need === 'admin')
    ? webMessage('needs-admin')
    : webMessage('needs-operator');
}

function isNotLoggedIn(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'NOT_LOGGED_IN';
}

/** Returns the page to open after login; `/` for a form submission, which cannot be repeated. */
function backTo({ method, originalUrl }: Request): string {
  return method === 'GET' ? originalUrl : '/';
}
