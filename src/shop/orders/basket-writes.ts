import type { WriteDatabase } from '../../shared/ports/database.js';
import { GAME_COLUMNS, type GameRow } from '../rows.js';

export interface BasketChange {
  userId: number;
  gameId: number;
  /** The new quantity, or null to increase the quantity by one. */
  quantity: number | null;
  currency: string;
  at: number;
}

/** `done`, or the reason for the rejection. */
export type ChangeResult = 'done' | 'no_user' | 'no_game' | 'retired' | 'currency' | 'foreign' | 'too_many';

const FIND = `SELECT ${GAME_COLUMNS} FROM games WHERE id = @id`;
const USER = 'SELECT 1 FROM users WHERE id = @userId';
const PUT = `
  INSERT INTO cart_items (user_id, game_id, quantity, added_at)
  VALUES (@userId, @gameId, coalesce(@quantity, 1), @at)
  ON CONFLICT (user_id, game_id) DO UPDATE
  SET quantity = coalesce(@quantity, min(quantity + 1, 99)), added_at = @at`;
const TAKE_OUT = 'DELETE FROM cart_items WHERE user_id = @userId AND game_id = @gameId';

export function changeBasket(db: WriteDatabase, change: BasketChange): ChangeResult {
  const { userId, gameId, quantity, currency, at } = change;
  if (quantity === 0) {
    db.prepare(TAKE_OUT).run({ userId, gameId });
    return 'done';
  }
  if (!db.prepare(USER).get({ userId })) return 'no_user';
  const game = db.prepare<GameRow>(FIND).get({ id: gameId });
  if (!game) return 'no_game';
  if (game.active === 0) return 'retired';
  if (game.currency !== currency) return 'currency';
  db.prepare(PUT).run({ userId, gameId, quantity, at });
  return 'done';
}

export function emptyBasket(db: WriteDatabase, { userId }: { userId: number }): number {
  return db.prepare('DELETE FROM cart_items WHERE user_id = @userId').run({ userId }).changes;
}
