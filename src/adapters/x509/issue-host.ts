import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { IssueCertificate } from '../../shared/ports/certificates.js';

/**
 * Issues certificates on a separate thread that exits afterwards, because the library needs 11 MB. Loading it
 * takes up to 1 s on a Raspberry Pi; on the main thread, this delay would stop a moving cart.
 */
export const issueInWorker: IssueCertificate = (request) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(moduleUrl('adapters/x509/issue-worker.js'), { workerData: request });
    worker.on('message', (pem: string) => resolve(pem));
    worker.on('error', reject);
    worker.on('exit', () =>
      reject(new GatewayError('INTERNAL', 'the thread ended without producing a certificate')),
    );
  });
