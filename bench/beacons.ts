import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Beacon } from '../src/beacons/schema.js';
import { type NextRequest, requestRate, requestText } from './http-load.js';
import { type Subject, slowFsync, start, stop } from './subject.js';
import { median, verdict } from './verdict.js';

/**
 * The registry against Fastify + better-sqlite3 doing the same, and its reads against the barest server there can be: one
 * run, all in turns, 64 connections, 1,000 beacons. Build, then `node dist/bench/beacons.js [seconds of one measurement]`.
 */
const BEACONS = 1000;
const CONNECTIONS = 64;
const ROUNDS = 5;
const seconds = Number(process.argv[2] ?? 3);

let made = 0;
function nextBeacon(): Beacon {
  made += 1;
  const id = `beacon-${String(made).padStart(9, '0')}`;
  const texts = { description: 'Door', longDescription: 'North door, above the frame' };
  return { id, ...texts, txPower: -59, lat: 51.9 + made / 1e6, long: 4.4 + made / 1e6 };
}

const nextPost: NextRequest = () => requestText('POST', '/beacon', JSON.stringify(nextBeacon()));

/** Takes one text after the other, for ever. */
function inTurns(texts: readonly string[]): NextRequest {
  let at = 0;
  return () => texts[at++ % texts.length] ?? '';
}

async function fill({ name, port }: Subject, beacons: readonly Beacon[]): Promise<void> {
  for (const beacon of beacons) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(beacon);
    const { status } = await fetch(`http://127.0.0.1:${port}/beacon`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`${name} answered ${status}`);
  }
}

/** The first of them against the others, all in turns; `target` is what is wanted against the second. */
async function compare(what: string, target: number, subjects: readonly Subject[], next: NextRequest) {
  const rates = subjects.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, { port }] of subjects.entries()) {
      rates[side]?.push(await requestRate(port, CONNECTIONS, seconds, next));
    }
  }
  const [ours = 0, ...peers] = rates.map(median);
  for (const [at, peer] of peers.entries()) {
    const ratio = ours / peer;
    const name = subjects[at + 1]?.name;
    const figure = `${ours.toFixed(0)} against ${peer.toFixed(0)} requests/s of ${name} = ${ratio.toFixed(2)}x`;
    if (at === 0) verdict(what, figure, `${target}x`, ratio >= target);
    else process.stdout.write(`${what}: ${figure}\n`);
  }
}

/** Runs both sides for as long as `use` takes. */
async function withBoth(use: (pair: readonly Subject[]) => Promise<void>, env?: NodeJS.ProcessEnv) {
  const pair: Subject[] = [];
  try {
    pair.push(await start('Cartwright', 'beacons-ours.js', join(dir, 'ours'), env));
    pair.push(await start('Fastify', 'beacons-peer.js', dir, env));
    await use(pair);
  } finally {
    for (const subject of pair) await stop(subject);
  }
}

const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
process.stdout.write(
  `${BEACONS} beacons, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${seconds} s a side\n`,
);
try {
  const beacons = Array.from({ length: BEACONS }, nextBeacon);
  await withBoth(async (pair) => {
    const bare = await start('bare node:http', 'beacons-bare.js', dir);
    try {
      const readers = [...pair, bare];
      for (const subject of readers) await fill(subject, beacons);
      const reads = beacons.map(({ id }) => requestText('GET', `/beacon?id=${id}`));
      await compare('GET /beacon', 1, readers, inTurns(reads));
      await compare('GET /beacons', 25, readers, inTurns([requestText('GET', '/beacons')]));
    } finally {
      await stop(bare);
    }
    await compare('POST /beacon', 5, pair, nextPost);
  });
  const slow = slowFsync(dir, 20);
  await withBoth((pair) => compare('POST /beacon, every fsync 20 ms longer', 30, pair, nextPost), slow);
} finally {
  rmSync(dir, { recursive: true });
}
