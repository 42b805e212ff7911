import { parentPort, workerData } from 'node:worker_threads';
import { issue } from './issue.js';

/** Thread that issues one certificate and exits. */
parentPort?.postMessage(issue(workerData));
