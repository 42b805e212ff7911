import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { openPtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { pause } from './process-figures.js';
import { slowFsync, untilReady } from './subject.js';

/**
 * Measures the control path on a slow disk: heartbeats and latching stops at the far end of a pty, while each fsync
 * takes 200 ms and 64 writers store beacons. Build, then run `node dist/bench/slow-disk.js`.
 */
const FSYNC_MS = 200;
const WRITERS = 64;
const STOPS = 200;
const HEARTBEAT_GAP_MS = 150;
const STOP_P99_MS = 20;

const dir = mkdtempSync(join(tmpdir(), 'bench-'));

async function startGateway(path: string): Promise<{ child: ChildProcess; url: string }> {
  const config = join(dir, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({ settings: { serial: { path }, mqtt: { port: 0 }, simulation: { carts: [] } } }),
  );
  const env = {
    ...process.env,
    ...slowFsync(dir, FSYNC_MS),
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_AUTH: 'trusted-lan',
    CARTWRIGHT_CONFIG: config,
    CARTWRIGHT_DATA_DIR: join(dir, 'data'),
  };
  const main = join(import.meta.dirname, '../src/main.js');
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, url: await untilReady(child) };
}

/**
 * Starts a process that stores beacons on 64 connections and, when terminated, prints the number of stored
 * beacons.
 */
function writers(url: string): ChildProcess {
  const code = `
    const http = require('http');
    const agent = new http.Agent({ keepAlive: true, maxSockets: ${WRITERS} });
    let made = 0, stored = 0;
    const go = () => {
      const body = JSON.stringify({ id: 'bench-' + String(made++).padStart(9, '0') });
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const call = http.request('${url}/beacon', { method: 'POST', agent, headers }, (res) => {
        res.resume();
        res.on('end', () => { stored += res.statusCode === 200; go(); });
      });
      call.on('error', () => {});
      call.end(body);
    };
    for (let i = 0; i < ${WRITERS}; i++) go();
    process.on('SIGTERM', () => { process.stdout.write(String(stored)); process.exit(0); });`;
  return spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (status !== 200) throw new Error(`${url} returned ${status}`);
}

async function main(): Promise<void> {
  const line = await openPtyPair();
  const far = new SerialPort({ path: line.far, baudRate: 115_200 });
  await once(far, 'open');
  const beats: number[] = [];
  let stopped: (at: number) => void = () => undefined;
  instantController(far, ({ type }) => {
    if (type === 'HEARTBEAT') beats.push(performance.now());
    if (type === 'ESTOP') stopped(performance.now());
  });
  const { child, url } = await startGateway(line.near);
  // The connection is opened in advance, so that the measurement does not include its setup.
  await fetch(`${url}/readyz`);
  while (beats.length < 20) await pause(50);
  const load = writers(url);
  await pause(1500);
  beats.length = 0;
  const latencies: number[] = [];
  for (let nth = 0; nth < STOPS; nth++) {
    const arrived = new Promise<number>((resolve) => {
      stopped = resolve;
    });
    const start = performance.now();
    const answered = post(`${url}/estop`, { cartID: 1 });
    latencies.push((await arrived) - start);
    await answered;
    await post(`${url}/estop/reset`, { cartID: 1 });
  }
  const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? at));
  load.kill('SIGTERM');
  const stored = String((await once(load.stdout ?? process.stdin, 'data'))[0]);
  report(latencies, gaps, stored);
  child.kill('SIGTERM');
  await once(child, 'exit');
  far.close();
  await line.close();
  rmSync(dir, { recursive: true, force: true });
}

function report(latencies: number[], gaps: number[], stored: string): void {
  const sorted = latencies.toSorted((a, b) => a - b);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  const widest = Math.max(...gaps);
  const verdict = (holds: boolean): string => (holds ? 'met' : 'MISSED');
  process.stdout.write(`every fsync ${FSYNC_MS} ms, ${WRITERS} writers (${stored} beacons stored)\n`);
  process.stdout.write(
    `  E-stop over HTTP to the wire: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, first ${(latencies[0] ?? 0).toFixed(1)} ms of ${STOPS} (target ${STOP_P99_MS}: ${verdict(p99 <= STOP_P99_MS)})\n`,
  );
  process.stdout.write(
    `  widest gap between heartbeats: ${widest.toFixed(0)} ms of ${gaps.length} (target ${HEARTBEAT_GAP_MS}: ${verdict(widest <= HEARTBEAT_GAP_MS)})\n`,
  );
}

await main();
