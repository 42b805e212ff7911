import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Runs all benchmarks with their reference servers and lists the missed targets. Run `npm run bench`, or `npm
 * run bench -- beacons start` to run only the benchmarks `beacons` and `start`.
 */
const ALL = [
  'start',
  'tick-cost',
  'task-times',
  'command-path',
  'estop-click',
  'slow-disk',
  'gateway-backup',
  'store',
  'beacons',
  'beacons-million',
  'access',
  'shop',
  'events',
  'camera',
  'localization',
  'motion-gate',
  'zone-commands',
  'docking',
  'markers',
  'fleet',
  'fleet-growth',
];

async function run(name: string): Promise<string[]> {
  process.stdout.write(`\n== ${name}\n`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const missed: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (line.includes('MISSED')) missed.push(`${name}: ${line}`);
  });
  const [code] = await once(child, 'close');
  // A benchmark that only missed a target also exits with 1.
  return code === 0 || (code === 1 && missed.length > 0)
    ? missed
    : [`${name}: ended with ${code}`, ...missed];
}

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !ALL.includes(name));
if (unknown.length > 0)
  throw new Error(`unknown benchmark ${unknown.join(', ')}; available: ${ALL.join(', ')}`);
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
const missed: string[] = [];
for (const name of selected.length > 0 ? selected : ALL) missed.push(...(await run(name)));
process.exitCode = missed.length > 0 ? 1 : 0;
process.stdout.write(
  missed.length > 0 ? `\nMissed targets:\n${missed.join('\n')}\n` : '\nAll targets are met.\n',
);
