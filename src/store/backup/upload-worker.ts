import { renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { diskReason, isDiskFault } from '../disk-errors.js';
import { storeMessage } from '../messages.js';
import { storePaths, syncPath } from '../paths.js';
import { toWire } from '../writer/protocol.js';
import { CHECKSUM, writeChecksum } from './integrity.js';
import { readChoice } from './restore-choice.js';
import { checkUpload } from './upload-check.js';
import { replacedUploads, type UploadCheckStart } from './uploads.js';
import type { WorkerAnswer } from './worker-host.js';

/** Checks an uploaded file, gives it its name and deletes the uploads that it replaces. */
const { dir, temp, path } = workerData as UploadCheckStart;
const send = (answer: WorkerAnswer<string>): void => parentPort?.postMessage(answer);
try {
  checkUpload(temp);
  accept();
  send({ report: path });
} catch (thrown) {
  send({ error: toWire(isDiskFault(thrown) ? unreadable(thrown) : thrown) });
}

function accept(): void {
  const paths = storePaths(dir);
  const replaced = replacedUploads(paths, readChoice(paths)?.name);
  // The checksum exists before the file has its name, so that no upload can lose it in a power cut.
  writeChecksum(temp, path);
  renameSync(temp, path);
  syncPath(paths.uploads);
  for (const { path: old } of replaced) {
    rmSync(old, { force: true });
    rmSync(`${old}${CHECKSUM}`, { force: true });
  }
}

function unreadable(cause: unknown): GatewayError {
  const text = storeMessage('upload-failed', { reason: diskReason(cause, dir) });
  return new GatewayError('STORE_FAILED', text, { cause });
}
