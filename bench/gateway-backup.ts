import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SerialPort } from 'serialport';
import { Deframer } from '../src/carts/serial/codec/codec.js';
import { systemClock } from '../src/shared/clock.js';
import { SimulatedController } from '../src/simulator/controller/controller.js';
import { GatewayProcess } from '../test/helpers/gateway.js';
import '../test/helpers/no-validation.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { logIn } from './log-in.js';
import { pause, residentMb } from './process-figures.js';
import { verdict } from './verdict.js';

/**
 * Measures the longest gap between heartbeats and the memory while a backup of the whole gateway is made and inspected,
 * and the cart drives. Build, then run `node dist/bench/gateway-backup.js`; `BACKUP_BENCH_MB=1000` measures a backup of
 * 1 GB.
 */
const SIZE_MB = Number(process.env.BACKUP_BENCH_MB ?? 100);
const PHOTO_BYTES = 2_000_000;
const GAP_MS = 150;
const MEMORY_MB = 40;
const SAMPLE_MS = 5;
const REST_BEATS = 100;

const PASSWORD = 'not a common one 42';
const ADMIN = { CARTWRIGHT_ADMIN_USER: 'bench', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD };
const passphrase = 'a passphrase for backups';

const line = await openPtyPair();
const far = new SerialPort({ path: line.far, baudRate: 115_200 });
await once(far, 'open');
const controller = new SimulatedController({ clock: systemClock, dialect: 'cgw1' });
controller.onSend((bytes) => far.write(Buffer.from(bytes)));
const beats: number[] = [];
const deframer = new Deframer(({ type }) => {
  if (type === 'HEARTBEAT') beats.push(performance.now());
});
far.on('data', (bytes: Buffer) => {
  deframer.push(bytes);
  controller.receive(bytes);
});
let isMoving = false;
controller.onReport(({ state }) => {
  isMoving = state === 'RUNNING';
});

const settings = { serial: { path: line.near }, simulation: { carts: [] } };
const gateway = await GatewayProcess.start(settings, { ...ADMIN, CARTWRIGHT_AUTH: 'required' });
const { cookie } = await logIn(gateway.url, 'bench', PASSWORD, '127.0.0.1');

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', cookie };
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

function widestGap(): number {
  const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? at));
  beats.length = 0;
  return Math.max(...gaps);
}

/** Returns the job's result, its duration, and the largest increase in memory. */
async function measured<T>(job: Promise<T>): Promise<{ result: T; ms: number; grownMb: number }> {
  const [startMs, beforeMb] = [performance.now(), residentMb(gateway.pid)];
  let [isDone, highestMb] = [false, beforeMb];
  const done = job.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    highestMb = Math.max(highestMb, residentMb(gateway.pid));
    await Promise.race([done.catch(() => {}), pause(SAMPLE_MS)]);
  }
  return { result: await done, ms: performance.now() - startMs, grownMb: highestMb - beforeMb };
}

function report(what: string, { ms, grownMb }: { ms: number; grownMb: number }): void {
  const wasMoving = isMoving;
  const widest = widestGap();
  process.stdout.write(`${what} of ${SIZE_MB} MB: ${(ms / 1000).toFixed(1)} s\n`);
  if (!wasMoving) throw new Error('the cart stopped before the end of the measurement');
  verdict('  widest gap between heartbeats', `${widest.toFixed(0)} ms`, `${GAP_MS} ms`, widest <= GAP_MS);
  verdict('  additional memory', `${grownMb.toFixed(0)} MB`, `${MEMORY_MB} MB`, grownMb <= MEMORY_MB);
}

const photos = join(gateway.dir, 'data/photos');
mkdirSync(photos, { recursive: true });
for (let n = 0; n * PHOTO_BYTES < SIZE_MB * 1e6; n += 1) {
  const name = `20260504-${String(120_000 + (n % 60)).padStart(6, '0')}-${String(n).padStart(3, '0')}.jpg`;
  writeFileSync(join(photos, name), Buffer.alloc(PHOTO_BYTES, n));
}
const drive = (): Promise<unknown> => post('/', { cartID: 1, distanceID: 9000, angleID: 0, maxSpeed: 50 });
while (beats.length < 20) await pause(50);
await drive();
while (!isMoving) await pause(50);
widestGap();
while (beats.length < REST_BEATS) await pause(50);
process.stdout.write(`driving without a backup: widest gap ${widestGap().toFixed(0)} ms\n`);
const made = await measured(post<{ name: string }>('/gateway-backups', { passphrase, include: ['photos'] }));
report('making a backup', made);
report(
  'inspecting a backup',
  await measured(post(`/gateway-backups/${made.result.name}/inspect`, { passphrase })),
);
await gateway.close();
controller.close();
far.close();
await line.close();
