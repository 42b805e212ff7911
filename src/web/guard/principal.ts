import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Credentials } from '../../access/access.js';
import { isAtLeast, nameOf, type Principal } from '../../access/schema.js';
import type { UserPrincipal } from '../../access/sessions/sessions.js';
import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import type { Visitor } from '../layout/layout-context.js';
import { webMessage } from '../messages.js';
import { sessionCookies } from './cookie.js';

declare global {
  namespace Express {
    interface Request {
      /** Who asks, as the guard has found. */
      principal?: Principal;
    }
  }
}

const ANONYMOUS: Principal = { kind: 'anonymous' };

/** Who asks. */
export function principalOf(req: Request): Principal {
  return req.principal ?? ANONYMOUS;
}

/** The caller's name in records, such as `anna` or `key 3`. */
export function callerName(req: Request): string {
  return nameOf(principalOf(req));
}

/** What the streams of a request are counted by: the person, the key, or the address of an unnamed caller. */
export function holderOf(req: Request): string {
  const principal = principalOf(req);
  if (principal.kind === 'user') return `user ${principal.userId}`;
  if (principal.kind === 'key') return `key ${principal.keyId}`;
  return ipPrefixOf(req.socket.remoteAddress ?? '');
}

/** The person who asks; throws `FORBIDDEN` when it is a machine or nobody in particular. */
export function userOf(req: Request): UserPrincipal {
  const principal = principalOf(req);
  if (principal.kind === 'user') return principal;
  throw new GatewayError('FORBIDDEN', webMessage('people-only'));
}

/** Who looks at a page; undefined for nobody, who is shown nothing of the carts. */
export function visitorOf(req: Request): Visitor | undefined {
  const principal = principalOf(req);
  switch (principal.kind) {
    case 'user': {
      const { username: name, role } = principal;
      return {
        name,
        role,
        isPerson: true,
        mayDrive: isAtLeast(role, 'operator'),
        principal: nameOf(principal),
      };
    }
    case 'key':
      return {
        name: `key ${principal.name}`,
        role: '',
        isPerson: false,
        mayDrive: false,
        principal: nameOf(principal),
      };
    case 'lan':
      return { name: '', role: '', isPerson: false, mayDrive: true, principal: nameOf(principal) };
    case 'anonymous':
      return undefined;
  }
}

/**
 * Whether the caller gets names, addresses and file paths: operators, keys and a trusted network. Other callers get
 * only states, codes and numbers.
 */
export function seesDetails(principal: Principal): boolean {
  if (principal.kind === 'user') return isAtLeast(principal.role, 'operator');
  return principal.kind !== 'anonymous';
}

/** What a request brings along to show who it is from. */
export function credentialsOf(req: IncomingMessage, isLocal: (req: IncomingMessage) => boolean): Credentials {
  return { cookies: sessionCookies(req), apiKey: apiKeyOf(req), isLocal: () => isLocal(req) };
}

/** The stop token that a page sends with its stops, and when it asks why it is told nothing more. */
export function stopTokenOf({ headers }: IncomingMessage): string | undefined {
  const token = headers['x-stop-token'];
  return typeof token === 'string' ? token : undefined;
}

/** A key comes in a header and nowhere else: addresses are logged and kept by browsers. */
export function apiKeyOf({ headers }: IncomingMessage): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const own = headers['x-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
