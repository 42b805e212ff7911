import { parentPort, workerData } from 'node:worker_threads';
import type { ReplayRevocations, WriteOperations } from '../../shared/ports/ports.js';
import { isReadOnly } from '../disk-errors.js';
import { startDatabase } from '../recovery/open-database.js';
import type { FromWriter, ToWriter, WriterStart } from './protocol.js';
import { toWire } from './wire-error.js';
import { freeBytesOf } from './write-metrics.js';
import { WriterLoop } from './writer-loop.js';

/**
 * The whole of the writer thread: opens the database, then commits what the main thread sends until it is told to close.
 * @param rooms the operations of each room; a name that two rooms use is a mistake and throws.
 */
export async function runWriter(rooms: WriteOperations[], replay?: ReplayRevocations): Promise<void> {
  if (!parentPort) throw new Error('the writer is a thread of the gateway, not a program');
  const port = parentPort;
  const send = (message: FromWriter): void => port.postMessage(message);
  const { dir, limits, isRestart } = workerData as WriterStart;
  try {
    const operations = joined(rooms);
    const options = replay ? { replay } : {};
    const { db, journal, report } = await startDatabase(dir, limits, isRestart, options);
    const loop = new WriterLoop({ db, dir, journal, limits, operations, port });
    port.on('message', (message: ToWriter) => loop.take(message));
    send({ kind: 'ready', report, state: loop.look() });
  } catch (thrown) {
    const disk = { readOnly: isReadOnly(dir), freeBytes: freeBytesOf(dir) };
    send({ kind: 'refused', error: toWire(thrown), disk });
    port.close();
  }
}

function joined(rooms: readonly WriteOperations[]): WriteOperations {
  const names = rooms.flatMap((room) => Object.keys(room));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`two rooms have a write operation "${twice}"`);
  return Object.assign({}, ...rooms) as WriteOperations;
}
