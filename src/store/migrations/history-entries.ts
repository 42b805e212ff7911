import type { Migration } from './migration.js';

/**
 * An index of the history, with one row per command and per safety event. A row refers to the details in
 * `command_history` or `safety_events` and is removed with them. `words` is lower-case text for searches.
 */
export const historyEntries: Migration = {
  name: 'history entries',
  up(db) {
    db.exec(`
      CREATE TABLE history_entries (
        id INTEGER PRIMARY KEY,
        entry_key TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL CHECK (source IN ('command', 'safety')),
        source_id INTEGER NOT NULL,
        at INTEGER NOT NULL,
        cart_id INTEGER NOT NULL,
        person TEXT NOT NULL,
        kind TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        distance_mm INTEGER NOT NULL,
        words TEXT NOT NULL,
        UNIQUE (source, source_id)
      ) STRICT;
      CREATE INDEX history_entries_at ON history_entries (at);
      CREATE INDEX history_entries_cart ON history_entries (cart_id, at);
      CREATE INDEX history_entries_person ON history_entries (person, at);
      CREATE INDEX history_entries_outcome ON history_entries (outcome, at);
      CREATE TRIGGER command_history_delete_entry AFTER DELETE ON command_history
      BEGIN DELETE FROM history_entries WHERE source = 'command' AND source_id = OLD.id; END;
      CREATE TRIGGER safety_events_delete_entry AFTER DELETE ON safety_events
      BEGIN DELETE FROM history_entries WHERE source = 'safety' AND source_id = OLD.id; END;
    `);
    db.exec(`${COMMANDS};${SAFETY};`);
  },
};

/**
 * Adds the ID of the press that latched a stop, because one press can stop several carts. The ID is empty for all
 * other entries.
 */
export const historyPresses: Migration = {
  name: 'presses in the history',
  up(db) {
    db.exec(`
      ALTER TABLE history_entries ADD COLUMN press_id TEXT NOT NULL DEFAULT '';
      CREATE INDEX history_entries_press ON history_entries (press_id, id) WHERE press_id <> '';
    `);
  },
};

/**
 * `times` is the number of events that an entry represents. `presses` is the number of those events that no entry
 * of another cart represents.
 */
export const historyRepeats: Migration = {
  name: 'repeated events in the history',
  up(db) {
    db.exec(`
      ALTER TABLE history_entries ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE history_entries ADD COLUMN presses INTEGER NOT NULL DEFAULT 1;
    `);
  },
};

/** A command's latest row contains its result. Early versions stored reasons only as English text. */
const COMMANDS = `
  INSERT INTO history_entries
    (entry_key, source, source_id, at, cart_id, person, kind, outcome, reason, distance_mm, words)
  SELECT command_id || '@' || coalesce(view ->> 'acceptedAt', ''), 'command', id,
    coalesce(CAST(round(unixepoch(view ->> 'acceptedAt', 'subsec') * 1000) AS INTEGER), at), cart_id,
    coalesce(view ->> '$.origin.principal', ''), coalesce(view ->> 'kind', ''),
    CASE WHEN state = 'FINISHED' THEN 'finished' WHEN state = 'CANCELLED' THEN 'cancelled'
      WHEN state IN ('FAILED', 'EXPIRED', 'REJECTED') THEN 'failed' ELSE 'running' END,
    coalesce(view ->> '$.reason.code', ''),
    coalesce(CAST(abs(round(view ->> '$.result.distanceMm')) AS INTEGER), 0),
    lower(concat_ws(' ', 'cart ' || cart_id, view ->> '$.origin.principal', view ->> 'kind',
      view ->> '$.reason.code', view ->> '$.reason.text', command_id))
  FROM command_history WHERE id IN (SELECT max(id) FROM command_history GROUP BY command_id) ORDER BY id`;

/** `by` is either a principal or the English text of a condition. */
const SAFETY = `
  INSERT INTO history_entries
    (entry_key, source, source_id, at, cart_id, person, kind, outcome, reason, distance_mm, words)
  SELECT entry_key, 'safety', id, at, cart_id,
    CASE WHEN kind = 'protective_stop' THEN ''
      WHEN by_text = 'the operator' OR by_text LIKE 'key %' OR by_text LIKE 'gateway %'
        OR by_text LIKE '% (gateway %)' OR instr(by_text, ' ') = 0 THEN by_text
      ELSE '' END,
    kind,
    CASE kind WHEN 'protective_stop' THEN 'protective' WHEN 'estop.reset' THEN 'reset' ELSE 'estop' END,
    '', 0, lower(concat_ws(' ', 'cart ' || cart_id, kind, by_text))
  FROM (SELECT *, coalesce(view ->> 'by', '') AS by_text FROM safety_events) ORDER BY id`;
