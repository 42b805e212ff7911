import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { pause, residentMb } from './process-figures.js';
import { median, verdict } from './verdict.js';

/**
 * Measures the gateway's time from process start to READY, alternating with an empty Node process and with
 * Fastify serving one SQLite-backed route. Also measures the idle gateway's memory use.
 */

const ROUNDS = 9;
/** After 20 s of low activity, V8 returns the memory used during startup to the system. */
const IDLE_MS = 30_000;

async function gatewayMs(gateway: GatewayProcess): Promise<number> {
  const startedMs = performance.now();
  await gateway.spawn();
  const ms = performance.now() - startedMs;
  await gateway.kill('SIGTERM');
  return ms;
}

function nodeMs(): number {
  const startedMs = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - startedMs;
}

async function fastifyMs(dir: string): Promise<number> {
  const startedMs = performance.now();
  const peer = spawn(process.execPath, [join(import.meta.dirname, 'beacons-peer.js'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: peer.stdout }), 'line');
  const ms = performance.now() - startedMs;
  peer.kill();
  await once(peer, 'exit');
  return ms;
}

const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
const gateway = await GatewayProcess.start();
await gateway.kill('SIGTERM');
const times = { cartwright: [] as number[], node: [] as number[], fastify: [] as number[] };
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    times.cartwright.push(await gatewayMs(gateway));
    times.node.push(nodeMs());
    times.fastify.push(await fastifyMs(dir));
  }
  const [ready, bare, fastify] = [times.cartwright, times.node, times.fastify].map(median) as [
    number,
    number,
    number,
  ];
  process.stdout.write(
    `node -e 0: ${bare.toFixed(0)} ms; fastify with one route: ${fastify.toFixed(0)} ms\n`,
  );
  verdict('start to READY', `${ready.toFixed(0)} ms`, '350 ms at most', ready <= 350);
  verdict(
    'start to READY against node -e 0',
    `${(ready / bare).toFixed(1)}x`,
    '4x at most',
    ready / bare <= 4,
  );
  await gateway.spawn();
  await pause(IDLE_MS);
  const mb = residentMb(gateway.pid);
  verdict('resident memory, idle', `${mb.toFixed(0)} MB`, '85 MB at most', mb <= 85);
} finally {
  await gateway.close();
  rmSync(dir, { recursive: true });
}
