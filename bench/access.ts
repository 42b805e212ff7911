import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { logIn } from './log-in.js';
import { median, verdict } from './verdict.js';

/**
 * Measures how logins affect the control path on a real pty: the longest heartbeat gap during 50 simultaneous
 * logins, the response times for wrong passwords and unknown usernames, and the writes caused by session
 * reads. Build, then run `node dist/bench/access.js`.
 */
const ROUNDS = 10;
const LOGINS = 50;
const GAP_MS = 150;
const TRIES = 40;
const TIME_PART = 0.1;
const READS = 1000;

const PASSWORD = 'not a common one 42';
const ADMIN = { CARTWRIGHT_ADMIN_USER: 'bench', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
const line = await openPtyPair();
const far = new SerialPort({ path: line.far, baudRate: 115_200 });
await once(far, 'open');
const beats: number[] = [];
instantController(far, ({ type }) => {
  if (type === 'HEARTBEAT') beats.push(performance.now());
});
const settings = { serial: { path: line.near }, simulation: { carts: [] } };
const gateway = await GatewayProcess.start(settings, { ...ADMIN, CARTWRIGHT_AUTH: 'required' });

/** Returns the number of store writes since startup. */
async function written(): Promise<number> {
  const { body } = await gateway.call<{ store: { metrics: { operations: number } } }>('GET', '/health');
  return body.store.metrics.operations;
}

/** Returns the longest heartbeat gap since the last call, in ms. */
function widestGap(): number {
  const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? at));
  beats.length = 0;
  return Math.max(...gaps);
}

/**
 * Runs the logins in a process with the lowest priority, because real users are on other machines. Returns
 * the response statuses.
 */
async function load(): Promise<string> {
  const script = join(import.meta.dirname, 'login-load.js');
  const args = [script, gateway.url, 'bench', PASSWORD, String(LOGINS), String(ROUNDS)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  const [text] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  return String(text);
}

async function heartbeats(): Promise<void> {
  const until = async (count: number): Promise<void> => {
    while (beats.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await until(20);
  widestGap();
  // As a baseline, measures the heartbeat gaps that the machine and its other load cause.
  await until(200);
  const atRest = widestGap();
  const statuses = await load();
  const widest = widestGap();
  const what = `widest gap between heartbeats, ${ROUNDS} x ${LOGINS} logins at once`;
  verdict(what, `${widest.toFixed(0)} ms`, `${GAP_MS} ms`, widest <= GAP_MS);
  process.stdout.write(`  at rest ${atRest.toFixed(0)} ms; responses by status: ${statuses}\n`);
}

async function equalTimes(): Promise<void> {
  const times: [known: number[], unknown: number[]] = [[], []];
  for (let nth = 0; nth < TRIES; nth += 1) {
    const from = `127.0.100.${nth + 1}`;
    times[0].push((await logIn(gateway.url, 'bench', 'wrong', from)).ms);
    times[1].push((await logIn(gateway.url, 'nobody', 'wrong', from)).ms);
  }
  const [known, unknown] = times.map(median) as [number, number];
  const part = Math.abs(known - unknown) / known;
  const figure = `${known.toFixed(0)} and ${unknown.toFixed(0)} ms, ${(part * 100).toFixed(1)} % apart`;
  verdict('a wrong password and an unknown name', figure, `${TIME_PART * 100} %`, part <= TIME_PART);
}

async function reading(): Promise<void> {
  const { cookie } = await logIn(gateway.url, 'bench', PASSWORD, '127.0.0.1');
  const before = await written();
  const start = performance.now();
  for (let nth = 0; nth < READS; nth += 1) {
    await (await fetch(`${gateway.url}/carts`, { headers: { cookie } })).text();
  }
  const us = ((performance.now() - start) / READS) * 1000;
  const writes = (await written()) - before;
  verdict(
    `${READS} requests with a session`,
    `${writes} writes, ${us.toFixed(0)} us each`,
    '0 writes',
    writes === 0,
  );
}

try {
  await heartbeats();
  await equalTimes();
  await reading();
} finally {
  await gateway.close();
  far.close();
  await line.close();
}
