import { parentPort, workerData } from 'node:worker_threads';
import type { BackupReport } from '../../shared/ports/store.js';
import { toWire, type WorkerAnswer } from '../../shared/worker.js';
import { openForReading } from '../connection.js';
import { storePaths } from '../paths.js';
import { makeBackup } from './backup-rotation.js';
import type { BackupStart } from './backup-scheduler.js';

/** Makes one backup on its own thread. */
const { dir, limits, wallMs } = workerData as BackupStart;
const send = (answer: WorkerAnswer<BackupReport>): void => parentPort?.postMessage(answer);
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
