// `RevocationJournal` runs on the writer thread, at startup and after every commit.

import { existsSync, renameSync } from 'node:fs';
import { GatewayError } from '../../shared/errors.js';
import { stampOf } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { ReplayRevocations, Revocation } from '../../shared/ports/revocations.js';
import { type Database, type Statement, writeDatabase } from '../connection.js';
import { diskReason } from '../disk-errors.js';
import { storeMessage } from '../messages.js';
import type { StorePaths } from '../paths.js';
import {
  appendRevocations,
  type RevocationFile,
  readRevocations,
  rewriteRevocations,
} from './revocation-file.js';

/** The file is compacted when its line count exceeds twice the number of rows by more than this. */
const SPARE_LINES = 200;
const COLUMNS = 'subject, what, value, sequence';
const POSITION = 'SELECT coalesce(max(sequence), 0) AS sequence FROM revocations';

export interface ReplayReport {
  /** The changes that were applied, in at most one sentence. */
  changes: Text[];
  /** One log record per change. */
  replayed: Record<string, unknown>[];
}

/** Returns the highest sequence number; 0 if the database has no revocations or predates the journal. */
export function revocationPosition(db: Database): number {
  if (!hasTable(db)) return 0;
  return db.prepare<[], { sequence: number }>(POSITION).get()?.sequence ?? 0;
}

/** Returns the database's revocations; none if it predates the journal. */
export function revocationRows(db: Database): Revocation[] {
  if (!hasTable(db)) return [];
  return db.prepare<[], Revocation>(`SELECT ${COLUMNS} FROM revocations ORDER BY sequence`).all();
}

/**
 * Makes the next start replay the revocations that the backup lacks. An uploaded backup can belong to another
 * journal, for example to that of an earlier SD card; equal sequence numbers then refer to different revocations.
 * Such revocations get new numbers, and those that only the backup contains are added to the journal.
 * @param rows the backup's `revocationRows`.
 */
export function recordRestore(
  { revocations }: StorePaths,
  backup: string,
  rows: readonly Revocation[],
): void {
  const file = readRevocations(revocations);
  const journal = new Map(file.entries.map((entry) => [keyOf(entry), entry]));
  const inBackup = new Map(rows.map((row) => [keyOf(row), row]));
  const position = rows.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
  const isContained = (entry: Revocation): boolean => {
    const row = inBackup.get(keyOf(entry));
    return row?.sequence === entry.sequence && row.value === entry.value;
  };
  const first = Math.max(file.last, position) + 1;
  const lacking = [...journal.values()]
    .filter((entry) => entry.sequence <= position && !isContained(entry))
    .map((entry, index) => ({ ...entry, sequence: first + index }));
  appendRevocations(revocations, file, [
    ...rows.filter((row) => !journal.has(keyOf(row))),
    ...lacking,
    restoreEntry(backup, first + lacking.length),
  ]);
}

function keyOf({ subject, what }: Revocation): string {
  return `${subject} ${what}`;
}

/** Returns the revocation that ends all sessions after a restore. */
export function restoreEntry(backup: string, sequence: number): Revocation {
  return { subject: 'database', what: 'restored', value: backup, sequence };
}

/** Applies, in one transaction, the entries that are newer than the database. */
export function replayRevocations(
  db: Database,
  entries: readonly Revocation[],
  replay: ReplayRevocations,
): ReplayReport {
  const position = revocationPosition(db);
  const last = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const newer = [...last.values()].filter(({ sequence }) => sequence > position);
  if (newer.length === 0) return { changes: [], replayed: [] };
  const replayed = db
    .transaction(() => {
      const insert = db.prepare(
        `INSERT OR REPLACE INTO revocations (${COLUMNS}) VALUES (@subject, @what, @value, @sequence)`,
      );
      for (const entry of newer) insert.run(entry);
      return replay(writeDatabase(db), newer);
    })
    .immediate();
  const list = replayed.map(({ text }) => text).join(', ');
  const change = list
    ? storeMessage('journal-applied-to', { changes: list })
    : storeMessage('journal-applied');
  const restores = newer.filter(({ what }) => what === 'restored');
  const fields = restores.map(({ what, value }) => ({ what, source: value }));
  return { changes: [change], replayed: [...fields, ...replayed.map((one) => one.fields)] };
}

/** Copies the database's revocations to a file that a restore does not replace. */
export class RevocationJournal {
  readonly #db: Database;
  readonly #paths: StorePaths;
  readonly #position: Statement<[], { sequence: number }> | undefined;
  #published = 0;

  constructor(db: Database, paths: StorePaths) {
    this.#db = db;
    this.#paths = paths;
    if (hasTable(db)) this.#position = db.prepare(POSITION);
  }

  /** Called at startup. Applies the file's newer revocations, then adds those that the file lacks. */
  reconcile(replay: ReplayRevocations): ReplayReport & { faults: Text[] } {
    if (!this.#position) return { changes: [], replayed: [], faults: [] };
    const file = readRevocations(this.#paths.revocations);
    const report = replayRevocations(this.#db, file.entries, replay);
    const fault = this.#faultOf(file);
    if (file.damagedLines > 0) this.#replaceDamaged();
    this.publish();
    return { ...report, faults: fault ? [fault] : [] };
  }

  /** Call this after each commit, before acknowledging it. After `STORE_FAILED`, the next call retries. */
  publish(): void {
    try {
      const position = this.#position?.get()?.sequence ?? 0;
      if (position === this.#published) return;
      // The write lock prevents other processes from appending while the file is replaced.
      this.#db.transaction(() => this.#append()).immediate();
      this.#published = position;
    } catch (thrown) {
      const reason = diskReason(thrown, this.#paths.dir);
      const text = storeMessage('journal-failed', { reason });
      throw new GatewayError('STORE_FAILED', text, { cause: thrown, retryAfterS: 2 });
    }
  }

  #append(): void {
    const path = this.#paths.revocations;
    const file = readRevocations(path);
    const rows = revocationRows(this.#db);
    const missing = rows.filter(({ sequence }) => sequence > file.last);
    if (file.entries.length + missing.length > 2 * rows.length + SPARE_LINES) rewriteRevocations(path, rows);
    else if (missing.length > 0 || !file.exists) appendRevocations(path, file, missing);
  }

  #faultOf({ exists, damagedLines }: RevocationFile): Text {
    if (damagedLines > 0) return storeMessage('journal-damaged', { lines: damagedLines });
    if (exists || revocationPosition(this.#db) === 0) return '';
    return storeMessage('journal-missing');
  }

  #replaceDamaged(): void {
    const path = this.#paths.revocations;
    const aside = `${path}.damaged-${stampOf(Date.now())}`;
    if (!existsSync(aside)) renameSync(path, aside);
    rewriteRevocations(path, revocationRows(this.#db));
  }
}

function hasTable(db: Database): boolean {
  const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'revocations'";
  return db.prepare(sql).get() !== undefined;
}
