import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { openPtyPair } from '../test/helpers/pty.js';
import type { ViewerResult } from './camera-viewers.js';
import { instantController } from './instant-controller.js';
import { pause, processorOf, quantile, residentMb } from './process-figures.js';

/**
 * Measures the cost of camera viewers and their effect on a cart. Realistically sized 1280×720 images are
 * sent at 30 images/s to viewers in a separate process. Each output line shows a target and whether it is
 * met. The slow-network measurement requires root privileges to create a network namespace; without them, it
 * is skipped.
 */

/** Size of a real 1280×720 image at JPEG quality 70. */
const PICTURE_BYTES = 82_000;
const SECONDS = 5;
const NAMESPACE = 'cartwright-bench';
/** The ends of the slow line: the gateway's, and the viewers' in a network namespace. */
const [NEAR, FAR] = ['10.213.77.1', '10.213.77.2'];

function report(what: string, figure: string, target: string, holds: boolean): void {
  const verdict = holds ? 'met' : 'MISSED';
  process.stdout.write(`${what.padEnd(44)} ${figure.padEnd(40)} target ${target.padEnd(22)} ${verdict}\n`);
}

interface Watching {
  count: number;
  how?: 'stream' | 'poll' | 'stalled';
  seconds?: number;
  /** Prefix for commands that run in another network namespace. */
  prefix?: readonly string[];
  host?: string;
}

