import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from '../connection.js';
import { storePaths } from '../paths.js';
import { toWire } from '../writer/wire-error.js';
import { makeBackup } from './backups.js';
import type { BackupAnswer, BackupStart } from './run.js';

/** A short-lived thread that makes one backup: reading and fsyncing a whole copy would hold up the writer for seconds. */
const { dir, limits, wallMs } = workerData as BackupStart;
const send = (answer: BackupAnswer): void => parentPort?.postMessage(answer);
try {
  const paths = storePaths(dir);
  const db = openForReading(paths.database);
  try {
    send({ report: await makeBackup(db, paths, limits, wallMs) });
  } finally {
    db.close();
  }
} catch (thrown) {
  send({ error: toWire(thrown) });
}
