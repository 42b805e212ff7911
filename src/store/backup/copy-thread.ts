import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { runWorker } from '../../shared/worker.js';

/**
 * A copy of 1 GB takes a few minutes on an SD card. Without a limit, a thread could run for ever: better-sqlite3 tries
 * again as long as SQLite reports that a file is locked.
 */
const LIMIT_MS = 1_800_000;

/** Copies the database on its own thread, because copying on the writer thread would block writes for seconds. */
export function runCopy<Report>(
  script: 'store/backup/backup-worker.js' | 'store/backup/snapshot-worker.js',
  start: object,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): { done: Promise<Report>; cancel: () => Promise<void> } {
  const failed = (why: string, cause?: Error): GatewayError =>
    new GatewayError('STORE_FAILED', `the backup failed: ${why}`, { cause });
  const late = (): GatewayError => failed('it took longer than 30 min');
  return runWorker<Report>(script, start, (cause) => failed('the backup thread exited', cause), {
    signal,
    limit: { clock, ms: LIMIT_MS, late },
  });
}
