import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { toWire, type WorkerAnswer } from '../../shared/worker.js';
import { diskReason, isDiskFault } from '../disk-errors.js';
import { STORE_LIMITS } from '../limits.js';
import { storeMessage } from '../messages.js';
import type { CheckReport, CheckStart } from './backup-manager.js';
import { inspectBackup, rowsIn } from './integrity.js';

/** Checks one backup. Uses a separate thread, because reading a backup takes seconds on an SD card. */
const { backup, database } = workerData as CheckStart;
const send = (answer: WorkerAnswer<CheckReport>): void => parentPort?.postMessage(answer);
try {
  send({ report: check() });
} catch (thrown) {
  send({ error: toWire(isDiskFault(thrown) ? unreadable(thrown) : thrown) });
}

function check(): CheckReport {
  const { damage, isEmpty } = inspectBackup(backup, STORE_LIMITS.busyTimeoutMs);
  if (damage || isEmpty) return { damage: damage || storeMessage('backup-empty'), tables: [] };
  const [kept, now] = [rowsIn(backup), rowsIn(database)];
  const tables = [...new Set([...kept.keys(), ...now.keys()])].toSorted();
  return {
    damage: '',
    tables: tables.map((table) => ({ table, kept: kept.get(table) ?? 0, now: now.get(table) ?? 0 })),
  };
}

function unreadable(cause: unknown): GatewayError {
  const reason = diskReason(cause, dirname(database));
  const text = storeMessage('backup-not-comparable', { reason });
  return new GatewayError('STORE_FAILED', text, { cause });
}
