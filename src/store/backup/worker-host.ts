import { Worker } from 'node:worker_threads';
import type { GatewayError } from '../../shared/errors.js';
import { moduleUrl } from '../../shared/package-root.js';
import { fromWire, type WireError } from '../writer/protocol.js';

/** The only message that a worker of this folder sends. */
export type WorkerAnswer<Report> = { report: Report } | { error: WireError };

/**
 * Runs a worker of this folder once, on its own thread.
 * @param script path of the module, relative to the compiled sources.
 * @param interrupted the error if the thread ends without a response; `cause` is the error that the thread
 * has thrown.
 */
export function runWorker<Report>(
  script: string,
  workerData: unknown,
  interrupted: (cause?: Error) => GatewayError,
): { done: Promise<Report>; cancel: () => Promise<void> } {
  const worker = new Worker(moduleUrl(script), { workerData });
  const done = new Promise<Report>((resolve, reject) => {
    let cause: Error | undefined;
    worker.on('message', (answer: WorkerAnswer<Report>) =>
      'error' in answer ? reject(fromWire(answer.error)) : resolve(answer.report),
    );
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => reject(interrupted(cause)));
  });
  return { done, cancel: async () => void (await worker.terminate()) };
}
