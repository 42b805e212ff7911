import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a gateway to measure its memory. On SIGUSR2, collects garbage and logs the memory in use, in
 * bytes: `{nth, heapUsed, external, ...}`.
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
