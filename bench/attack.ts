import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { budgetOf } from '../src/shared/connections.js';
import { freePort } from '../test/e2e/mqtt/mosquitto.js';
import { Attack, type AttackOptions } from '../test/helpers/attack.js';
import { FLOODS, Flood } from '../test/helpers/flood.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { Target } from './attack-target.js';
import { quantile, residentMb } from './process-figures.js';
import { ServiceGroup } from './service-group.js';
import { verdict } from './verdict.js';

/**
 * Measures stops, heartbeats and memory use while a cart drives, an operator's page is open and the gateway is
 * attacked. Build, then run `node dist/bench/attack.js [SCENE…]`. `ATTACK_SECONDS` is the length of each attack, and
 * `ATTACK_AFTER_SECONDS` the time after which memory must have been released (both 60 by default). Exits with 1 if a
 * limit is exceeded. If the kernel permits it, the gateway runs in control groups with the limits and the priority of
 * the systemd unit, and everything runs in a network namespace, so that no packet leaves the machine; multicast DNS is
 * attacked only there.
 */
const SECONDS = Number(process.env.ATTACK_SECONDS ?? 60);
const AFTER_SECONDS = Number(process.env.ATTACK_AFTER_SECONDS ?? 60);
const LIMITS = { stopMaxMs: 1000, stopP99Ms: 250, gapMs: 150, rssMb: 256, rssAfter: 1.2 };
/** Time for the start of an attack, the start of a gateway, and the last responses of a scenario. */
const START_MS = 120_000;
/** Time within which all servers must have reached their limits for connections. */
const FILL_MS = 90_000;
/** The network namespace's own address outside the loopback range. */
const OWN_ADDRESS = '10.99.0.1';
const MEMORY_HIGH = 384 * 1024 * 1024;
const selected = process.argv.slice(2);

const NAMESPACE = `
  ip link set lo up && ip link add v0 type veth peer name v1 && ip addr add ${OWN_ADDRESS}/24 dev v0 &&
  ip link set v0 up && ip link set v1 up && ip route add 224.0.0.0/4 dev v0 && exec "$0" "$@"`;

const isIsolated = process.env.ATTACK_NAMESPACE === '1';
if (!isIsolated && spawnSync('unshare', ['--net', 'true']).status === 0) {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', ['--net', 'sh', '-c', NAMESPACE, ...command], {
    stdio: 'inherit',
    env: { ...process.env, ATTACK_NAMESPACE: '1' },
  });
  const [code] = await once(child, 'exit');
  process.exit(Number(code ?? 1));
}

let missed = 0;
function check(what: string, figure: string, target: string, isMet: boolean): void {
  if (!isMet) missed += 1;
  verdict(`  ${what}`, figure, target, isMet);
}

/** Rejects if the job takes too long. */
async function within<T>(ms: number, what: string, job: Promise<T>): Promise<T> {
  const aborter = new AbortController();
  const late = pause(ms, undefined, { signal: aborter.signal }).then(() => {
    throw new Error(`${what} took more than ${ms} ms`);
  });
  try {
    return await Promise.race([job, late]);
  } finally {
    aborter.abort();
  }
}

/** A running attack. */
interface Running {
  report(): Promise<unknown>;
  stop(): Promise<unknown>;
  /** Called while the attack is still running. */
  check?(): void;
}

interface Scene {
  name: string;
  group: string;
  begin(target: Target): Promise<Running>;
}

/** A gateway that several scenes attack, one after the other. */
interface Group {
  settings?: object;
  env: NodeJS.ProcessEnv;
  /** Limit on open files. */
  files?: number;
  hasCart?: boolean;
}

