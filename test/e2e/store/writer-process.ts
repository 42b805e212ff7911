import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/shared/clock.js';
import { fileErrorCode } from '../../../src/shared/files.js';
import { openStore } from '../../../src/store/store.js';
import { quietLog } from '../../helpers/cart-harness.js';
import { WRITER } from '../../unit/store/temp-store.js';

/**
 * Writes pairs to a store with 64 writers until the process is killed: `node writer-process.js DIR FIRST_ID`.
 * Prints each acknowledged ID synchronously.
 */
const [dir = '', firstId = '0'] = process.argv.slice(2);
let nextId = Number(firstId);

const limits = { checkpointPages: 50 };
const store = await openStore({ dir, writer: WRITER, clock: systemClock, log: quietLog, limits });
await store.write('test.createPairs', {});
printLine('ready');

/** Writes the line synchronously; retries while the pipe is full. */
function printLine(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (fileErrorCode(error) !== 'EAGAIN') throw error;
    }
  }
}

async function writeForEver(): Promise<never> {
  for (;;) {
    const id = nextId++;
    await store.write('test.insertPair', { id, text: `${id} `.repeat(20) });
    printLine(String(id));
  }
}
await Promise.all(Array.from({ length: 64 }, writeForEver));
