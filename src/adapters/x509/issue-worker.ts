import { parentPort, workerData } from 'node:worker_threads';
import { issue } from './issue.js';

parentPort?.postMessage(issue(workerData));
