import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GatewayProcess } from '../test/support/gateway.js';
import { hasMosquitto, layMosquitto } from '../test/system/mosquitto.js';
import { verdict } from './verdict.js';

/**
 * One gateway, a fleet that tells its state once a second, and 50 commands a second through it: what that costs the
 * gateway and how long a command waits for its cart. Through mosquitto, and through the broker in the gateway.
 * `node dist/bench/fleet.js [carts]`
 */

const CARTS = Number(process.argv[2] ?? 1000);
const FIRST = 101;
const COMMANDS_PER_S = 50;
const SECONDS = 20;
const CLOCK_TICKS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;

/** Processor time of all threads of a process so far, s. */
function processorS(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The simulated carts, all of them connected. */
async function startFleet(port: number): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../src/simulate-fleet.js');
  const args = ['--carts', String(CARTS), '--first', String(FIRST), '--broker', `mqtt://127.0.0.1:${port}`];
  const fleet = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: fleet.stdout })) {
    if ((JSON.parse(line) as { connected?: number }).connected === CARTS) break;
  }
  fleet.stdout.resume();
  return fleet;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A move of 1 m by one cart, from the request to the answer that its cart has acknowledged; undefined when it was refused. */
function command(url: string, cartID: number): Promise<number | undefined> {
  const startedMs = performance.now();
  const body = JSON.stringify({ cartID, distanceID: 100, angleID: 0 });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const req = request(url, { method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode === 200 ? performance.now() - startedMs : undefined));
    });
    req.on('error', reject);
    req.end(body);
  });
}

async function load(url: string): Promise<{ ms: number[]; refused: number }> {
  const answers: Promise<number | undefined>[] = [];
  const startedMs = performance.now();
  while (answers.length < COMMANDS_PER_S * SECONDS) {
    const due = ((performance.now() - startedMs) / 1000) * COMMANDS_PER_S;
    while (answers.length < due) answers.push(command(`${url}/`, FIRST + ((answers.length * 37) % CARTS)));
    await pause(5);
  }
  const ms = (await Promise.all(answers)).filter((answer) => answer !== undefined);
  return { ms, refused: answers.length - ms.length };
}

async function measure(how: string, gateway: GatewayProcess, brokerPort: number): Promise<void> {
  const fleet = await startFleet(brokerPort);
  for (const cartID of [FIRST, FIRST + CARTS - 1]) await gateway.untilCart(cartID, ({ online }) => online);
  await pause(3000);
  const { pid, url } = gateway;
  const [idleS, idleMs] = [processorS(pid), performance.now()];
  await pause(5000);
  const idle = ((processorS(pid) - idleS) * 100_000) / (performance.now() - idleMs);
  const [beforeS, beforeMs] = [processorS(pid), performance.now()];
  const { ms, refused } = await load(url);
  const cpu = ((processorS(pid) - beforeS) * 100_000) / (performance.now() - beforeMs);
  const p99 = quantile(ms, 0.99);
  const what = `${how}, ${CARTS} carts at 1 Hz`;
  const told = `${idle.toFixed(1)} % of a core, ${residentMb(pid).toFixed(0)} MB`;
  process.stdout.write(`${what}, no commands: ${told}\n`);
  verdict(
    `${what} + ${COMMANDS_PER_S} commands/s: processor`,
    `${cpu.toFixed(1)} % of a core`,
    '35 %',
    cpu <= 35,
  );
  const figure = `p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${ms.length}, ${refused} refused`;
  verdict(`${what}: acknowledged after`, figure, 'p99 100 ms, none refused', p99 <= 100 && refused === 0);
  const [allS, allMs] = [processorS(pid), performance.now()];
  for (let n = 0; n < 10; n += 1) {
    await (await fetch(`${url}/fleet`, { headers: { accept: 'application/json' } })).arrayBuffer();
    await pause(1000);
  }
  const page = ((processorS(pid) - allS) * 100_000) / (performance.now() - allMs);
  process.stdout.write(`${what}, one fleet page open: ${page.toFixed(1)} % of a core\n`);
  fleet.kill();
  await once(fleet, 'exit');
}

const listed = Array.from({ length: Math.min(CARTS, 1000) }, (_, at) => ({
  ...{ cartID: FIRST + at, name: `Cart ${FIRST + at}` },
}));
const settings = { carts: listed, simulation: { carts: [] }, safety: { allowUnknownCarts: true } };
if (hasMosquitto) {
  const mosquitto = await layMosquitto(['allow_anonymous true', 'set_tcp_nodelay true']);
  const mqtt = { broker: 'external', host: '127.0.0.1', port: mosquitto.port };
  const gateway = await GatewayProcess.start({ ...settings, mqtt });
  await measure('mosquitto', gateway, mosquitto.port);
  await gateway.close();
  await mosquitto.close();
} else process.stdout.write('left out: mosquitto is not installed\n');

const gateway = await GatewayProcess.start({ ...settings, mqtt: { broker: 'embedded', port: 0 } });
const { url } = (await gateway.call<{ links: { broker: { url: string } } }>('GET', '/health')).body.links
  .broker;
await measure('the broker in the gateway', gateway, Number(new URL(url).port));
await gateway.close();
agent.destroy();
