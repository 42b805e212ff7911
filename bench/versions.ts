import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { packageRoot } from '../src/shared/package-root.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { pause, processorS, residentMb } from './process-figures.js';
import { untilItMayMove, untilReady } from './subject.js';
import { median, verdict } from './verdict.js';
import { type Requests, wrk } from './wrk.js';

/**
 * Compares this version with another one: node dist/bench/versions.js DIRECTORY [PAIRS]. The directory is a
 * checkout of the other version that has been built. The versions are measured in turn. Prints the median of the
 * ratios (this version to the other) and its 95 % confidence interval.
 */

const PAIRS = 20;
/** The ratio above which a figure is worse. */
const LIMIT = 1.1;
const LOAD_S = 3;
const COMMANDS = 40;
const SETTLE_MS = 5000;

const BEACON = { description: 'Door', longDescription: 'North door', txPower: -59, lat: 51.9, long: 4.4 };

interface Figures {
  'start to READY, ms': number;
  'memory after the load, MB': number;
  'GET /beacon, µs of processor time': number;
  'POST /beacon, µs of processor time': number;
  'POST / to the first byte, ms': number;
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the processor time of the process for each request. */
async function costUs(child: ChildProcess, url: string, requests: Requests): Promise<number> {
  const { pid = 0 } = child;
  const beforeS = processorS(pid);
  const rate = await wrk(Number(new URL(url).port), { connections: 16, seconds: LOAD_S, requests });
  return ((processorS(pid) - beforeS) * 1e6) / rate.requests;
}

async function figuresOf(root: string): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
  const line = await openPtyPair();
  const far = new SerialPort({ path: line.far, baudRate: 115_200 });
  await once(far, 'open');
  let arrived: (atMs: number) => void = () => undefined;
  instantController(far, (frame) => void (frame.type === 'MOVE' && arrived(performance.now())));
  const config = join(dir, 'config.json');
  const settings = { serial: { path: line.near }, limits: { ratePerSec: 100 }, mqtt: { port: 0 } };
  writeFileSync(config, JSON.stringify({ settings }));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      CARTWRIGHT_DATA_DIR: join(dir, 'data'),
      CARTWRIGHT_CONFIG: config,
      CARTWRIGHT_AUTH: 'trusted-lan',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await untilReady(child);
    const readyMs = performance.now() - startedMs;
    await untilItMayMove(url);
    const commandMs: number[] = [];
    for (let nth = 0; nth < COMMANDS; nth += 1) {
      const byte = new Promise<number>((resolve) => {
        arrived = resolve;
      });
      const sentMs = performance.now();
      const { status } = await post(`${url}/`, { cartID: 1, distanceID: 1 + (nth % 7), angleID: 0 });
      if (status !== 200) throw new Error(`POST / returned ${status}`);
      commandMs.push((await byte) - sentMs);
      await pause(12);
    }
    // wrk does not send the first request of its script, so the first beacon is added here.
    await post(`${url}/beacon`, { ...BEACON, id: 'beacon-000000001' });
    const writeUs = await costUs(child, url, ['post', 'beacon']);
    const readUs = await costUs(child, url, ['read', '100']);
    await pause(SETTLE_MS);
    return {
      'start to READY, ms': readyMs,
      'memory after the load, MB': residentMb(child.pid ?? 0),
      'GET /beacon, µs of processor time': readUs,
      'POST /beacon, µs of processor time': writeUs,
      'POST / to the first byte, ms': median(commandMs),
    };
  } finally {
    child.kill();
    await once(child, 'exit');
    far.close();
    await line.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The order statistics that enclose the median with at least 95 % probability (sign test). */
function interval(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  let outside = 0;
  let below = 0;
  let chance = 0.5 ** n;
  while (2 * (outside + chance) <= 0.05) {
    outside += chance;
    chance *= (n - below) / (below + 1);
    below += 1;
  }
  const first = Math.max(0, below - 1);
  return [sorted[first] ?? NaN, sorted[n - 1 - first] ?? NaN];
}

const [, , other, pairs = String(PAIRS)] = process.argv;
if (other === undefined) throw new Error('usage: node dist/bench/versions.js DIRECTORY [PAIRS]');
const found: { ours: Figures; theirs: Figures }[] = [];
for (let pair = 0; pair < Number(pairs); pair += 1) {
  // The order alternates, so that a machine that slows down affects both versions alike.
  const isOursFirst = pair % 2 === 0;
  const first = await figuresOf(isOursFirst ? packageRoot() : other);
  const second = await figuresOf(isOursFirst ? other : packageRoot());
  found.push(isOursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
}
for (const name of Object.keys(found[0]?.ours ?? {}) as (keyof Figures)[]) {
  const ratios = found.map(({ ours, theirs }) => ours[name] / theirs[name]);
  const [low, high] = interval(ratios);
  const [ours, theirs] = [found.map((pair) => pair.ours[name]), found.map((pair) => pair.theirs[name])];
  const figure =
    `${median(ours).toFixed(2)} against ${median(theirs).toFixed(2)}, ` +
    `${median(ratios).toFixed(3)}x (${low.toFixed(3)} to ${high.toFixed(3)})`;
  verdict(name, figure, `${LIMIT}x at most`, median(ratios) <= LIMIT);
}
