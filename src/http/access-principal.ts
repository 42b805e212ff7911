import type { Request } from 'express';
import type { Credentials } from '../access/access.js';
import { isAtLeast, type Principal } from '../access/schema.js';
import type { UserPrincipal } from '../access/sessions.js';
import { GatewayError } from '../util/errors.js';
import { sessionCookie } from './access-cookie.js';
import type { Visitor } from './frame-context.js';

declare global {
  namespace Express {
    interface Request {
      /** Who asks, as the guard has found. */
      principal?: Principal;
    }
  }
}

const NOBODY: Principal = { kind: 'nobody' };

/** Who asks. */
export function principalOf(req: Request): Principal {
  return req.principal ?? NOBODY;
}

/** The person who asks; throws `FORBIDDEN` when it is a machine or nobody in particular. */
export function userOf(req: Request): UserPrincipal {
  const principal = principalOf(req);
  if (principal.kind === 'user') return principal;
  throw new GatewayError('FORBIDDEN', 'this is for people who are logged in');
}

/**
 * Throws `FORBIDDEN` unless what is asked for belongs to the user who asks, or an operator, a key (whose scopes the guard
 * has checked) or a trusted network asks.
 * @param userId whose it is; null when it is nobody's.
 */
export function ownerOrOperator(principal: Principal, userId: number | null): void {
  const { kind } = principal;
  if (kind === 'key' || kind === 'lan') return;
  if (kind === 'user' && (principal.userId === userId || isAtLeast(principal.role, 'operator'))) return;
  throw new GatewayError('FORBIDDEN', 'this belongs to somebody else');
}

/** Who looks at a page; undefined for nobody, who is shown nothing of the carts. */
export function visitorOf(req: Request): Visitor | undefined {
  const principal = principalOf(req);
  switch (principal.kind) {
    case 'user': {
      const { username: name, role } = principal;
      return { name, role, isPerson: true, mayDrive: isAtLeast(role, 'operator') };
    }
    case 'key':
      return { name: `key ${principal.name}`, role: '', isPerson: false, mayDrive: false };
    case 'lan':
      return { name: '', role: '', isPerson: false, mayDrive: true };
    case 'nobody':
      return undefined;
  }
}

/** What a request brings along to show who it is from. */
export function credentialsOf(req: Request): Credentials {
  const { headers, socket } = req;
  return {
    cookie: sessionCookie(req),
    apiKey: apiKeyOf(req),
    isForwarded:
      'forwarded' in headers ||
      'x-forwarded-for' in headers ||
      'x-forwarded-host' in headers ||
      'x-forwarded-proto' in headers ||
      'x-real-ip' in headers,
    peer: socket.remoteAddress ?? '',
  };
}

/** A key comes in a header and nowhere else: addresses are logged and kept by browsers. */
export function apiKeyOf({ headers }: Request): string | undefined {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const own = headers['x-api-key'];
  return bearer ?? (typeof own === 'string' ? own : undefined);
}
