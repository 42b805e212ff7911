import type { Actor } from '../actor.js';
import type { Text } from '../messages/message.js';

export interface BackupEntry {
  /** The file name, which also identifies the backup. */
  name: string;
  bytes: number;
  /** Unix time in ms. */
  at: number;
}

export interface BackupCheck extends BackupEntry {
  /** Description of the damage; empty if the backup is intact. */
  damage: Text;
  /** Row counts in the backup (`kept`) and in the current database (`now`). */
  tables: readonly { table: string; kept: number; now: number }[];
}

export interface RestoreChoice {
  name: string;
  by: Actor;
  /** Unix time in ms. */
  at: number;
}

/** A part of a file: the positions of its first and last byte, and the size of the file. */
export interface UploadPart {
  first: number;
  last: number;
  total: number;
}

/** `received` of the file's `bytes` are stored. */
export interface UploadProgress {
  received: number;
  bytes: number;
}

/** A consistent copy of the database. */
export interface DatabaseSnapshot {
  path: string;
  schemaVersion: number;
  /** The number of rows of each table. */
  tables: Readonly<Record<string, number>>;
}

/** All methods reject unknown names with `NOT_FOUND`. */
export interface BackupManager {
  /** Returns the backups, newest first. */
  list(): BackupEntry[];
  /** Returns the uploaded backups, newest first. `at` is the time of the upload. */
  uploads(): BackupEntry[];
  /** Stores a part of an uploaded file. After the last part, checks the file and resolves with the result. */
  upload(part: UploadPart, chunks: AsyncIterable<Uint8Array>): Promise<UploadProgress | BackupCheck>;
  pathOf(name: string): string;
  /** Verifies the backup on a separate thread. */
  check(name: string): Promise<BackupCheck>;
  /** Verifies the backup and schedules its restore. Rejects with `STORE_FAILED` if the backup is damaged. */
  choose(name: string, by: Actor): Promise<RestoreChoice>;
  cancel(): Promise<void>;
  chosen(): RestoreChoice | undefined;
  /**
   * Copies the database to a new file on a separate thread, without blocking writes, and verifies the copy. On
   * failure, deletes the file (unless the signal ended the thread) and rejects with `STORE_FULL` or `STORE_FAILED`.
   */
  snapshot(path: string, signal?: AbortSignal): Promise<DatabaseSnapshot>;
  /** Deletes an unfinished upload. */
  close(): Promise<void>;
}
