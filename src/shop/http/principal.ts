import type { Request } from 'express';
import { GatewayError } from '../../shared/errors.js';

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
  if (principal.role === 'anonymous') throw new GatewayError('NOT_LOGGED_IN', 'log in first');
}

/** Throws `NOT_LOGGED_IN`, or `FORBIDDEN` when a customer asks. */
export function requireOperator(principal: ShopPrincipal): void {
  requireKnown(principal);
  if (principal.role === 'customer') throw new GatewayError('FORBIDDEN', 'this needs an operator');
}

/** Throws unless it belongs to whoever asks, or an operator asks. `userId` is null for what is nobody's. */
export function requireOwner(principal: ShopPrincipal, userId: number | null): void {
  requireKnown(principal);
  if (principal.role !== 'customer' || (userId !== null && userId === principal.userId)) return;
  throw new GatewayError('FORBIDDEN', 'this belongs to somebody else');
}
