import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SerialPort } from 'serialport';
import type { CartView } from '../src/carts/model.js';
import { layPtyPair, type PtyPair } from '../test/system/pty.js';
import { instantController } from './instant-controller.js';
import { pause, quantile } from './process-figures.js';

/**
 * What a command costs on its way to the wire: POST / to the first byte at the far end of a real pty, Cartwright and
 * the barest express + serialport program in turns in one run; idle, and with 32 connections busy on another route.
 */

const WARM_UP = 40;
const ROUNDS = 300;
const BUSY_CONNECTIONS = 32;

interface Subject {
  name: string;
  url: string;
  line: PtyPair;
  process: ChildProcess;
  /** Resolves with the moment at which the command's first byte arrived. */
  nextByte: () => Promise<number>;
  close: () => Promise<void>;
}

const here = import.meta.dirname;
const agent = new Agent({ keepAlive: true });

async function ready(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const said = line.startsWith('{') ? JSON.parse(line) : {};
    if (said.event === 'gateway.ready') {
      child.stdout.resume();
      return said.url;
    }
  }
  throw new Error('the gateway ended before it was ready');
}

async function startSubject(
  name: string,
  main: string,
  env: NodeJS.ProcessEnv,
  args: (near: string) => string[],
): Promise<Subject> {
  const line = await layPtyPair();
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
  const url = await ready(child);
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
  if (status !== 200) throw new Error(`${subject.name} answered ${status}`);
  const at = await byte;
  return at - start;
}

async function untilItMayMove(url: string): Promise<void> {
  for (;;) {
    const cart = (await (await fetch(`${url}/carts/1`)).json()) as CartView;
    if (cart.safety.mayMove) return;
    await pause(50);
  }
}

/** Keeps 32 connections busy on another route, from a process of its own, until stopped. */
function hammer(url: string): ChildProcess {
  const code = `const http=require('http');const agent=new http.Agent({keepAlive:true,maxSockets:${BUSY_CONNECTIONS}});
  const go=()=>http.get('${url}/readyz',{agent},(r)=>{r.resume();r.on('end',go)}).on('error',()=>{});for(let i=0;i<${BUSY_CONNECTIONS};i++)go();`;
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  // Those who ask are on other machines: here they must not take the processor from the gateway and from the clock.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  return child;
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const config = join(dataDir, 'config.json');
  const subjects: Subject[] = [];
  const line = await startSubject('plain', 'plain-peer.js', {}, (near) => [near]);
  subjects.push(line);
  const settings = (path: string) => ({ serial: { path }, limits: { ratePerSec: 100 }, mqtt: { port: 0 } });
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_DATA_DIR: dataDir,
    CARTWRIGHT_CONFIG: config,
    CARTWRIGHT_AUTH: 'trusted-lan',
    CARTWRIGHT_LOG_LEVEL: 'info',
  };
  const ours = await startSubject('cartwright', '../src/main.js', env, (near) => {
    writeFileSync(config, JSON.stringify({ settings: settings(near) }));
    return [];
  });
  subjects.push(ours);
  await untilItMayMove(ours.url);
  for (const load of ['idle', 'busy'] as const) {
    const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const subject of subjects) {
        const noise = load === 'busy' && round % 50 === 0 ? hammer(subject.url) : undefined;
        if (noise) await pause(300);
        const batch = load === 'busy' ? 50 : 1;
        if (load === 'busy' && round % 50 !== 0) continue;
        for (let nth = 0; nth < batch; nth++) {
          const ms = await measure(subject, 1 + (round % 7));
          if (round >= WARM_UP || load === 'busy') times.get(subject.name)?.push(ms);
          await pause(12);
        }
        noise?.kill();
      }
    }
    report(load, times);
  }
  for (const subject of subjects) await subject.close();
  await rm(dataDir, { recursive: true, force: true });
  agent.destroy();
}

function report(load: string, times: Map<string, number[]>): void {
  const [plain = [], ours = []] = [...times.values()];
  const row = (name: string, values: number[]): string =>
    `${name.padEnd(12)} p50 ${quantile(values, 0.5).toFixed(2)} ms  p99 ${quantile(values, 0.99).toFixed(2)} ms  (${values.length})`;
  process.stdout.write(
    `command to first byte on the wire, ${load}\n  ${row('plain', plain)}\n  ${row('cartwright', ours)}\n`,
  );
  process.stdout.write(`  ratio p50 ${(quantile(ours, 0.5) / quantile(plain, 0.5)).toFixed(2)}\n`);
}

await main();
