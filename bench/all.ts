import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Every bench, one after the other, each with its peers beside it in the same run; at the end what falls short.
 * `npm run bench`, or `npm run bench -- beacons start` for some of them.
 */
const ALL = [
  'start',
  'first-paint',
  'command-path',
  'estop-click',
  'slow-disk',
  'store',
  'beacons',
  'beacons-million',
  'access',
  'shop',
  'events',
  'camera',
  'fleet',
  'fleet-growth',
];

async function run(name: string): Promise<string[]> {
  process.stdout.write(`\n== ${name}\n`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const short: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (line.includes('FALLS SHORT')) short.push(`${name}: ${line}`);
  });
  const [code] = await once(child, 'close');
  return code === 0 ? short : [...short, `${name}: ended with ${code}`];
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !ALL.includes(name));
if (unknown.length > 0) throw new Error(`no bench ${unknown.join(', ')}: there are ${ALL.join(', ')}`);
process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}\n`);
const short: string[] = [];
for (const name of asked.length > 0 ? asked : ALL) short.push(...(await run(name)));
process.stdout.write(short.length > 0 ? `\nFalls short:\n${short.join('\n')}\n` : '\nEverything holds.\n');
