import type { Text } from '../messages/message.js';

/** A finished copy of the database. */
export interface BackupEntry {
  /** Its file name, which is also how it is asked for. */
  name: string;
  bytes: number;
  /** ms since 1970 UTC, by the clock of then. */
  at: number;
}

/** What a look through a backup found. */
export interface BackupCheck extends BackupEntry {
  /** What is damaged, in words; empty when it is sound. */
  damage: Text;
  /** Rows of each table in the backup and in the database of now: what a restore would take away. */
  tables: readonly { table: string; kept: number; now: number }[];
}

/** A backup that takes the place of the database at the next start. */
export interface RestoreChoice {
  name: string;
  /** Who chose it, and when (ms since 1970 UTC). */
  by: string;
  at: number;
}

/** The backups that are kept. Names that are not among them are refused with `NOT_FOUND`. */
export interface BackupStore {
  /** Newest first. */
  list(): BackupEntry[];
  /** Where the file lies. */
  pathOf(name: string): string;
  /** Reads the whole backup, on a thread of its own. */
  check(name: string): Promise<BackupCheck>;
  /** Checks the backup, and notes it for the next start. Rejects with `STORE_FAILED` when it is damaged. */
  choose(name: string, by: string): Promise<RestoreChoice>;
  /** Takes the choice back. */
  cancel(): Promise<void>;
  chosen(): RestoreChoice | undefined;
}
