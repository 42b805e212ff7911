import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GatewayProcess } from '../helpers/gateway.js';
import '../helpers/no-validation.js';
import { startMosquitto } from '../e2e/mqtt/mosquitto.js';
import { openPtyPair } from '../helpers/pty.js';
import { SimulatorProcess } from '../helpers/simulator-process.js';
import { Load } from './load.js';
import { above, floorRise, growthPercent, type Sample, sample } from './measure.js';

const EVERY_MS = 5000;
/** During the warm-up, the gateway fills its ten-minute buffers: incidents, trends and commands. */
const WARM_UP_MIN = 12;
/** A shorter memory measurement is not meaningful, because V8 collects its old generation every few minutes. */
const MEASURED_MIN = 12;
const LIMITS = { rssGrowthPercent: 5, heartbeatGapS: 0.15 };

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 1440)) {
  process.stderr.write(`--minutes must be a number from 1 to 1440, not "${values.minutes}"\n`);
  process.exit(2);
}

const pair = await openPtyPair();
const controller = new SimulatorProcess(pair.far);
const mosquitto = await startMosquitto();
const gateway = await GatewayProcess.start({
  serial: { path: pair.near },
  gpio: { mode: 'off' },
  safety: { acceptNoEstop: true },
  camera: { mode: 'simulated' },
  mqtt: { broker: 'external', host: '127.0.0.1', port: mosquitto.port },
});
await gateway.untilCart(1, ({ link }) => link?.state === 'READY');

const load = new Load(gateway, mosquitto);
const samples: Sample[] = [];
load.start();
for (const endMs = performance.now() + minutes * 60_000; performance.now() < endMs; ) {
  await setTimeout(EVERY_MS);
  samples.push(await sample(gateway.pid));
}
await load.end();
const losses = gateway.log
  .filter(({ event, state }) => event === 'link.changed' && state !== 'READY')
  .map(({ time, state, reason }) => `${time} ${state}: ${reason}`);
const beats = above(await metrics(), 'cartwright_heartbeat_gap_seconds', LIMITS.heartbeatGapS);

// The gateway is killed, so that only data on the disk counts.
await gateway.kill('SIGKILL');
await gateway.spawn();
const stored = await gateway.call<{ id: string; description: string }[]>('GET', '/beacons');
const storedBeacons = new Map(stored.body.map(({ id, description }) => [id, description]));
const lost = [...load.beacons].filter(([id, description]) => storedBeacons.get(id) !== description);

await gateway.close();
await controller.close();
await mosquitto.close();
await pair.close();

const isLong = minutes >= WARM_UP_MIN + MEASURED_MIN;
const warm = isLong ? samples.slice((WARM_UP_MIN * 60_000) / EVERY_MS) : samples;
const rss = growthPercent(warm.map(({ rssKb }) => rssKb));
const left = floorRise(warm.map(({ descriptors }) => descriptors));
const verdicts: [string, boolean][] = [
  isLong
    ? [
        `memory grew by ${rss.toFixed(1)} % (under ${LIMITS.rssGrowthPercent} %)`,
        rss < LIMITS.rssGrowthPercent,
      ]
    : [`memory is not judged: that takes ${WARM_UP_MIN + MEASURED_MIN} minutes`, true],
  [`${left} more file descriptors stay open (0)`, left <= 0],
  [
    `${beats.above} of ${beats.all} heartbeat gaps over ${LIMITS.heartbeatGapS * 1000} ms (0)`,
    beats.above === 0,
  ],
  [`the controller was lost ${losses.length} times (0) ${losses.join(', ')}`, losses.length === 0],
  [`${lost.length} acknowledged writes lost (0)`, lost.length === 0 && load.count.writes > 0],
  [
    'every kind of load was generated',
    Object.entries(load.count).every(([kind, n]) => n > 0 || kind === 'refusedCommands'),
  ],
];
process.stdout.write(`${minutes} minutes: ${JSON.stringify(load.count)}\n`);
for (const [text, holds] of verdicts) process.stdout.write(`${holds ? 'ok  ' : 'FAIL'} ${text}\n`);
process.exitCode = verdicts.every(([, holds]) => holds) ? 0 : 1;

async function metrics(): Promise<string> {
  return (await fetch(`${gateway.url}/metrics`)).text();
}
