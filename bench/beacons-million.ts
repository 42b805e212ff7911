import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Beacon } from '../src/beacons/registry/schema.js';
import { type Subject, start, stop } from './subject.js';
import { median } from './verdict.js';
import { type Requests, wrk } from './wrk.js';

/**
 * Measures registries of 1,000 to 1,000,000 beacons: streaming the whole list, single reads (compared with a
 * registry of 1,000 beacons), and searches. Build, then run `node dist/bench/beacons-million.js [beacons]`.
 */
const MILLION = Number(process.argv[2] ?? 1_000_000);
const SMALL = 1000;
const SIZES = [...[SMALL, 10 * SMALL, 100 * SMALL].filter((count) => count < MILLION), MILLION];
const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 2;

interface Vitals {
  rssMiB: number;
  longestLagMs: number;
}

const idOf = (n: number): string => `beacon-${String(n).padStart(9, '0')}`;

function beaconOf(n: number): Beacon {
  const texts = { description: `Door ${n}`, longDescription: 'North door, above the frame' };
  // Multiples of irrational numbers spread the beacons evenly over a country.
  const [lat, long] = [50 + ((n * 0.618034) % 1) * 4, 3 + ((n * 0.754877) % 1) * 4];
  return { id: idOf(n), ...texts, txPower: -59, lat, long };
}

async function json<T>({ port }: Subject, path: string, body?: string): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const vitals = (subject: Subject): Promise<Vitals> => json<Vitals>(subject, '/vitals');

/** Adds beacons, starting with number `from`, until the total is `count`. */
async function fill(subject: Subject, count: number, from = 0): Promise<void> {
  for (let first = from; first < count; first += 5000) {
    const length = Math.min(5000, count - first);
    const body = JSON.stringify(Array.from({ length }, (_, i) => beaconOf(first + i)));
    await json(subject, '/beacons/import', body);
  }
}

function readAll({ port }: Subject): Promise<{ bytes: number; ms: number }> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path: '/beacons' }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ bytes, ms: performance.now() - startedMs }));
    });
    request.on('error', reject);
  });
}

function report(what: string, figure: string, holds: boolean): void {
  process.stdout.write(`${what}: ${figure} (${holds ? 'met' : 'MISSED'})\n`);
}

async function stream(subject: Subject): Promise<void> {
  const { rssMiB: beforeMiB } = await vitals(subject);
  const seen = { rssMiB: 0, lags: [] as number[], ms: [] as number[], bytes: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await vitals(subject);
    let isReading = true;
    const watch = (async () => {
      let lagMs = 0;
      while (isReading) {
        const { rssMiB, longestLagMs } = await vitals(subject);
        seen.rssMiB = Math.max(seen.rssMiB, rssMiB);
        lagMs = Math.max(lagMs, longestLagMs);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      seen.lags.push(lagMs);
    })();
    const { bytes, ms } = await readAll(subject);
    isReading = false;
    await watch;
    seen.bytes = bytes;
    seen.ms.push(ms);
  }
  const grownMiB = seen.rssMiB - beforeMiB;
  process.stdout.write(
    `GET /beacons: ${Math.round(seen.bytes / 2 ** 20)} MiB in ${median(seen.ms).toFixed(0)} ms\n`,
  );
  report('growth of memory over five lists', `${grownMiB.toFixed(1)} MiB`, grownMiB < 64);
  const lags = seen.lags.map((ms) => ms.toFixed(1)).join(', ');
  report('longest event loop lag of each list', `${lags} ms`, median(seen.lags) < 50);
}

async function rateOf({ port }: Subject, connections: number, seconds: number, requests: Requests) {
  return (await wrk(port, { connections, seconds, requests })).perSecond;
}

const anyOf = (count: number): Requests => ['read', String(count - 1)];

/** Measures the two registries alternately and returns the random reads per second of each. */
async function singles(small: Subject, large: Subject, count: number): Promise<[few: number, many: number]> {
  const rates: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.small.push(await rateOf(small, CONNECTIONS, SECONDS, anyOf(SMALL)));
    rates.large.push(await rateOf(large, CONNECTIONS, SECONDS, anyOf(count)));
  }
  return [median(rates.small), median(rates.large)];
}

/**
 * Adds beacons to one registry while the other stays the same size. Returns the final read rates of both
 * registries.
 */
async function growth(small: Subject, large: Subject): Promise<[few: number, many: number]> {
  let [held, rates]: [number, [number, number]] = [0, [0, 0]];
  for (const count of SIZES) {
    await fill(large, count, held);
    held = count;
    const lists: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) lists.push((await readAll(large)).ms);
    rates = await singles(small, large, count);
    const near = await rateOf(large, 1, 1, ['list', 'near=52,5']);
    const figures = [
      `${rates[1].toFixed(0)} single reads/s, ${(rates[0] / rates[1]).toFixed(2)}x the time of ${SMALL}`,
      `the list in ${median(lists).toFixed(0)} ms, the nearest ten in ${(1000 / near).toFixed(2)} ms`,
      `${(await vitals(large)).rssMiB.toFixed(0)} MiB`,
    ];
    process.stdout.write(`${count} beacons: ${figures.join(', ')}\n`);
  }
  return rates;
}

async function searches(subject: Subject): Promise<void> {
  const anywhere = (): [number, number] => [50 + Math.random() * 3.9, 3 + Math.random() * 3.9];
  const queries: Record<string, () => string> = {
    'near, 10': () => `near=${anywhere().join(',')}`,
    'near, 100': () => `near=${anywhere().join(',')}&limit=100`,
    'near, 10, from the other side of the world': () => `near=${-anywhere()[0]},${anywhere()[1]}`,
    'bbox with about 50': () => {
      const [lat, long] = anywhere();
      return `bbox=${long},${lat},${long + 0.03},${lat + 0.03}`;
    },
    'a page of 100': () => `after=${idOf(Math.floor(Math.random() * MILLION))}`,
  };
  for (const [what, query] of Object.entries(queries)) {
    const rate = await rateOf(subject, 1, SECONDS, ['list', ...Array.from({ length: 500 }, query)]);
    process.stdout.write(`GET /beacons, ${what}: ${(1000 / rate).toFixed(2)} ms\n`);
  }
}

const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
const subjects: Subject[] = [];
try {
  const small = await start('small', 'beacons-ours.js', join(dir, 'small'));
  subjects.push(small);
  const growing = await start('growing', 'beacons-ours.js', join(dir, 'large'));
  subjects.push(growing);
  await fill(small, SMALL);
  const [few, many] = await growth(small, growing);
  const figure = `${few.toFixed(0)} with ${SMALL}, ${many.toFixed(0)} with ${MILLION} requests/s = ${(few / many).toFixed(2)}x the time`;
  report('GET /beacon at random', figure, few / many <= 1.2);
  // Starts a new process, to show how much memory remains in use after one list has been sent.
  await stop(growing);
  const large = await start('large', 'beacons-ours.js', join(dir, 'large'));
  subjects.push(large);
  await stream(large);
  await searches(large);
} finally {
  for (const subject of subjects) await stop(subject);
  rmSync(dir, { recursive: true });
}
