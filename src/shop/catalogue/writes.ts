import type { WriteDatabase } from '../../shared/ports/database.js';
import { GAME_COLUMNS, type GameRow } from '../rows.js';

export interface NewGame {
  title: string;
  priceMinor: number;
  currency: string;
  sku: string | null;
  at: number;
}

export interface GameChange {
  id: number;
  title?: string | undefined;
  priceMinor?: number | undefined;
  sku?: string | undefined;
  isActive?: boolean | undefined;
}

export interface SeedRequest {
  games: readonly NewGame[];
  at: number;
}

const INSERT = `
  INSERT INTO games (sku, title, price_minor, currency, created_at) VALUES (@sku, @title, @priceMinor, @currency, @at)
  ON CONFLICT (sku) DO NOTHING RETURNING ${GAME_COLUMNS}`;
const FIND = `SELECT ${GAME_COLUMNS} FROM games WHERE id = @id`;
const SKU_TAKEN = 'SELECT 1 FROM games WHERE sku = @sku AND id <> @id';
const UPDATE = `
  UPDATE games SET title = @title, price_minor = @priceMinor, sku = @sku, active = @active WHERE id = @id
  RETURNING ${GAME_COLUMNS}`;

/** Adds the games only once, so that a shop emptied by an operator stays empty. */
export function seed(db: WriteDatabase, { games, at }: SeedRequest): void {
  const isFirst = db.prepare(
    "INSERT INTO shop_facts (name, at) VALUES ('seeded', @at) ON CONFLICT DO NOTHING",
  );
  if (isFirst.run({ at }).changes === 0) return;
  for (const game of games) db.prepare(INSERT).get({ ...game });
}

/** Returns null if another game has the same SKU. */
export function addGame(db: WriteDatabase, game: NewGame): GameRow | null {
  return db.prepare<GameRow>(INSERT).get({ ...game }) ?? null;
}

export function changeGame(db: WriteDatabase, change: GameChange): GameRow | 'no_game' | 'sku_taken' {
  const { id } = change;
  const row = db.prepare<GameRow>(FIND).get({ id });
  if (!row) return 'no_game';
  const {
    title = row.title,
    priceMinor = row.priceMinor,
    sku = row.sku,
    isActive = row.active === 1,
  } = change;
  if (sku !== null && db.prepare(SKU_TAKEN).get({ id, sku })) return 'sku_taken';
  const params = { id, title, priceMinor, sku, active: isActive ? 1 : 0 };
  return db.prepare<GameRow>(UPDATE).get(params) ?? 'no_game';
}

/** Retires a game that has orders; deletes any other game. */
export function removeGame(db: WriteDatabase, { id }: { id: number }): GameRow | null {
  const row = db.prepare<GameRow>(FIND).get({ id });
  if (!row) return null;
  db.prepare('DELETE FROM cart_items WHERE game_id = @id').run({ id });
  const isOrdered = db.prepare('SELECT 1 FROM orders WHERE game_id = @id LIMIT 1').get({ id });
  const text = isOrdered ? 'UPDATE games SET active = 0 WHERE id = @id' : 'DELETE FROM games WHERE id = @id';
  db.prepare(text).run({ id });
  return { ...row, active: 0 };
}
