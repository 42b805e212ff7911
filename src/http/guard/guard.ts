import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { wantsHtml } from '../errors.js';
import { webMessage } from '../messages.js';
import { isUpgrade } from '../server/request-head.js';
import { isStopRequest, routeMatchOf } from '../server/route-table.js';
import { type Authenticator, isAtLeast, type Principal } from './authenticator.js';
import { sessionCookies } from './cookies.js';
import { setPageHeaders } from './headers.js';
import type { KnownCallers } from './known-callers.js';
import { checkHost, checkOrigin, ownHosts } from './origin.js';
import type { PolicyEntry, RouteAccess } from './policy.js';
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
  access: Authenticator;
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
export function accessGuard({ access, hostnames, isLocal, callers }: GuardOptions): RequestHandler {
  const isOurs = ownHosts(hostnames);
  return (req, res, next) => {
    try {
      const { route, methods } = routeMatchOf(req);
      const { host } = req.headers;
      if (host !== undefined || !route?.probe) checkHost(isOurs, host);
      // Determines the caller even for public routes, because pages show the user's name.
      const credentials = credentialsOf(req, isLocal);
      req.principal = access.principalOf(credentials);
      if (credentials.apiKey !== undefined && req.principal.kind !== 'key')
        access.keys.recordRejection(req.ip ?? '');
      callers?.note(credentials, req.principal, req.socket);
      if (!route) throw routeError(req, res, methods);
      if (isChange(req) && apiKeyOf(req) === undefined) {
        checkOrigin(req.headers, { hasCookie: sessionCookies(req).length > 0 });
      }
      if (route.need !== 'public') req.principal = authorisedCaller(access, route, req, isLocal);
    } catch (error) {
      setPageHeaders(req, res);
      if (isNotLoggedIn(error)) {
        setStopTokenHeader(access, req, res);
        challengePlayer(access, req, res);
      }
      // A failed stop is not redirected to the login page, which would not show that the stop has failed.
      if (!isNotLoggedIn(error) || !wantsHtml(req) || isStopRequest(req)) throw error;
      return res.redirect(303, `/login?next=${encodeURIComponent(backTo(req))}`);
    }
    next();
  };
}

function routeError({ method, path }: Request, res: Response, methods: readonly string[]): GatewayError {
  if (methods.length === 0)
    return new GatewayError('NOT_FOUND', webMessage('nothing-there', { target: `${method} ${path}` }));
  const allowed = methods.join(', ');
  res.setHeader('allow', allowed);
  return new GatewayError('METHOD_NOT_ALLOWED', `${method} is not allowed for ${path}; use ${allowed}`);
}

/**
 * Returns true if the request can change state. A WebSocket begins as a GET request, but its messages change state,
 * and any site can open a WebSocket.
 */
function isChange(req: Request): boolean {
  const { method } = req;
  return (method !== 'GET' && method !== 'HEAD') || isUpgrade(req);
}

const NOT_LOCAL = {
  hint: 'Open the gateway at its address on the local network, without a proxy. To use the gateway on this machine only, set HOST to 127.0.0.1.',
};

/** Returns the caller, or throws `NOT_LOGGED_IN` or `FORBIDDEN`. */
function authorisedCaller(
  access: Authenticator,
  route: PolicyEntry,
  req: Request,
  isLocal: GuardOptions['isLocal'],
): Principal {
  const principal = principalOf(req);
  if (principal.kind === 'user' && principal.stopsOnly && isChange(req) && !route.stopToken) {
    throw new GatewayError('FORBIDDEN', webMessage('stops-only'), { hint: webMessage('stops-only-hint') });
  }
  if (mayUse(principal, route)) return principal;
  // Trusted-network access does not extend an API key's scopes.
  const isTrusted = access.isTrusted({ isLocal: () => isLocal(req) });
  if (principal.kind === 'user' && isOpen(route) && isTrusted) return { kind: 'lan' };
  const stopper = stopTokenHolder(access, route, req);
  if (stopper) return stopper;
  if (principal.kind === 'anonymous' || principal.kind === 'lan') {
    throw new GatewayError(
      'NOT_LOGGED_IN',
      webMessage('log-in-first'),
      access.isTrustedLan && !isTrusted ? NOT_LOCAL : {},
    );
  }
  const hint = principal.kind === 'user' ? { hint: webMessage('role-hint') } : {};
  throw new GatewayError('FORBIDDEN', forbiddenText(principal, route), hint);
}

/** Returns undefined for HTML requests, because a page would reveal more than the stop's result. */
function stopTokenHolder(access: Authenticator, route: PolicyEntry, req: Request): Principal | undefined {
  const token = stopTokenOf(req);
  if (token === undefined || !route.stopToken || principalOf(req).kind !== 'anonymous' || wantsHtml(req))
    return undefined;
  const stopper = access.stopTokens.find(token);
  if (stopper) access.stopTokens.recordUse(stopper);
  return stopper;
}

/** Requests a Basic login from video players. Throws `RATE` after too many failed logins from an address. */
function challengePlayer(access: Authenticator, req: Request, res: Response): void {
  if (!isForPlayers(req) || isFromBrowser(req)) return;
  if (basicPasswordOf(req) !== undefined) access.logins.limits.takeAttempt(req.ip ?? '');
  res.setHeader('www-authenticate', 'Basic realm="Cartwright camera", charset="UTF-8"');
}

/** Reports the stop token's remaining validity in seconds to a page without a session. */
function setStopTokenHeader(access: Authenticator, req: Request, res: Response): void {
  const leftMs = access.stopTokens.leftMs(stopTokenOf(req) ?? '');
  if (leftMs > 0) res.setHeader('x-stop-token-expires-in', Math.ceil(leftMs / 1000));
}

/** Returns true if the route's access rule permits the caller. */
export function mayUse(principal: Principal, route: RouteAccess): boolean {
  const { need, scopes = [] } = route;
  if (need === 'public') return true;
  switch (principal.kind) {
    case 'user':
      return isAtLeast(principal.role, need === 'session' ? 'customer' : need);
    case 'key':
      return principal.scopes.some((scope) => scopes.includes(scope));
    case 'lan':
      return isOpen(route);
    case 'anonymous':
      return false;
  }
}

/** Returns true if the route needs no login on a trusted network. */
function isOpen({ need, lan = need !== 'admin' }: RouteAccess): boolean {
  return lan;
}

function forbiddenText(principal: Principal, { need, scopes = [] }: PolicyEntry): Text {
  if (principal.kind === 'key') {
    return scopes.length > 0
      ? `this route requires an API key with the scope ${scopes.join(' or ')}`
      : 'API keys cannot use this route';
  }
  return webMessage(need === 'admin' ? 'needs-admin' : 'needs-operator');
}

function isNotLoggedIn(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'NOT_LOGGED_IN';
}

/** Returns the page to open after login; `/` for a form submission, which cannot be repeated. */
function backTo({ method, originalUrl }: Request): string {
  return method === 'GET' ? originalUrl : '/';
}
