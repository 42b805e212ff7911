import { writeSync } from 'node:fs';
import { systemClock } from '../../../src/shared/clock.js';
import { fileErrorCode } from '../../../src/shared/files.js';
import { openStore } from '../../../src/store/store.js';
import { quietLog } from '../../helpers/cart-harness.js';
import { WRITER } from '../../unit/store/temp-store.js';

/**
 * A gateway's store under the heaviest load, to be killed at any moment: 64 writers in the directory and from the id that
 * the arguments say. Prints the id of every pair that it was told is saved, before anything else can happen.
 */
const [dir = '', firstId = '0'] = process.argv.slice(2);
let nextId = Number(firstId);

const limits = { checkpointPages: 50 };
const store = await openStore({ dir, writer: WRITER, clock: systemClock, log: quietLog, limits });
await store.write('test.createPairs', {});
say('ready');

/** Returns when the line has left this process; a full pipe is tried again. */
function say(line: string): void {
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
    say(String(id));
  }
}
await Promise.all(Array.from({ length: 64 }, writeForEver));