const HOST = isIsolated ? '0.0.0.0' : '127.0.0.1';
const httpsPort = await freePort();
const GROUPS: Record<string, Group> = {
  required: { env: { CARTWRIGHT_AUTH: 'required', HOST } },
  'trusted-lan': { env: { CARTWRIGHT_AUTH: 'trusted-lan' } },
  serial: {
    settings: { safety: { acceptNoEstop: true }, gpio: { mode: 'off' } },
    env: { CARTWRIGHT_AUTH: 'required' },
    hasCart: false,
  },
  '4096 files': { env: { CARTWRIGHT_AUTH: 'required', HTTPS_PORT: String(httpsPort) }, files: 4096 },
  '1024 files': { env: { CARTWRIGHT_AUTH: 'required', HTTPS_PORT: String(httpsPort) }, files: 1024 },
};

async function attack(...options: AttackOptions[]): Promise<Running> {
  const running = await Promise.all(options.map((each) => Attack.start(each)));
  return {
    report: () => Promise.all(running.map((each) => each.report())),
    stop: () => Promise.all(running.map((each) => each.stop())),
  };
}

const local = { host: '127.0.0.1' };
const scenes: Scene[] = [
  {
    name: 'none',
    group: 'required',
    begin: async () => ({ report: async () => 'no attack', stop: async () => undefined }),
  },
];
if (isIsolated)
  for (const bytes of [9000, 65_000])
    scenes.push({
      name: `mdns ${bytes}`,
      group: 'required',
      begin: () => attack({ kind: 'mdns', host: OWN_ADDRESS, port: 5353, bytes }),
    });
scenes.push(
  {
    name: 'http unread',
    group: 'required',
    async begin({ port }) {
      const flood = new Flood(FLOODS.unread(port));
      await flood.connected();
      return { report: () => flood.report(), stop: () => flood.stop() };
    },
  },
  {
    name: 'upload',
    group: 'required',
    // Uses only 60 connections, because each upload is closed and restarted, and the gateway limits how quickly an
    // address can open connections.
    begin: ({ port, cookie }) =>
      attack({ kind: 'upload', ...local, port, connections: 60, cookie, from: ['127.0.0.2'] }),
  },
  { name: 'broker-test', group: 'required', begin: testHostileBroker },
);
const MQTT = ['state', 'sightings', 'subscribe', 'ping', 'qos1-unread', 'qos2-unreleased', 'partial'];
for (const group of ['required', 'trusted-lan'])
  for (const kind of MQTT)
    for (const connections of [1, 8])
      scenes.push({
        name: `mqtt ${kind} ${connections} ${group === 'required' ? 'with' : 'without'} a key`,
        group,
        begin: ({ brokerPort: port, key }) =>
          attack({
            kind,
            ...local,
            port,
            connections,
            ...(group === 'required' ? { username: 'c7', password: key } : {}),
          }),
      });
scenes.push({
  name: 'serial noise',
  group: 'serial',
  async begin() {
    const noise = spawn('sh', ['-c', 'exec cat /dev/urandom > "$0"', line.far], { stdio: 'ignore' });
    return { report: async () => 'random bytes without a pause', stop: async () => noise.kill('SIGKILL') };
  },
});
for (const files of [4096, 1024])
  scenes.push({
    name: `descriptors ${files}`,
    group: `${files} files`,
    begin: (target) => fillServers(target, files),
  });

async function testHostileBroker(target: Target): Promise<Running> {
  const port = await freePort();
  const hostile = await attack({ kind: 'hostile-broker', ...local, port });
  let tests = 0;
  let isOver = false;
  const mqtt = { broker: 'external', host: '127.0.0.1', port, protocolVersion: 4 };
  const testing = (async () => {
    while (!isOver) {
      await target.send('POST', '/brokerSettings/test', { mqtt }, 'new');
      tests += 1;
    }
  })();
  return {
    report: async () => ({ tests }),
    async stop() {
      isOver = true;
      await testing;
      await hostile.stop();
    },
  };
}

