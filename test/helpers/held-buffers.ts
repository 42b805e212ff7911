import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in the buffers of this process that somebody still holds. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What one collection finds is given back beside the program; the next one waits for that.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await turn();
  }
  return process.memoryUsage().arrayBuffers;
}
