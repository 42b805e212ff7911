import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a gateway whose memory is measured: at SIGUSR2 it collects its garbage, and a line of its log tells what is
 * left: `{nth, heapUsed, external, ...}`, bytes.
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
