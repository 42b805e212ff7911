import type { Text } from '../messages/message.js';

export interface BackupEntry {
  /** The file name, which also identifies the backup. */
  name: string;
  bytes: number;
  /** Wall-clock time of the backup, in ms since 1970 UTC. */
  at: number;
}

export interface BackupCheck extends BackupEntry {
  /** Describes the damage; empty if the backup is intact. */
  damage: Text;
  /** Number of rows in each table, in the backup (`kept`) and in the current database (`now`). */
  tables: readonly { table: string; kept: number; now: number }[];
}

/** A backup that replaces the database on the next start. */
export interface RestoreChoice {
  name: string;
  /** The principal that chose the backup. */
  by: string;
  /** ms since 1970 UTC. */
  at: number;
}

/** The stored backups. Methods reject unknown names with `NOT_FOUND`. */
export interface BackupStore {
  /** Newest first. */
  list(): BackupEntry[];
  pathOf(name: string): string;
  /** Verifies the whole backup on a separate thread. */
  check(name: string): Promise<BackupCheck>;
  /**
   * Verifies the backup and schedules its restore for the next start. Rejects with `STORE_FAILED` if the
   * backup is damaged.
   */
  choose(name: string, by: string): Promise<RestoreChoice>;
  cancel(): Promise<void>;
  chosen(): RestoreChoice | undefined;
}
