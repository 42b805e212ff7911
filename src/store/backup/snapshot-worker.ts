import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSnapshot } from '../../shared/ports/backups.js';
import { lowerThreadPriority, toWire, type WorkerAnswer } from '../../shared/worker.js';
import { openForReading } from '../connection.js';
import { STORE_LIMITS } from '../limits.js';
import { storePaths } from '../paths.js';
import type { SnapshotStart } from './backup-manager.js';
import { copyVerified } from './backup-rotation.js';
import { rowsIn } from './integrity.js';

/** Makes one copy of the database on its own thread, because copying takes seconds on an SD card. */
const { dir, path } = workerData as SnapshotStart;
const send = (answer: WorkerAnswer<DatabaseSnapshot>): void => parentPort?.postMessage(answer);
try {
  lowerThreadPriority();
  const paths = storePaths(dir);
  const db = openForReading(paths.database);
  try {
    await copyVerified(db, paths, path, STORE_LIMITS);
  } finally {
    db.close();
  }
  const copy = openForReading(path);
  try {
    const schemaVersion = Number(copy.pragma('user_version', { simple: true }));
    send({ report: { path, schemaVersion, tables: Object.fromEntries(rowsIn(path)) } });
  } finally {
    copy.close();
  }
} catch (thrown) {
  send({ error: toWire(thrown) });
}
