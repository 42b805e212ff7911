import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { BackupReport } from '../../shared/ports/ports.js';
import type { StoreLimits } from '../limits.js';
import { fromWire, type WireError } from '../writer/wire-error.js';

export interface BackupStart {
  dir: string;
  limits: StoreLimits;
  wallMs: number;
}

export type BackupAnswer = { report: BackupReport } | { error: WireError };

/** One backup on its own thread. `cancel` leaves an unfinished file, which the next backup sweeps away. */
export function runBackup(start: BackupStart): { done: Promise<BackupReport>; cancel: () => Promise<void> } {
  const worker = new Worker(moduleUrl('store/backup/thread.js'), { workerData: start });
  const done = new Promise<BackupReport>((resolve, reject) => {
    let cause: Error | undefined;
    worker.on('message', (answer: BackupAnswer) =>
      'error' in answer ? reject(fromWire(answer.error)) : resolve(answer.report),
    );
    worker.on('error', (error) => {
      cause = error;
    });
    // After an answer this changes nothing.
    worker.on('exit', () =>
      reject(new GatewayError('STORE_FAILED', 'no backup was made: its thread ended', { cause })),
    );
  });
  return { done, cancel: async () => void (await worker.terminate()) };
}
