import type { Request } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { principalOf } from '../../web/guard/principal.js';
import { webMessage } from '../../web/messages.js';
import { shopMessage } from '../messages.js';

/** The caller, as the shop sees it. The access guard has admitted it: handlers only check what belongs to whom. */
export interface ShopPrincipal {
  /** Null for keys and anonymous callers. */
  userId: number | null;
  /** The scope of an Idempotency-Key: two callers may choose the same one. */
  caller: string;
  role: 'customer' | 'operator' | 'admin' | 'anonymous';
  /** For the records of payments. */
  name: string;
}

export type PrincipalOf = (req: Request) => ShopPrincipal;

/** Throws `NOT_LOGGED_IN` for an anonymous caller. */
export function requireKnown(principal: ShopPrincipal): void {
  if (principal.role === 'anonymous') throw new GatewayError('NOT_LOGGED_IN', webMessage('log-in-first'));
}

/** Throws unless the caller is an operator or the owner. @param userId the owner, or null without one. */
export function requireOwner(principal: ShopPrincipal, userId: number | null): void {
  requireKnown(principal);
  if (principal.role !== 'customer' || (userId !== null && userId === principal.userId)) return;
  throw new GatewayError('FORBIDDEN', shopMessage('not-yours'));
}

const NOBODY: ShopPrincipal = { userId: null, caller: '', role: 'anonymous', name: 'nobody' };
/** On a trusted network there are no logins: the caller counts as the first operator. */
const LAN: ShopPrincipal = { userId: 1, caller: '1', role: 'operator', name: 'somebody on this network' };

/** The principal of a request. The guard has checked the scopes of a key, which may use the data of every user. */
export const shopPrincipalOf: PrincipalOf = (req) => {
  const principal = principalOf(req);
  switch (principal.kind) {
    case 'user': {
      const { userId, role, username: name } = principal;
      return { userId, caller: String(userId), role, name };
    }
    case 'key': {
      const { keyId, name } = principal;
      return { userId: null, caller: `key ${keyId}`, role: 'operator', name: `key ${name}` };
    }
    case 'lan':
      return LAN;
    case 'nobody':
      return NOBODY;
  }
};
