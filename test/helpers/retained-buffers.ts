import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in buffers of this process that are still referenced. */
export async function retainedBufferBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // A garbage collection frees memory concurrently; the next one waits until that has finished.
  for (let round = 0; round < 3; round += 1) {
    collect();
    await turn();
  }
  return process.memoryUsage().arrayBuffers;
}
