import { setTimeout as wait } from 'node:timers/promises';
import { sample } from '../test/soak/measure.js';
import { cookieOf, FUZZED, fuzz, unexplained } from '../test/support/fuzz-run.js';
import { GatewayProcess } from '../test/support/gateway.js';
import { verdict } from './verdict.js';

/**
 * A hundred thousand requests of every kind at one gateway: what they are answered with, what the log says of those that
 * failed, and what stays behind. `npm run fuzz`, or `npm run fuzz -- 5000` for fewer.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
/** After so many everything has been compiled and every cache is filled; what grows for ever grows on. */
const WARM_UP = Math.min(20_000, COUNT);
/** The engine gives memory back when little has happened for a while. */
const SETTLE_MS = 45_000;
/** How much more there may be afterwards: what the requests have stored is in it, too. */
const GROWTH_MOST = 1.25;

const gateway = await GatewayProcess.start({}, { ...FUZZED, UNJUDGED: '1' });
const megabytes = async (): Promise<number> => Math.round((await sample(gateway.pid)).rssKb / 1024);

const cookie = await cookieOf(gateway.url);
const told = (asked: number): void => void process.stderr.write(`${asked} …\n`);
await fuzz(gateway, WARM_UP, { cookie });
await wait(SETTLE_MS);
const before = await megabytes();
const started = performance.now();
const report = await fuzz(gateway, COUNT, { cookie, seed: 10_000, told });
const seconds = (performance.now() - started) / 1000;
const peak = await megabytes();
await wait(SETTLE_MS);
const after = await megabytes();

process.stdout.write(`${report.asked} requests in ${seconds.toFixed(0)} s\n`);
for (const [status, times] of [...report.byStatus].toSorted(([a], [b]) => a - b))
  process.stdout.write(`  ${status || 'no answer'}: ${times}\n`);
for (const [what, times] of report.failures) process.stdout.write(`  ${what}: ${times}\n`);
for (const line of gateway.log.filter(({ event }) => event === 'request.failed'))
  process.stdout.write(`  ${JSON.stringify(line).slice(0, 400)}\n`);
const faults = unexplained(report, gateway.log);
for (const fault of faults) process.stdout.write(`  ${fault}\n`);
verdict('failures without a cause, crashes', String(faults.length), '0', faults.length === 0);
verdict(
  'RSS',
  `${before} MB, ${peak} MB, ${after} MB`,
  `at most ${GROWTH_MOST} times`,
  after <= before * GROWTH_MOST,
);
const { status } = await gateway.call('GET', '/livez');
verdict('alive afterwards', String(status), '200', status === 200);
verdict('ends with', String(await gateway.close()), '0', true);
