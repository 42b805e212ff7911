import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { openPtyPair, type PtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { pause, quantile } from './process-figures.js';
import { untilItMayMove, untilReady } from './subject.js';
import { verdict } from './verdict.js';
import { startWrk } from './wrk.js';

/**
 * Measures the latency of a command from `POST /` to the first byte at the far end of a pty. Measurements of
 * Cartwright alternate with those of a minimal Express + serialport program, first without load and then
 * while 32 connections continuously read the list of 1,000 beacons.
 */

const WARM_UP = 40;
const ROUNDS = 300;
const BUSY_CONNECTIONS = 32;
const BUSY_RUNS = 5;
const BUSY_P99_MS = 10;
const BEACONS = 1000;

interface Subject {
  name: string;
  url: string;
  line: PtyPair;
  process: ChildProcess;
  nextByte: () => Promise<number>;
  close: () => Promise<void>;
}

const here = import.meta.dirname;
const agent = new Agent({ keepAlive: true });

async function startSubject(
  name: string,
  main: string,
  env: NodeJS.ProcessEnv,
  args: (near: string) => string[],
): Promise<Subject> {
  const line = await openPtyPair();
  const far = new SerialPort({ path: line.far, baudRate: 115_200 });
  await once(far, 'open');
  let arrived: (at: number) => void = () => undefined;
  const note = (): void => arrived(performance.now());
  if (name === 'cartwright') instantController(far, (frame) => void (frame.type === 'MOVE' && note()));
  else far.on('data', note);
  const child = spawn(process.execPath, [join(here, main), ...args(line.near)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await untilReady(child);
  return {
    name,
    url,
    line,
    process: child,
    nextByte: () =>
      new Promise((resolve) => {
        arrived = resolve;
      }),
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      far.close();
      await line.close();
    },
  };
}

function post(url: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const call = request(url, { method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode ?? 0));
    });
    call.on('error', reject);
    call.end(text);
  });
}

async function measure(subject: Subject, distanceID: number): Promise<number> {
  const byte = subject.nextByte();
  const start = performance.now();
  const answered = post(`${subject.url}/`, { cartID: 1, distanceID, angleID: 0 });
  const status = await answered;
  if (status !== 200) {
    // A command fails if the machine is too busy for the simulated controller to respond within the acknowledgement
    // timeout.
    process.stdout.write(`  ${subject.name} returned ${status}\n`);
    await untilItMayMove(subject.url);
    return Infinity;
  }
  const at = await byte;
  return at - start;
}

/** Starts a process that reads the list of beacons on 32 connections until it is killed. */
function startLoad({ url }: Subject): ChildProcess {
  const child = startWrk(url, { connections: BUSY_CONNECTIONS, seconds: 600, requests: ['list'] });
  // The process runs at the lowest priority, because real clients are on other machines.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  child.stdout.resume();
  return child;
}

async function addBeacons(url: string): Promise<void> {
  const texts = { description: 'Door', longDescription: 'North door, above the frame' };
  const beacons = Array.from({ length: BEACONS }, (_, n) => ({
    id: `beacon-${String(n).padStart(9, '0')}`,
    ...texts,
    txPower: -59,
    lat: 51.9 + n / 1e6,
    long: 4.4 + n / 1e6,
  }));
  await post(`${url}/beacons/import`, beacons);
}

async function times(subject: Subject, count: number, load?: ChildProcess): Promise<number[]> {
  const found: number[] = [];
  try {
    for (let nth = 0; nth < count; nth += 1) {
      found.push(await measure(subject, 1 + (nth % 7)));
      await pause(12);
    }
    return found;
  } finally {
    load?.kill();
  }
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const subjects: Subject[] = [];
  try {
    subjects.push(await startSubject('plain', 'plain-peer.js', {}, (near) => [near]));
    subjects.push(await startOurs(dataDir));
    await measureAll(subjects);
  } finally {
    for (const subject of subjects) await subject.close();
    await rm(dataDir, { recursive: true, force: true });
    agent.destroy();
  }
}

async function startOurs(dataDir: string): Promise<Subject> {
  const config = join(dataDir, 'config.json');
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_DATA_DIR: dataDir,
    CARTWRIGHT_CONFIG: config,
    CARTWRIGHT_AUTH: 'trusted-lan',
    CARTWRIGHT_LOG_LEVEL: 'info',
  };
  const ours = await startSubject('cartwright', '../src/main.js', env, (path) => {
    const settings = { serial: { path }, limits: { ratePerSec: 100 }, mqtt: { port: 0 } };
    writeFileSync(config, JSON.stringify({ settings }));
    return [];
  });
  await untilItMayMove(ours.url);
  await addBeacons(ours.url);
  return ours;
}

async function measureAll(subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await times(subject, WARM_UP);
  const idle: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, subject] of subjects.entries()) idle[side]?.push(...(await times(subject, 1)));
  }
  report('idle', idle);
  for (let run = 0; run < BUSY_RUNS; run += 1) {
    const busy: number[][] = [];
    for (const subject of subjects)
      busy.push((await times(subject, ROUNDS, startLoad(subject))).slice(WARM_UP));
    report(`${BUSY_CONNECTIONS} connections on GET /beacons`, busy, BUSY_P99_MS);
  }
}

function report(load: string, [plain = [], ours = []]: readonly number[][], maxMs?: number): void {
  const row = (name: string, values: number[]): string =>
    `${name.padEnd(12)} p50 ${quantile(values, 0.5).toFixed(2)} ms  p99 ${quantile(values, 0.99).toFixed(2)} ms  (${values.length})`;
  process.stdout.write(
    `command to first byte on the wire, ${load}\n  ${row('plain', plain)}\n  ${row('cartwright', ours)}\n`,
  );
  process.stdout.write(`  ratio p50 ${(quantile(ours, 0.5) / quantile(plain, 0.5)).toFixed(2)}\n`);
  if (maxMs === undefined) return;
  const p99 = quantile(ours, 0.99);
  verdict(`p99, ${load}`, `${p99.toFixed(2)} ms`, `${maxMs} ms`, p99 <= maxMs);
}

await main();
