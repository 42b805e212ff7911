import { messageOf } from '../../shared/errors.js';
import { openPlain } from '../connection.js';
import { isDamage } from '../disk-errors.js';
import { revocationPosition } from '../recovery/revocations.js';

/** What a look through a database file found. */
interface Inspection {
  /** What is damaged, in SQLite's words; empty when nothing is. */
  damage: string;
  /** No tables and no version: nobody has ever stored anything here. */
  isEmpty: boolean;
  schemaVersion: number;
  /** As `revocationPosition`. */
  revocations: number;
  /** Tables with rows that point to nothing. Wrong, but nothing that a backup would mend. */
  orphans: string[];
}

/**
 * Reads the whole file (`quick_check`, `foreign_key_check`); some 2 ms a MB, many times that on an SD card. `prepare` is
 * run first. Throws SQLite's own error when the file cannot be read at all, rather than being damaged.
 */
export function inspectFile(path: string, busyTimeoutMs: number, pragma?: string): Inspection {
  const found: Inspection = { damage: '', isEmpty: false, schemaVersion: 0, revocations: 0, orphans: [] };
  const db = openPlain(path, busyTimeoutMs);
  try {
    if (pragma) db.pragma(pragma);
    const faults = db.pragma('quick_check(3)') as { quick_check: string }[];
    if (faults[0]?.quick_check !== 'ok') found.damage = faults.map((row) => row.quick_check).join('; ');
    found.schemaVersion = Number(db.pragma('user_version', { simple: true }));
    const { tables } = db
      .prepare<[], { tables: number }>('SELECT count(*) AS tables FROM sqlite_schema')
      .get() ?? {
      tables: 0,
    };
    found.isEmpty = tables === 0 && found.schemaVersion === 0;
    found.revocations = revocationPosition(db);
    const orphans = db.pragma('foreign_key_check') as { table: string }[];
    found.orphans = [...new Set(orphans.map(({ table }) => table))];
    return found;
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return { ...found, damage: messageOf(thrown) };
  } finally {
    db.close();
  }
}
