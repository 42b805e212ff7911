import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * This module is preloaded into a gateway to measure its memory use. On SIGUSR2, the gateway collects garbage
 * and logs the memory in use, in bytes: `{nth, heapUsed, external, ...}`.
 */
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let nth = 0;
  process.on('SIGUSR2', () => {
    collect();
    nth += 1;
    const line = { event: 'bench.collected', nth, ...process.memoryUsage() };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
}
