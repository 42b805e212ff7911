import type { WriteDatabase } from '../../shared/ports/database.js';

export interface CommandRow {
  /** Unique, so that appending the same row again has no effect. */
  entryKey: string;
  /** ms since 1970 UTC. */
  at: number;
  commandId: string;
  cartId: number;
  state: string;
  /** JSON of the complete view. */
  view: string;
}

export interface SafetyRow {
  entryKey: string;
  at: number;
  cartId: number;
  kind: string;
  view: string;
}

export interface PruneRequest {
  /** Rows older than this time are removed (ms since 1970 UTC). */
  before: number;
  /** This many of the latest rows are always kept, so that a wrong clock cannot empty the table. */
  keep: number;
  /** Maximum number of rows per transaction. */
  limit: number;
}

function appendCommands(db: WriteDatabase, rows: readonly CommandRow[]): void {
  const insert = db.prepare(`
    INSERT INTO command_history (entry_key, at, command_id, cart_id, state, view)
    VALUES (@entryKey, @at, @commandId, @cartId, @state, @view)
    ON CONFLICT (entry_key) DO NOTHING`);
  for (const row of rows) insert.run({ ...row });
}

function appendSafety(db: WriteDatabase, rows: readonly SafetyRow[]): void {
  const insert = db.prepare(`
    INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
    VALUES (@entryKey, @at, @cartId, @kind, @view)
    ON CONFLICT (entry_key) DO NOTHING`);
  for (const row of rows) insert.run({ ...row });
}

/** Returns the number of removed rows. Table triggers reject the removal of rows younger than 30 days. */
function prune(table: 'command_history' | 'safety_events') {
  return (db: WriteDatabase, { before, keep, limit }: PruneRequest): number =>
    db
      .prepare(`
        DELETE FROM ${table} WHERE id IN (
          SELECT id FROM ${table}
          WHERE at < @before AND id <= (SELECT max(id) FROM ${table}) - @keep
          ORDER BY at LIMIT @limit)`)
      .run({ before, keep, limit }).changes;
}

export const opsWrites = {
  'ops.appendCommands': appendCommands,
  'ops.appendSafety': appendSafety,
  'ops.pruneCommands': prune('command_history'),
  'ops.pruneSafety': prune('safety_events'),
};
