import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { BackupCheck } from '../../shared/ports/ports.js';
import { fromWire, type WireError } from '../writer/wire-error.js';

export interface CheckStart {
  /** The backup to look through, and the database that it is compared with. */
  backup: string;
  database: string;
}

export type CheckReport = Pick<BackupCheck, 'damage' | 'tables'>;
export type CheckAnswer = { report: CheckReport } | { error: WireError };

/** Looks through one backup on a thread of its own. Rejects with `STORE_FAILED` when it cannot be read at all. */
export function runCheck(start: CheckStart): Promise<CheckReport> {
  const worker = new Worker(moduleUrl('store/backup/check-thread.js'), { workerData: start });
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: CheckAnswer) =>
      'error' in answer ? reject(fromWire(answer.error)) : resolve(answer.report),
    );
    worker.on('error', (cause) =>
      reject(new GatewayError('STORE_FAILED', 'the backup could not be read', { cause })),
    );
    // After an answer this changes nothing.
    worker.on('exit', () => reject(new GatewayError('STORE_FAILED', 'the check of the backup was cut off')));
  });
}
