import { Agent, request } from 'node:http';
import { type ApiRequest, openApiClients } from '../test/helpers/api-clients.js';
import { FLOODS, Flood, type FloodOptions } from '../test/helpers/flood.js';
import { NotifySocket } from '../test/helpers/notify-socket.js';
import { pause, quantile, residentMb } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Measures latching stops and memory use during floods. Build, then run `node dist/bench/flood.js [SECONDS] [FLOOD…]`.
 * SECONDS is the length of each flood (default 60; the full check uses 300). As under systemd, responses are not
 * validated.
 */
const [secondsText = '60', ...selected] = process.argv.slice(2);
const SECONDS = Number(secondsText);
const STOPS = 200;
const COLD_STOPS = 10;
const BEACONS = 10_000;
const LIMITS = { rssMb: 256, stopP99Ms: 250, stopMaxMs: 1000, gapMs: 150, watchdogMs: 5000 };

process.env.NO_VALIDATION = '1';
const systemd = await NotifySocket.open();
process.env.NOTIFY_SOCKET = systemd.path;
process.env.WATCHDOG_USEC = '5000000';
const clients = await openApiClients();
const { gateway } = clients;
const port = Number(new URL(gateway.url).port);

async function cookieOf(username: string): Promise<string> {
  const body = { username, password: 'correct horse battery' };
  const { headers } = await clients.anonymous('POST', '/login', { body });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
const operator = await cookieOf('bo');

/** Simulates a page that was opened before the flood and keeps its connections open for stops. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 });
function sendRequest(method: string, path: string, { body }: ApiRequest = {}): Promise<number> {
  const headers = {
    cookie: operator,
    origin: gateway.url,
    accept: 'application/json',
    'content-type': 'application/json',
  };
  return new Promise((resolve) => {
    const sent = request(gateway.url + path, { method, agent, headers }, (res) => {
      res.resume();
      res.on('end', () => resolve(res.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.setTimeout(15_000, () => sent.destroy());
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Returns the duration of a stop over a new connection, in ms. */
async function coldStopMs(): Promise<number> {
  const start = performance.now();
  await clients.operator('POST', '/estop', { body: { cartID: 1 } });
  return performance.now() - start;
}

async function importBeacons(): Promise<void> {
  const rows = Array.from({ length: BEACONS }, (_, nth) => {
    const [lat, long] = [52 + (nth % 100) / 1000, 5 + Math.floor(nth / 100) / 1000];
    return `bench-${String(nth).padStart(6, '0')},Beacon ${nth},Somewhere in the hall,-59,${lat},${long}`;
  });
  const csv = Buffer.from(`id,description,longDescription,txPower,lat,long\n${rows.join('\n')}\n`);
  const { status, text } = await clients.operator('POST', '/beacons/import', {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  });
  if (status >= 300) throw new Error(`the import failed: ${status} ${text.slice(0, 300)}`);
}

async function gapsOverLimit(): Promise<number> {
  const { text } = await clients.admin('GET', '/metrics', { headers: { accept: 'text/plain' } });
  const bucket = (le: string): number =>
    Number(
      text
        .split('\n')
        .find(
          (line) => line.startsWith('cartwright_heartbeat_gap_seconds_bucket') && line.includes(`le="${le}"`),
        )
        ?.split(' ')[1],
    );
  return bucket('+Inf') - bucket(String(LIMITS.gapMs / 1000));
}

async function measure(name: string, floods: readonly FloodOptions[]): Promise<void> {
  const pid = gateway.pid;
  const before = residentMb(pid);
  const gapsBefore = await gapsOverLimit();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 200);
  let fedAt = performance.now();
  let unfedMs = 0;
  let over = false;
  const watchdogGaps = (async () => {
    while (!over) {
      await systemd.until(/WATCHDOG=1/);
      unfedMs = Math.max(unfedMs, performance.now() - fedAt);
      fedAt = performance.now();
    }
  })();
  await sendRequest('GET', '/livez');
  const running = floods.map((options) => new Flood(options));
  await pause(3000);
  const latencies: number[] = [];
  let unconfirmed = 0;
  const every = Math.max(0, (SECONDS * 1000 - 3000) / STOPS);
  for (let nth = 0; nth < STOPS; nth += 1) {
    const start = performance.now();
    const status = await sendRequest('POST', '/estop', { body: { cartID: 1 } });
    latencies.push(performance.now() - start);
    if (status !== 200) unconfirmed += 1;
    await pause(Math.max(0, every - (performance.now() - start)));
  }
  const cold: number[] = [];
  for (let nth = 0; nth < COLD_STOPS; nth += 1) cold.push(await coldStopMs());
  const reports = await Promise.all(running.map((flood) => flood.report()));
  await Promise.all(running.map((flood) => flood.stop()));
  await pause(1000);
  over = true;
  await watchdogGaps;
  const gaps = (await gapsOverLimit()) - gapsBefore;
  await pause(Number(process.env.AFTER_MS ?? 59_000));
  clearInterval(watch);
  const after = residentMb(pid);
  const [p99, longest] = [quantile(latencies, 0.99), Math.max(...latencies)];
  process.stdout.write(`\n${name}: ${JSON.stringify(reports)}\n`);
  verdict(
    '  memory, most',
    `${before.toFixed(0)} -> ${most.toFixed(0)} MB`,
    `${LIMITS.rssMb}`,
    most <= LIMITS.rssMb,
  );
  verdict(
    '  memory 60 s later',
    `${after.toFixed(0)} MB`,
    `${(before * 1.2).toFixed(0)}`,
    after <= before * 1.2,
  );
  verdict('  E-stops not confirmed', `${unconfirmed} of ${STOPS}`, '0', unconfirmed === 0);
  verdict(
    '  E-stop p50 / p99',
    `${quantile(latencies, 0.5).toFixed(1)} / ${p99.toFixed(1)} ms`,
    `${LIMITS.stopP99Ms}`,
    p99 <= LIMITS.stopP99Ms,
  );
  verdict(
    '  E-stop, longest',
    `${longest.toFixed(0)} ms`,
    `${LIMITS.stopMaxMs}`,
    longest <= LIMITS.stopMaxMs,
  );
  process.stdout.write(
    `  E-stop on a new connection, p50 / longest: ${quantile(cold, 0.5).toFixed(0)} / ${Math.max(...cold).toFixed(0)} ms\n`,
  );
  verdict(
    '  watchdog, longest unfed',
    `${unfedMs.toFixed(0)} ms`,
    `${LIMITS.watchdogMs}`,
    unfedMs < LIMITS.watchdogMs,
  );
  verdict(`  heartbeat gaps over ${LIMITS.gapMs} ms`, String(gaps), '0', gaps === 0);
}

const SCENES: Record<string, () => FloodOptions[]> = {
  none: () => [],
  unread: () => [FLOODS.unread(port)],
  languages: () => [FLOODS.languages(port)],
  nearest: () => [FLOODS.nearest(port)],
  mix: () => [
    FLOODS.unread(port, '127.0.0.2', 1000),
    FLOODS.languages(port, '127.0.0.3', 1000),
    FLOODS.nearest(port, '127.0.0.4', 1000),
  ],
};

await importBeacons();
for (const [name, floods] of Object.entries(SCENES)) {
  if (selected.length === 0 || selected.includes(name)) await measure(name, floods());
}
const code = await gateway.close();
verdict('ends with', String(code), '0', code === 0);
agent.destroy();
await systemd.close();
