import {
  cookieOf,
  FUZZ_ENVIRONMENT,
  type FuzzReport,
  fuzz,
  unexplained,
} from '../test/helpers/api-fuzz-run.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { testSeed } from '../test/helpers/random.js';
import { pause, residentMb } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Sends 100,000 random requests to one gateway. Reports the responses, the log lines of failed requests, and
 * the memory growth between the tenth minute and the end. Run `npm run fuzz`, or `npm run fuzz -- 5000` for
 * fewer requests.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
/** Time after which the incident and trend buffers are full. */
const WARM_UP_MS = 600_000;
/** V8 returns memory to the system only after a period of low activity. */
const REST_MS = 45_000;
/** Permits growth of 5 %, about 60 bytes per request. */
const MAX_GROWTH = 1.05;

/** Memory that an idle gateway uses, in MB. */
interface Memory {
  /** The main thread's heap and external memory (buffers, compiled code). */
  aliveMb: number;
  rssMb: number;
}

const NODE_OPTIONS = `--import ${new URL('collector.js', import.meta.url).href}`;
const gateway = await GatewayProcess.start({}, { ...FUZZ_ENVIRONMENT, NODE_OPTIONS });

let collections = 0;
async function collected(): Promise<number> {
  collections += 1;
  process.kill(gateway.pid, 'SIGUSR2');
  const left = await gateway.logged('bench.collected', { nth: collections });
  return (Number(left.heapUsed) + Number(left.external)) / 2 ** 20;
}

async function rested(): Promise<Memory> {
  await collected();
  await pause(REST_MS);
  const aliveMb = await collected();
  await pause(1000);
  return { aliveMb, rssMb: residentMb(gateway.pid) };
}

const grown = (what: string, before: number, after: number): void =>
  verdict(
    what,
    `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after`,
    `at most ${MAX_GROWTH} times`,
    after <= before * MAX_GROWTH,
  );

const cookie = await cookieOf(gateway.url);
const onProgress = (sent: number): void => void process.stderr.write(`${sent} …\n`);
let seed = testSeed();
async function pass(): Promise<FuzzReport> {
  seed += COUNT;
  const asked = await fuzz(gateway, COUNT, { cookie, seed, onProgress });
  await gateway.call('GET', '/livez').catch(() => {
    throw new Error(`the gateway ended: ${JSON.stringify(gateway.log.slice(-5))}`);
  });
  return asked;
}

const warmUps: FuzzReport[] = [];
for (const endMs = performance.now() + WARM_UP_MS; warmUps.length === 0 || performance.now() < endMs; )
  warmUps.push(await pass());
const base = await rested();
const started = performance.now();
const report = await pass();
const seconds = (performance.now() - started) / 1000;
const peakMb = residentMb(gateway.pid);
const left = await rested();

process.stdout.write(
  `${warmUps.length} times ${COUNT} requests, then ${report.sent} in ${seconds.toFixed(0)} s, ${peakMb.toFixed(0)} MB\n`,
);
for (const [status, times] of [...report.byStatus].toSorted(([a], [b]) => a - b))
  process.stdout.write(`  ${status || 'no response'}: ${times}\n`);
for (const [what, times] of report.failures) process.stdout.write(`  ${what}: ${times}\n`);
for (const line of gateway.log.filter(({ event }) => event === 'request.failed'))
  process.stdout.write(`  ${JSON.stringify(line).slice(0, 400)}\n`);
const faults = [...warmUps, report].flatMap((one) => unexplained(one, gateway.log));
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
verdict('failures without a cause, crashes', String(faults.length), '0', faults.length === 0);
grown('alive', base.aliveMb, left.aliveMb);
grown('RSS', base.rssMb, left.rssMb);
const { status } = await gateway.call('GET', '/livez');
verdict('alive afterwards', String(status), '200', status === 200);
const code = await gateway.close();
verdict('ends with', String(code), '0', code === 0);
