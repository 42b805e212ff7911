import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '../../shared/errors.js';
import { syncPath } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { Revocation } from '../../shared/ports/revocations.js';
import { openForReading, openPlain } from '../connection.js';
import { isDamage } from '../disk-errors.js';
import { storeMessage } from '../messages.js';
import { type CommitNumber, commitNumberOf } from '../recovery/commit-number.js';
import { revocationRows } from '../recovery/revocations.js';

interface Inspection {
  /** Messages from `quick_check`; empty if the file is intact. */
  damage: Text;
  /** True if the file has no tables and no version because the database was never used. */
  isEmpty: boolean;
  schemaVersion: number;
  revocations: Revocation[];
  commit: CommitNumber;
  /** Tables with invalid foreign keys, which a restore would not repair. */
  orphans: string[];
}

/** Checks the whole file (2 ms per MB, more on an SD card). Throws an SQLite error if it is unreadable. */
export function inspectFile(path: string, busyTimeoutMs: number, pragma?: string): Inspection {
  const found: Inspection = {
    damage: '',
    isEmpty: false,
    schemaVersion: 0,
    revocations: [],
    orphans: [],
    commit: { databaseId: '', operations: 0 },
  };
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
    found.revocations = revocationRows(db);
    found.commit = commitNumberOf(db);
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

/**
 * Checks a backup and compares it with its checksum, because `quick_check` does not find a changed byte in a
 * row. Backups from earlier versions have no checksum. Throws an SQLite error if the file is unreadable.
 * @param copy a copy of the backup to check instead of the backup itself.
 */
export function inspectBackup(path: string, busyTimeoutMs: number, copy = path, pragma?: string): Inspection {
  const expected = checksumOf(path);
  const isSame = expected === undefined || expected === sha256Of(copy);
  const found = inspectFile(copy, busyTimeoutMs, pragma);
  return isSame || found.damage ? found : { ...found, damage: storeMessage('backup-changed') };
}

export const CHECKSUM = '.sha256';
const CHUNK_BYTES = 1024 * 1024;

/** Returns the hash in the file that `sha256sum --check` reads, or undefined if the file does not exist. */
function checksumOf(path: string): string | undefined {
  if (!existsSync(`${path}${CHECKSUM}`)) return undefined;
  return readFileSync(`${path}${CHECKSUM}`, 'utf8').split(' ')[0] ?? '';
}

/** Writes the checksum of a file that will be renamed to `path`. */
export function writeChecksum(temp: string, path: string): void {
  writeFileSync(`${path}${CHECKSUM}`, `${sha256Of(temp)}  ${basename(path)}\n`, { mode: 0o600 });
  syncPath(`${path}${CHECKSUM}`);
}

function sha256Of(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const handle = openSync(path, 'r');
  try {
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(handle, chunk);
      hash.update(chunk.subarray(0, bytes));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

/** Returns the number of rows of each table. Throws an SQLite error if the file is unreadable. */
export function rowsIn(path: string): Map<string, number> {
  const db = openForReading(path);
  try {
    const tables = db
      .prepare<[], { name: string }>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const count = (name: string): number =>
      db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
    return new Map(tables.map(({ name }) => [name, count(name)]));
  } finally {
    db.close();
  }
}
