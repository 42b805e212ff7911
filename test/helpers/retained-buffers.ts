import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the total size, in bytes, of this process's referenced buffers. */
export async function retainedBufferBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A garbage collection frees memory in the background; the next collection waits for it to finish.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await turn();
  }
  return process.memoryUsage().arrayBuffers;
}
