import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause, processorS, residentMb } from './process-figures.js';
import { type Subject, slowFsync, start, startGateway, stop } from './subject.js';
import { median, verdict } from './verdict.js';
import { type Requests, wrk } from './wrk.js';

/**
 * Compares the gateway with Fastify and better-sqlite3, and the gateway's reads with the simplest possible
 * server. Measurements alternate within one run, with wrk, 64 connections and 1,000 beacons. Build, then run
 * `node dist/bench/beacons.js [seconds per measurement] [rounds] [read, list, write, slow, memory ...]`.
 */
const BEACONS = 1000;
const CONNECTIONS = 64;
const LOAD_S = 60;
const MAX_MB = 130;
const [seconds = 3, rounds = 5] = process.argv.slice(2, 4).map(Number);
const parts = process.argv.slice(4);

async function fill({ name, port }: Subject): Promise<void> {
  for (let n = 1; n <= BEACONS; n += 1) {
    const id = `beacon-${String(n).padStart(9, '0')}`;
    const texts = { description: 'Door', longDescription: 'North door, above the frame' };
    const body = JSON.stringify({ id, ...texts, txPower: -59, lat: 51.9 + n / 1e6, long: 4.4 + n / 1e6 });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`http://127.0.0.1:${port}/beacon`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`${name} responded with ${status}`);
  }
}

interface Figures {
  perSecond: number[];
  /**
   * Processor time per request across all threads, in µs. On a busy machine, processor time is more
   * meaningful than the request rate.
   */
  processorUs: number[];
}

async function measure({ port, child }: Subject, requests: Requests, into: Figures): Promise<void> {
  const beforeS = processorS(child.pid ?? 0);
  const rate = await wrk(port, { connections: CONNECTIONS, seconds, requests });
  into.perSecond.push(rate.perSecond);
  into.processorUs.push(((processorS(child.pid ?? 0) - beforeS) * 1e6) / rate.requests);
}

/**
 * Measures all subjects alternately and compares the first with each of the others. `targets` are the minimum
 * ratios of the first subject's request rate to the others' request rates.
 */
async function compare(
  what: string,
  targets: readonly (number | undefined)[],
  subjects: readonly Subject[],
  next: (round: number) => Requests,
): Promise<void> {
  const figures = subjects.map((): Figures => ({ perSecond: [], processorUs: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, subject] of subjects.entries()) {
      await measure(subject, next(round), figures[side] ?? { perSecond: [], processorUs: [] });
    }
  }
  const [ours, ...peers] = figures.map(({ perSecond, processorUs }) => ({
    rate: median(perSecond),
    us: median(processorUs),
  }));
  if (!ours) return;
  for (const [at, peer] of peers.entries()) {
    const ratio = ours.rate / peer.rate;
    const cost = `${ours.us.toFixed(1)} against ${peer.us.toFixed(1)} µs of processor`;
    const rates = `${ours.rate.toFixed(0)} against ${peer.rate.toFixed(0)} requests/s`;
    const figure = `${rates} of ${subjects[at + 1]?.name} = ${ratio.toFixed(2)}x, ${cost}`;
    const target = targets[at];
    if (target === undefined) process.stdout.write(`${what}: ${figure}\n`);
    else verdict(what, figure, `${target}x`, ratio >= target);
  }
}

async function withBoth(use: (pair: readonly Subject[]) => Promise<void>, env?: NodeJS.ProcessEnv) {
  const pair: Subject[] = [];
  try {
    pair.push(await startGateway(join(dir, 'ours'), env));
    pair.push(await start('Fastify', 'beacons-peer.js', dir, env));
    await use(pair);
  } finally {
    for (const subject of pair) await stop(subject);
  }
}

async function memory(): Promise<void> {
  const gateway = await startGateway(join(dir, 'memory'));
  try {
    await pause(10_000);
    const pid = gateway.child.pid ?? 0;
    const idleMb = residentMb(pid);
    const load = { connections: CONNECTIONS, seconds: LOAD_S, requests: ['post', 'm'] } as const;
    const { requests } = await wrk(gateway.port, load);
    const afterMb = residentMb(pid);
    const figure = `${afterMb.toFixed(0)} MB after ${requests} writes, ${idleMb.toFixed(0)} MB before`;
    verdict(`RSS after ${LOAD_S} s of POST /beacon`, figure, `${MAX_MB} MB`, afterMb <= MAX_MB);
  } finally {
    await stop(gateway);
  }
}

const isSelected = (part: string): boolean => parts.length === 0 || parts.includes(part);
const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
process.stdout.write(
  `${BEACONS} beacons, wrk -t1 -c${CONNECTIONS}, ${rounds} rounds of ${seconds} s a side\n`,
);
try {
  await withBoth(async (pair) => {
    const bare = await start('bare node:http', 'beacons-bare.js', dir);
    try {
      const readers = [...pair, bare];
      for (const subject of readers) await fill(subject);
      const read: Requests = ['read', String(BEACONS)];
      if (isSelected('read')) await compare('GET /beacon', [1, 0.85], readers, () => read);
      if (isSelected('list')) await compare('GET /beacons', [25], readers, () => ['list']);
    } finally {
      await stop(bare);
    }
    if (isSelected('write')) await compare('POST /beacon', [5], pair, (round) => ['post', `w${round}`]);
  });
  if (isSelected('slow')) {
    const next = (round: number): Requests => ['post', `s${round}`];
    await withBoth(
      (pair) => compare('POST /beacon, every fsync 20 ms longer', [30], pair, next),
      slowFsync(dir, 20),
    );
  }
  if (isSelected('memory')) await memory();
} finally {
  rmSync(dir, { recursive: true });
}