async function watch(port: string, watching: Watching): Promise<ViewerResult> {
  const { count, how = 'stream', seconds = SECONDS, prefix = [], host = '127.0.0.1' } = watching;
  const script = join(import.meta.dirname, 'camera-viewers.js');
  const args = [...prefix, process.execPath, script, host, port, String(count), String(seconds), how];
  const child = spawn(args[0] ?? '', args.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return JSON.parse(text);
}

async function manyViewers(gateway: GatewayProcess, port: string): Promise<void> {
  const idle = await processorOf(gateway.pid, pause(SECONDS * 1000));
  report('nobody watches: processor', `${idle.cpu.toFixed(1)} % of a core`, 'none', true);
  for (const how of ['stream', 'poll'] as const) {
    for (const count of [1, 10, 50]) {
      const watching = watch(port, { count, how });
      await pause(1500);
      const { result, cpu } = await processorOf(gateway.pid, watching);
      const { fps, latenciesMs } = result;
      const p95 = quantile(latenciesMs, 0.95);
      const name = `${count} × ${how}, 1280x720 at 30`;
      report(`${name}: pictures a second`, fps.toFixed(1), '29.5', fps >= 29.5);
      if (how === 'poll') {
        report(
          `${name}: p95, processor`,
          `${p95.toFixed(1)} ms, ${cpu.toFixed(1)} % of a core`,
          'none',
          true,
        );
        continue;
      }
      report(`${name}: p95 added`, `${p95.toFixed(1)} ms`, '5 ms', p95 <= 5);
      report(`${name}: processor`, `${cpu.toFixed(1)} % of a core`, '8 %', cpu <= 8);
    }
  }
}

async function stalledViewers(gateway: GatewayProcess, port: string): Promise<void> {
  const stalled = watch(port, { count: 3, how: 'stalled', seconds: 11 });
  const watching = watch(port, { count: 10, seconds: 11 });
  await pause(4000);
  const before = residentMb(gateway.pid);
  await pause(7000);
  const grown = residentMb(gateway.pid) - before;
  const [{ fps }] = await Promise.all([watching, stalled]);
  const figure = `${before.toFixed(0)} MB, ${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MB in 7 s; others ${fps.toFixed(1)}/s`;
  report('10 viewers + 3 that take nothing: memory', figure, 'below +8 MB', grown < 8);
}

async function stalledLoop(gateway: GatewayProcess, port: string): Promise<void> {
  const watching = watch(port, { count: 10, seconds: 4 });
  await pause(3000);
  process.kill(gateway.pid, 'SIGSTOP');
  await pause(1000);
  process.kill(gateway.pid, 'SIGCONT');
  const { latenciesMs } = await watching;
  const stale = latenciesMs.filter((ms) => ms > 250).length / 10;
  const figure = `${stale.toFixed(1)} old pictures a viewer`;
  report('an event loop blocked for 1 s', figure, 'at most 2', stale <= 2);
}

/** Measures how fifty camera viewers affect the control path. */
async function control(gateway: GatewayProcess, port: string, line: Line): Promise<void> {
  for (const count of [0, 50]) {
    // The viewers run at the lowest priority, because real viewers are on other machines.
    const prefix = ['nice', '-n', '19'];
    const watching = count > 0 ? watch(port, { count, seconds: 7, prefix }) : Promise.resolve();
    if (count > 0) await pause(2000);
    const { longest, p99 } = await controlFigures(gateway, line);
    report(`${count} viewers: longest heartbeat gap`, `${longest.toFixed(0)} ms`, '150 ms', longest <= 150);
    report(`${count} viewers: command p99`, `${p99.toFixed(1)} ms`, '10 ms', p99 <= 10);
    await watching;
  }
}

async function controlFigures(
  gateway: GatewayProcess,
  line: Line,
): Promise<{ longest: number; p99: number }> {
  line.beats.length = 0;
  const times: number[] = [];
  for (let round = 0; round < 150; round++) {
    const arrived = line.nextMove();
    const start = performance.now();
    const { status } = await gateway.move(1, 1 + (round % 7));
    if (status !== 200) throw new Error(`a command returned ${status}`);
    times.push((await arrived) - start);
    await pause(20);
  }
  const gaps = line.beats.slice(1).map((at, nth) => at - (line.beats[nth] ?? at));
  return { longest: Math.max(...gaps), p99: quantile(times, 0.99) };
}

/** Measures how the marker detector, at 10 images per second, affects the control path with 10 camera viewers. */
async function detector(gateway: GatewayProcess, port: string, line: Line): Promise<void> {
  const marker = { id: 12, sizeMm: 150, xMm: 1500, yMm: 0, headingDeg: 180, purpose: 'reference' };
  await gateway.call('PUT', '/markers/12', marker);
  const watching = watch(port, { count: 10, seconds: 25, prefix: ['nice', '-n', '19'] });
  await pause(2000);
  const without = await controlFigures(gateway, line);
  const before = residentMb(gateway.pid);
  const detecting = new AbortController();
  const images = keepDetecting(gateway, detecting.signal);
  await pause(3000);
  const { longest, p99 } = await controlFigures(gateway, line);
  const grown = residentMb(gateway.pid) - before;
  detecting.abort();
  const rate = await images;
  await watching;
  report('detector, 10 viewers: detections a second', rate.toFixed(1), '9', rate >= 9);
  report('detector, 10 viewers: longest heartbeat gap', `${longest.toFixed(0)} ms`, '150 ms', longest <= 150);
  const ratio = p99 / without.p99;
  const figure = `${p99.toFixed(1)} ms, ${ratio.toFixed(2)} times that without the detector`;
  report('detector, 10 viewers: command p99', figure, '1.2 times', ratio <= 1.2);
  report('detector, 10 viewers: memory', `+${grown.toFixed(0)} MB`, '+60 MB', grown <= 60);
}

/** Returns the number of images per second in which markers were detected. */
async function keepDetecting(gateway: GatewayProcess, signal: AbortSignal): Promise<number> {
  const seen = new Set<number>();
  let startedMs = 0;
  while (!signal.aborted) {
    const { body } = await gateway.call<{ ageMs: number | null }>('GET', '/navigation/sightings');
    if (body.ageMs !== null) {
      startedMs ||= performance.now();
      // An image is identified by its capture time. Rounding hides the imprecision of the computed time.
      seen.add(Math.round((performance.now() - body.ageMs) / 50));
    }
    await pause(50);
  }
  return (seen.size * 1000) / (performance.now() - startedMs);
}

interface Line {
  /** Arrival times of heartbeats and other frames, in ms on the `performance.now()` clock. */
  beats: number[];
  nextMove(): Promise<number>;
}

function listen(far: SerialPort): Line {
  let arrived: (at: number) => void = () => undefined;
  const line: Line = { beats: [], nextMove: () => new Promise((resolve) => (arrived = resolve)) };
  instantController(far, ({ type }) => {
    const now = performance.now();
    // Every frame from the gateway counts as a heartbeat.
    line.beats.push(now);
    if (type === 'MOVE') arrived(now);
  });
  return line;
}

/** Measures the latency at 8 Mbit/s, which is less than half of the bandwidth that the images need. */
async function slowLine(): Promise<void> {
  const run = (command: string): unknown => {
    const [program = '', ...args] = command.split(' ');
    return execFileSync(program, args, { stdio: 'ignore' });
  };
  try {
    run(`ip netns add ${NAMESPACE}`);
    run(`ip link add cw-near type veth peer name cw-far netns ${NAMESPACE}`);
    run(`ip addr add ${NEAR}/30 dev cw-near`);
    run('ip link set cw-near up');
    run(`ip -n ${NAMESPACE} addr add ${FAR}/30 dev cw-far`);
    run(`ip -n ${NAMESPACE} link set cw-far up`);
    run('tc qdisc add dev cw-near root tbf rate 8mbit burst 16kb latency 50ms');
  } catch {
    process.stdout.write('SKIPPED: a line of 8 Mbit/s (needs root for a network namespace)\n');
    return;
  }
  // The network interface must exist before a gateway can listen on its address.
  await withGateway((_gateway, port) => slowViewers(port), {}, { HOST: NEAR });
}

async function slowViewers(port: string): Promise<void> {
  const there = { count: 1, prefix: ['ip', 'netns', 'exec', NAMESPACE], host: NEAR } as const;
  const page = await watch(port, { ...there, how: 'poll' });
  const p95 = quantile(page.latenciesMs, 0.95);
  const figure = `${p95.toFixed(0)} ms, ${page.fps.toFixed(1)}/s`;
  report("8 Mbit/s: the page's view, p95", figure, '150 ms', p95 <= 150);
  const stream = await watch(port, there);
  report('8 Mbit/s: MJPEG, p95', `${quantile(stream.latenciesMs, 0.95).toFixed(0)} ms`, 'none', true);
}

function closeSlowLine(): void {
  for (const what of [`netns del ${NAMESPACE}`, 'link del cw-near']) {
    try {
      execFileSync('ip', what.split(' '), { stdio: 'ignore' });
    } catch {
      // Already deleted.
    }
  }
}

async function withGateway(
  run: (gateway: GatewayProcess, port: string) => Promise<void>,
  more = {},
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  const camera = { mode: 'simulated', width: 1280, height: 720, framerate: 30 };
  const settings = { camera, simulation: { carts: [] }, ...more };
  const env = { CARTWRIGHT_CAMERA_BYTES: String(PICTURE_BYTES), ...variables };
  const gateway = await GatewayProcess.start(settings, env);
  try {
    await gateway.untilCart(1, ({ safety }) => safety.mayMove);
    await run(gateway, new URL(gateway.url).port);
  } finally {
    await gateway.close();
  }
}

async function withController(
  run: (gateway: GatewayProcess, port: string, line: Line) => Promise<void>,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  const pty = await openPtyPair();
  const far = new SerialPort({ path: pty.far, baudRate: 115_200 });
  await once(far, 'open');
  const line = listen(far);
  const more = { serial: { path: pty.near }, limits: { ratePerSec: 100 } };
  await withGateway((gateway, port) => run(gateway, port, line), more, variables);
  far.close();
  await pty.close();
}

process.stdout.write(`load of this machine: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors\n`);
const only = process.argv[2] ?? '';
const parts = {
  viewers: () => withGateway(manyViewers),
  stalled: () => withGateway(stalledViewers),
  loop: () => withGateway(stalledLoop),
  control: () => withController(control),
  detector: () =>
    withController(detector, { NODE_OPTIONS: `--import ${import.meta.resolve('./detector-rate.js')}` }),
  slow: () => slowLine().finally(closeSlowLine),
};
for (const [name, part] of Object.entries(parts)) if (name.startsWith(only)) await part();
