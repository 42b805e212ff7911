import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { syncPath } from '../../shared/files.js';
import { uploadMessage } from '../../shared/messages/messages.js';
import { toWire, type WorkerAnswer } from '../../shared/worker.js';
import { type Database, openForReading, openPlain } from '../connection.js';
import { diskReason, isDamage, isDiskFault } from '../disk-errors.js';
import { STORE_LIMITS } from '../limits.js';
import { storeMessage } from '../messages.js';
import { MIGRATIONS } from '../migrations/index.js';
import { storePaths } from '../paths.js';
import { migrate, schemaVersion } from '../recovery/open-database.js';
import { CHECKSUM, inspectFile, writeChecksum } from './integrity.js';
import { readChoice } from './restore-choice.js';
import { BACKUP_HINT, HEADER_BYTES, headerFault, replacedUploads, type UploadCheckStart } from './uploads.js';

/** Checks an uploaded file, renames it to its final name and deletes the uploads that it replaces. */
const { dir, temp, path } = workerData as UploadCheckStart;
const send = (answer: WorkerAnswer<string>): void => parentPort?.postMessage(answer);
try {
  checkUpload(temp);
  accept();
  send({ report: path });
} catch (thrown) {
  send({ error: toWire(isDiskFault(thrown) ? unreadable(thrown) : thrown) });
}

function accept(): void {
  const paths = storePaths(dir);
  const replaced = replacedUploads(paths, readChoice(paths)?.name);
  // The checksum is written before the file is renamed to its final name, so that a power cut cannot leave an upload
  // without a checksum.
  writeChecksum(temp, path);
  renameSync(temp, path);
  syncPath(paths.uploads);
  for (const { path: old } of replaced) {
    rmSync(old, { force: true });
    rmSync(`${old}${CHECKSUM}`, { force: true });
  }
}

function unreadable(cause: unknown): GatewayError {
  const text = uploadMessage('failed', { reason: diskReason(cause, dir) });
  return new GatewayError('STORE_FAILED', text, { cause });
}

/**
 * Checks the header, the schema and the whole content of an uploaded file. Throws `BACKUP_FOREIGN`,
 * `BACKUP_NEWER`, `BACKUP_DAMAGED` or an SQLite error.
 */
function checkUpload(path: string): void {
  const fault = headerFault(headerOf(path), statSync(path).size);
  if (fault) throw fault;
  try {
    checkSchema(path);
  } catch (thrown) {
    if (isDamage(thrown)) throw damaged(String(thrown));
    throw thrown;
  }
  const { damage, isEmpty } = inspectFile(path, STORE_LIMITS.busyTimeoutMs, 'trusted_schema = OFF');
  if (damage || isEmpty) throw damaged(damage || storeMessage('backup-empty'));
}

function damaged(damage: Parameters<typeof storeMessage<'upload-damaged'>>[1]['damage']): GatewayError {
  return new GatewayError('BACKUP_DAMAGED', storeMessage('upload-damaged', { damage }), BACKUP_HINT);
}

/**
 * Compares the schema with that of the file's version, because another application's database can have the same
 * version number, and triggers or views in a crafted file would run with the gateway's writes.
 */
function checkSchema(path: string): void {
  const db = openForReading(path);
  try {
    const version = schemaVersion(db);
    const found = objectsIn(db);
    const expected = objectsOfVersion(Math.min(version, MIGRATIONS.length));
    if (version > MIGRATIONS.length && expected.some((name) => found.has(name))) {
      const text = storeMessage('upload-newer', { version, supported: MIGRATIONS.length });
      throw new GatewayError('BACKUP_NEWER', text, { hint: storeMessage('upload-newer-hint') });
    }
    const known = new Set(expected);
    const isForeign =
      version < 1 ||
      version > MIGRATIONS.length ||
      expected.some((name) => !found.has(name)) ||
      [...found].some((name) => /^(trigger|view) /.test(name) && !known.has(name));
    if (isForeign) throw new GatewayError('BACKUP_FOREIGN', storeMessage('upload-foreign'), BACKUP_HINT);
  } finally {
    db.close();
  }
}

function objectsOfVersion(version: number): string[] {
  const db = openPlain(':memory:', 0);
  try {
    migrate(db, MIGRATIONS.slice(0, version), ':memory:');
    return [...objectsIn(db)];
  } finally {
    db.close();
  }
}

/** Returns the names of all schema objects, for example `table users`, `index orders_game` and `column users.role`. */
function objectsIn(db: Database): Set<string> {
  const rows = db
    .prepare<[], { name: string }>(`
      SELECT type || ' ' || name AS name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'
      UNION ALL
      SELECT 'column ' || t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
    .all();
  return new Set(rows.map(({ name }) => name));
}

function headerOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
