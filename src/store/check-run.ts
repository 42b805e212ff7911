import { Worker } from 'node:worker_threads';
import type { BackupCheck } from '../ports.js';
import { GatewayError } from '../util/errors.js';
import { fromWire, type WireError } from './wire-error.js';

export interface CheckStart {
  /** The backup to look through, and the database that it is compared with. */
  backup: string;
  database: string;
}

export type CheckReport = Pick<BackupCheck, 'damage' | 'tables'>;
export type CheckAnswer = { report: CheckReport } | { error: WireError };

/** Looks through one backup on a thread of its own. Rejects with `STORE_FAILED` when it cannot be read at all. */
export function runCheck(start: CheckStart): Promise<CheckReport> {
  const worker = new Worker(new URL('../store/check-thread.js', import.meta.url), { workerData: start });
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
