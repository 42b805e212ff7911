import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { toWire, type WorkerAnswer } from '../../shared/worker.js';
import { openForReading } from '../connection.js';
import { diskReason, isDiskFault } from '../disk-errors.js';
import { STORE_LIMITS } from '../limits.js';
import { storeMessage } from '../messages.js';
import type { CheckReport, CheckStart } from './backup-manager.js';
import { inspectBackup } from './integrity.js';

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

function rowsIn(path: string): Map<string, number> {
  const db = openForReading(path);
  try {
    const tables = db
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const count = (name: string): number =>
      db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
    return new Map(tables.map(({ name }) => [name, count(name)]));
  } finally {
    db.close();
  }
}