/** Fills all three servers from several addresses with more connections than the three servers may have in total. */
async function fillServers(target: Target, files: number): Promise<Running> {
  await target.send('POST', '/system/tls', {});
  const { connections } = budgetOf({ files, memoryBytes: MEMORY_HIGH });
  const servers = [
    { kind: 'fill-http', port: target.port },
    { kind: 'fill-https', port: httpsPort },
    { kind: 'fill-broker', port: target.brokerPort, username: 'c7', password: target.key },
  ];
  const running = await attack(
    ...servers.map((server, nth) => ({
      ...local,
      ...server,
      from: [1, 2, 3].map((part) => `127.0.${nth + 1}.${part}`),
      connections: Math.ceil(connections * 0.4),
    })),
  );
  const counts = (): number[] => target.openConnections(servers.map(({ port }) => port));
  const areFull = (open: number[]): boolean =>
    open.reduce((sum, count) => sum + count, 0) >= connections * 0.9 &&
    Math.min(...open) >= connections * 0.1;
  const until = performance.now() + FILL_MS;
  while (!areFull(counts()) && performance.now() < until) await pause(200);
  return {
    ...running,
    check() {
      const open = counts();
      check('open connections', open.join(' + '), `${connections} in total`, areFull(open));
      const descriptors = readdirSync(`/proc/${target.gateway.pid}/fd`).length;
      check('descriptors', String(descriptors), `below ${files}`, descriptors < files);
    },
  };
}

