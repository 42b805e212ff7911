import type { SqlParams, WriteDatabase } from '../../shared/ports/database.js';
import { CHANGE_KINDS, type IndexColumns } from './entries.js';

export interface StoredCommand extends IndexColumns {
  /** Unique, so that appending the same row again has no effect. */
  entryKey: string;
  /** Unix time in ms. */
  at: number;
  commandId: string;
  cartId: number;
  state: string;
  view: string;
}

export interface SafetyRow extends IndexColumns {
  entryKey: string;
  at: number;
  cartId: number;
  kind: string;
  view: string;
}

export interface PruneRequest {
  /** Unix time in ms. Older rows are removed. */
  before: number;
  /** Number of newest rows that are never removed, so that a wrong clock cannot empty the table. */
  keep: number;
  /** Maximum number of rows per transaction. */
  limit: number;
}

function appendCommands(db: WriteDatabase, rows: readonly StoredCommand[]): void {
  const insert = db.prepare(`
    INSERT INTO command_history (entry_key, at, command_id, cart_id, state, view)
    VALUES (@entryKey, @at, @commandId, @cartId, @state, @view)
    ON CONFLICT (entry_key) DO NOTHING`);
  const index = indexer(db, 'command');
  for (const row of rows) {
    insert.run({ ...row });
    index({ ...row });
  }
}

function appendSafety(db: WriteDatabase, rows: readonly SafetyRow[]): void {
  const insert = db.prepare(`
    INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
    VALUES (@entryKey, @at, @cartId, @kind, @view)
    ON CONFLICT (entry_key) DO NOTHING`);
  const index = indexer(db, 'safety');
  for (const row of rows) {
    insert.run({ ...row });
    index({ ...row });
  }
}

/** Returns a function that indexes a stored row or updates the entry of a command that is already indexed. */
function indexer(db: WriteDatabase, source: 'command' | 'safety') {
  const table = source === 'command' ? 'command_history' : 'safety_events';
  const index = db.prepare(`
    INSERT INTO history_entries
      (entry_key, source, source_id, at, cart_id, actor, person, kind, outcome, reason, distance_mm, words,
       press_id, times, presses)
    SELECT @indexKey, '${source}', id, @eventAt, cart_id, @actor, @person, @kind, @outcome, @reason, @distanceMm, @words,
      @pressId, @times, @presses
    FROM ${table} WHERE entry_key = @entryKey
    ON CONFLICT (entry_key) DO UPDATE SET
      source_id = excluded.source_id, outcome = excluded.outcome, reason = excluded.reason,
      distance_mm = excluded.distance_mm, words = excluded.words
    WHERE excluded.source_id > source_id`);
  return (row: SqlParams) => void index.run(row);
}

/** Returns a function that removes old rows. Table triggers reject removals within 30 days. */
function prune(table: 'command_history' | 'safety_events', condition = 'true') {
  return (db: WriteDatabase, { before, keep, limit }: PruneRequest): number =>
    db
      .prepare(`
        DELETE FROM ${table} WHERE id IN (
          SELECT id FROM ${table}
          WHERE at < @before AND id <= (SELECT max(id) FROM ${table}) - @keep AND ${condition}
          ORDER BY at LIMIT @limit)`)
      .run({ before, keep, limit }).changes;
}

const IS_CHANGE = `kind IN (${CHANGE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

export const opsWrites = {
  'ops.appendCommands': appendCommands,
  'ops.appendSafety': appendSafety,
  'ops.pruneCommands': prune('command_history'),
  'ops.pruneSafety': prune('safety_events', `NOT ${IS_CHANGE}`),
  'ops.pruneChanges': prune('safety_events', IS_CHANGE),
};
