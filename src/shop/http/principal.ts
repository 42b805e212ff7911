import type { Request } from 'express';
import { actorOfPrincipal } from '../../http/guard/authenticator.js';
import { principalOf } from '../../http/guard/principal.js';
import { webMessage } from '../../http/messages.js';
import { type Actor, ANONYMOUS_ACTOR, LAN_ACTOR } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { shopMessage } from '../messages.js';

/** The authorised caller of a shop route. Route handlers check only whether the caller owns the data. */
export interface ShopPrincipal {
  /** Null for keys and anonymous callers. */
  userId: number | null;
  /** Scope of the caller's idempotency keys, needed because two callers may choose the same key. */
  caller: string;
  role: 'customer' | 'operator' | 'admin' | 'anonymous';
  /** Recorded in payment events. */
  actor: Actor;
}

export type PrincipalOf = (req: Request) => ShopPrincipal;

export function requireLogin(principal: ShopPrincipal): void {
  if (principal.role === 'anonymous') throw new GatewayError('NOT_LOGGED_IN', webMessage('log-in-first'));
}

/** Throws unless the caller is an operator or the owner. `userId` is the owner's ID, or null. */
export function requireOwner(principal: ShopPrincipal, userId: number | null): void {
  requireLogin(principal);
  if (principal.role !== 'customer' || (userId !== null && userId === principal.userId)) return;
  throw new GatewayError('FORBIDDEN', shopMessage('not-yours'));
}

const ANONYMOUS: ShopPrincipal = { userId: null, caller: '', role: 'anonymous', actor: ANONYMOUS_ACTOR };
/** Callers on a trusted network act as the first operator. */
const LAN: ShopPrincipal = {
  userId: 1,
  caller: '1',
  role: 'operator',
  actor: { ...LAN_ACTOR, name: 'trusted network' },
};

/** An API key can access all users' data, because the access guard has already checked the key's scopes. */
export const shopPrincipalOf: PrincipalOf = (req) => {
  const principal = principalOf(req);
  const actor = actorOfPrincipal(principal);
  switch (principal.kind) {
    case 'user': {
      const { userId, role } = principal;
      return { userId, caller: String(userId), role, actor };
    }
    case 'key':
      return { userId: null, caller: `key ${principal.keyId}`, role: 'operator', actor };
    case 'lan':
      return LAN;
    case 'anonymous':
      return ANONYMOUS;
  }
};