/** Connections that the kernel has dropped in this namespace because too many were waiting to be accepted. */
function droppedConnections(): number {
  const [names = '', values = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n');
  return Number(values.split(' ')[names.split(' ').indexOf('ListenOverflows')]);
}

function checkStops(connection: string, durations: readonly number[]): void {
  const [p50, p99] = [quantile(durations, 0.5), quantile(durations, 0.99)];
  const longest = Math.max(...durations);
  const figure = `${durations.length} stops, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, longest ${longest.toFixed(0)} ms`;
  const isMet = durations.length > 0 && p99 <= LIMITS.stopP99Ms && longest <= LIMITS.stopMaxMs;
  check(`${connection} connection`, figure, `p99 ${LIMITS.stopP99Ms}, longest ${LIMITS.stopMaxMs}`, isMet);
}

/** Prints the upper bound of the histogram's last bucket that has grown. */
function checkGap(before: Map<number, number>, after: Map<number, number>): void {
  const counts = [...after].map(([boundS, count]) => ({ boundS, grown: count - (before.get(boundS) ?? 0) }));
  const total = Math.max(...counts.map(({ grown }) => grown));
  const widest = counts.find(({ grown }) => grown === total)?.boundS ?? Number.POSITIVE_INFINITY;
  const isMet = total > 0 && widest * 1000 <= LIMITS.gapMs;
  check(
    'widest heartbeat gap',
    `at most ${(widest * 1000).toFixed(0)} ms of ${total}`,
    `${LIMITS.gapMs} ms`,
    isMet,
  );
}

async function measure({ name, begin }: Scene, target: Target, hasCart: boolean): Promise<void> {
  const { pid } = target.gateway;
  const rssBefore = residentMb(pid);
  let rssMost = rssBefore;
  const watch = setInterval(() => {
    rssMost = Math.max(rssMost, residentMb(pid));
  }, 100);
  const gapsBefore = await target.heartbeatGaps();
  let gapsAfter = gapsBefore;
  const droppedBefore = droppedConnections();
  target.unconfirmed.length = 0;
  const killsBefore = serviceGroup?.kills ?? 0;
  const stops: Record<'open' | 'new', number[]> = { open: [], new: [] };
  let drives = 0;
  let running: Running | undefined;
  process.stdout.write(`\n${name}\n`);
  try {
    running = await within(START_MS, 'the start of the attack', begin(target));
    const until = performance.now() + SECONDS * 1000;
    while (performance.now() < until) {
      for (const connection of ['open', 'new'] as const) {
        if (hasCart && (await target.drive())) drives += 1;
        await pause(100);
        stops[connection].push(await target.stopMs(connection, hasCart));
      }
    }
    const latch = hasCart ? await target.savedLatch(true) : undefined;
    gapsAfter = await target.heartbeatGaps();
    running.check?.();
    const report = await within(START_MS, 'the report of the attack', running.report());
    process.stdout.write(
      `  ${JSON.stringify(report)}, ${droppedConnections() - droppedBefore} SYNs dropped\n`,
    );
    if (latch) check('latch in estop.json', latch.text, 'latched', latch.isAsExpected);
    if (hasCart) check('drives', `${drives} of ${stops.open.length * 2}`, 'more than 0', drives > 0);
  } finally {
    clearInterval(watch);
    await within(START_MS, 'the end of the attack', running?.stop() ?? Promise.resolve());
  }
  const { unconfirmed } = target;
  check('unconfirmed stops', unconfirmed.join(' ') || 'none', 'none', unconfirmed.length === 0);
  checkStops('open', stops.open);
  checkStops('new', stops.new);
  await pause(AFTER_SECONDS * 1000);
  const rssAfter = residentMb(pid);
  if (hasCart) checkGap(gapsBefore, gapsAfter);
  check('memory, most', `${rssMost.toFixed(0)} MB`, `${LIMITS.rssMb}`, rssMost <= LIMITS.rssMb);
  const rssTarget = rssBefore * LIMITS.rssAfter;
  const change = `${rssBefore.toFixed(0)} -> ${rssAfter.toFixed(0)} MB`;
  check('memory afterwards', change, rssTarget.toFixed(0), rssAfter <= rssTarget);
  if (serviceGroup) {
    const kills = serviceGroup.kills - killsBefore;
    check('kills in the control group', String(kills), '0', kills === 0);
  }
  const { status } = await target.send('GET', '/livez');
  check('process', status === 200 ? 'alive' : `livez ${status}`, 'alive', status === 200);
}

async function startTarget({ settings, env, files }: Group): Promise<Target> {
  // The gateway inherits this process's limit. Groups with a larger limit run first, because only root can raise a
  // lowered limit.
  if (files !== undefined) spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:${files}`]);
  const serial = settings === undefined ? {} : { serial: { path: line.near } };
  const target = await Target.start({ ...settings, ...serial }, env, serviceGroup);
  // Uses the priority that the unit file sets. Only root can raise a priority.
  spawnSync('renice', ['-n', '-5', '-p', String(target.gateway.pid)]);
  // Runs the code of stops and drives, so that compiling it does not count towards the first attack's memory.
  for (let nth = 0; nth < 10; nth += 1) {
    await target.drive();
    await target.stopMs('new', true);
  }
  return target;
}

async function endTarget(target: Target): Promise<void> {
  try {
    await within(START_MS, 'the end of the gateway', target.close());
  } catch (error) {
    check('end of the gateway', String(error), 'exits', false);
    await target.gateway.kill('SIGKILL');
  }
}

const chosen = scenes.filter(
  ({ name }) => selected.length === 0 || selected.some((part) => name.startsWith(part)),
);
if (chosen.length === 0)
  throw new Error(`unknown scene; available: ${scenes.map(({ name }) => name).join(', ')}`);
const serviceGroup = ServiceGroup.create();
const line = await openPtyPair();
if (!isIsolated) process.stdout.write('SKIPPED: mdns (no network namespace)\n');
if (!serviceGroup) process.stdout.write('SKIPPED: kills (no control groups)\n');

let current: { group: string; target: Target } | undefined;
for (const scene of chosen) {
  const group = GROUPS[scene.group] ?? { env: {} };
  try {
    if (current && current.group !== scene.group) {
      await endTarget(current.target);
      current = undefined;
    }
    current ??= {
      group: scene.group,
      target: await within(START_MS, 'the start of the gateway', startTarget(group)),
    };
    await measure(scene, current.target, group.hasCart ?? true);
  } catch (error) {
    check('scene', String(error), 'ends', false);
    if (current) await endTarget(current.target);
    current = undefined;
  }
}
if (current) await endTarget(current.target);
serviceGroup?.remove();
await line.close();
process.stdout.write(missed === 0 ? '\nAll limits are met.\n' : `\n${missed} limits are exceeded.\n`);
process.exit(missed === 0 ? 0 : 1);
