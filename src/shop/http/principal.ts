import type { Request } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { principalOf } from '../../web/guard/principal.js';
import { webMessage } from '../../web/messages.js';
import { shopMessage } from '../messages.js';

/** Who asks the shop for something. */
export interface ShopPrincipal {
  /** Null for a machine, and for nobody. */
  userId: number | null;
  /** One for each: two who ask may choose the same Idempotency-Key. */
  caller: string;
  role: 'customer' | 'operator' | 'admin' | 'anonymous';
  /** For the record: who set a status by hand. */
  name: string;
}

/** Finds out who asks. It reads and never waits. */
export type PrincipalOf = (req: Request) => ShopPrincipal;

/** Throws `NOT_LOGGED_IN` when nobody in particular asks. */
export function requireKnown(principal: ShopPrincipal): void {
  if (principal.role === 'anonymous') throw new GatewayError('NOT_LOGGED_IN', webMessage('log-in-first'));
}

/** Throws `NOT_LOGGED_IN`, or `FORBIDDEN` when a customer asks. */
export function requireOperator(principal: ShopPrincipal): void {
  requireKnown(principal);
  if (principal.role === 'customer') throw new GatewayError('FORBIDDEN', webMessage('needs-operator'));
}

/** Throws unless it belongs to whoever asks, or an operator asks. `userId` is null for what is nobody's. */
export function requireOwner(principal: ShopPrincipal, userId: number | null): void {
  requireKnown(principal);
  if (principal.role !== 'customer' || (userId !== null && userId === principal.userId)) return;
  throw new GatewayError('FORBIDDEN', shopMessage('not-yours'));
}

const NOBODY: ShopPrincipal = { userId: null, caller: '', role: 'anonymous', name: 'nobody' };
/** On a trusted network nobody logs in: whoever asks is the first operator. */
const LAN: ShopPrincipal = { userId: 1, caller: '1', role: 'operator', name: 'somebody on this network' };

/**
 * Who the guard found, as the shop sees it. A key is a machine: its scopes are checked at the door, and what it may touch
 * there belongs to everybody.
 */
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
