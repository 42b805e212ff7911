import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { type Actor, actorName } from '../../shared/actor.js';
import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import { webMessage } from '../messages.js';
import { routeMatchOf } from '../server/route-table.js';
import {
  actorOfPrincipal,
  type Credentials,
  isApiKey,
  isAtLeast,
  type Principal,
  type UserPrincipal,
} from './authenticator.js';
import { sessionCookies } from './cookies.js';

declare global {
  namespace Express {
    interface Request {
      /** Set by the access guard. */
      principal?: Principal;
    }
  }
}

/** Determines what a page shows to its viewer; the access guard determines what is permitted. */
export interface Visitor {
  /** Empty for a client on a trusted network that has not logged in. */
  name: string;
  role: string;
  /** True for a logged-in user, false for an API key or a client on a trusted network. */
  isPerson: boolean;
  mayDrive: boolean;
  /** True if the session could not be saved, so it permits only reading and stopping. */
  stopsOnly?: boolean;
  /** The viewer, as recorded with commands and stops. */
  actor: Actor;
}

const ANONYMOUS: Principal = { kind: 'anonymous' };

export function principalOf(req: Request): Principal {
  return req.principal ?? ANONYMOUS;
}

export function callerActor(req: Request): Actor {
  return actorOfPrincipal(principalOf(req));
}

/** Returns the identity for stream limits: the user, the API key or, failing both, the address. */
export function leaseHolderOf(req: Request): string {
  const principal = principalOf(req);
  if (principal.kind === 'user') return `user ${principal.userId}`;
  if (principal.kind === 'key') return `key ${principal.keyId}`;
  return ipPrefixOf(req.ip ?? '');
}

/** Throws `FORBIDDEN` for API keys and for callers that are not logged in. */
export function userOf(req: Request): UserPrincipal {
  const principal = principalOf(req);
  if (principal.kind === 'user') return principal;
  throw new GatewayError('FORBIDDEN', webMessage('people-only'));
}

/** Returns undefined for an anonymous caller, who sees no cart data. */
export function visitorOf(req: Request): Visitor | undefined {
  const principal = principalOf(req);
  const actor = actorOfPrincipal(principal);
  switch (principal.kind) {
    case 'user': {
      const { username: name, role, stopsOnly = false } = principal;
      return {
        name,
        role,
        isPerson: true,
        mayDrive: isAtLeast(role, 'operator') && !stopsOnly,
        stopsOnly,
        actor,
      };
    }
    case 'key':
      return {
        name: actorName(actor),
        role: '',
        isPerson: false,
        mayDrive: false,
        actor,
      };
    case 'lan':
      return { name: '', role: '', isPerson: false, mayDrive: true, actor };
    case 'anonymous':
      return undefined;
  }
}

export function isAdmin(req: Request): boolean {
  const principal = principalOf(req);
  return principal.kind === 'user' && principal.role === 'admin';
}

/** Returns true if the caller is permitted to see names and addresses. */
export function seesDetails(principal: Principal): boolean {
  if (principal.kind === 'user') return isAtLeast(principal.role, 'operator');
  return principal.kind !== 'anonymous';
}

/**
 * Returns the request's credentials. A cookie takes precedence over a Basic password, which a proxy in front of the
 * gateway may have requested.
 */
export function credentialsOf(req: IncomingMessage, isLocal: (req: IncomingMessage) => boolean): Credentials {
  const cookies = sessionCookies(req);
  const password = cookies.length === 0 ? basicPasswordOf(req) : undefined;
  const basicKey = password !== undefined && isApiKey(password) ? password : undefined;
  return { cookies, apiKey: apiKeyOf(req) ?? basicKey, isLocal: () => isLocal(req) };
}

/** Returns true for a request to a route that accepts an API key as a Basic password. */
export function isForPlayers(req: IncomingMessage): boolean {
  return routeMatchOf(req).route?.basicKey === true;
}

/** Returns the password of a Basic login (RFC 7617) on a route for players; the username can be any text. */
export function basicPasswordOf(req: IncomingMessage): string | undefined {
  const [, encoded] = /^basic +([a-z\d+/=]+)$/i.exec(req.headers.authorization ?? '') ?? [];
  if (encoded === undefined || !isForPlayers(req)) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

/**
 * Returns true if a browser sent the request. A Basic challenge would open a dialog in front of the page, and of its
 * Stop button, when the session expires.
 */
export function isFromBrowser(req: IncomingMessage): boolean {
  const { cookie, referer, origin, 'sec-fetch-site': site } = req.headers;
  return [cookie, referer, origin, site].some((header) => header !== undefined);
}

/** Pages send the stop token with stops and when they check why the gateway rejected their event stream. */
export function stopTokenOf({ headers }: IncomingMessage): string | undefined {
  const token = headers['x-stop-token'];
  return typeof token === 'string' ? token : undefined;
}

/** Accepts API keys only in headers, because URLs appear in logs and browser histories. */
export function apiKeyOf({ headers }: IncomingMessage): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const own = headers['x-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
