import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNKNOWN_ACTOR } from '../src/shared/actor.js';
import { systemClock } from '../src/shared/clock.js';
import { packageRoot } from '../src/shared/package-root.js';
import type { Log } from '../src/shared/ports/log.js';
import { STORE_LIMITS } from '../src/store/limits.js';
import { startDatabase } from '../src/store/recovery/open-database.js';
import { openStore } from '../src/store/store.js';
import { safetyColumns } from '../src/system/history/entries.js';

/**
 * Measures the number of durable one-row writes per second with synchronous=FULL, for the store with 64
 * callers and for one transaction per write on the main thread. Run `node dist/bench/store.js`. If a C
 * compiler is installed, the measurements are repeated with a delay of 20 ms per fsync.
 */
const CALLERS = 64;
const SECONDS = 4;
const DELAY_MS = 20;

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };
let keys = 0;
function row() {
  const entryKey = `bench-${keys++}`;
  const at = Date.now();
  const columns = safetyColumns(
    { cartID: 1, kind: 'bench', by: UNKNOWN_ACTOR },
    { key: entryKey, at, words: '' },
  );
  return { ...columns, entryKey, at, cartId: 1, view: '{"n":1}' };
}

async function benchStore(dir: string): Promise<number> {
  const writer = new URL('../src/app/writer-worker.js', import.meta.url);
  const store = await openStore({ dir, writer, clock: systemClock, log });
  const endMs = performance.now() + SECONDS * 1000;
  let writes = 0;
  const latencies: number[] = [];
  const caller = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const startedMs = performance.now();
      await store.write('ops.appendSafety', [row()]);
      latencies.push(performance.now() - startedMs);
      writes += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const { fsyncsPerWrite, bytesPerWrite } = store.status().metrics;
  await store.close();
  const sorted = latencies.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const cost = `${fsyncsPerWrite.toFixed(3)} fsyncs and ${bytesPerWrite.toFixed(0)} bytes a write`;
  printLine(
    `  store, ${CALLERS} callers: ${(writes / SECONDS).toFixed(0)} writes/s, p99 ${p99.toFixed(1)} ms, ${cost}`,
  );
  return writes / SECONDS;
}

async function benchOneByOne(dir: string): Promise<number> {
  const { db } = await startDatabase(dir, STORE_LIMITS, false);
  db.pragma('wal_autocheckpoint = 1000'); // default of better-sqlite3
  const insert = db.prepare(`
    INSERT INTO safety_events (entry_key, at, cart_id, kind, view) VALUES (@entryKey, @at, @cartId, @kind, @view)`);
  const endMs = performance.now() + SECONDS * 1000;
  let writes = 0;
  for (; performance.now() < endMs; writes += 1) insert.run(row());
  db.close();
  printLine(`  one transaction per write: ${(writes / SECONDS).toFixed(0)} writes/s`);
  return writes / SECONDS;
}

async function inDirectory(run: (dir: string) => Promise<number>): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-bench-'));
  try {
    return await run(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function benchSlowDisk(): void {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-shim-'));
  const shim = join(dir, 'fsync-delay.so');
  const source = join(packageRoot(), 'bench', 'fsync-delay.c');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'], {
    stdio: 'inherit',
  });
  const env = { ...process.env, LD_PRELOAD: shim, FSYNC_DELAY_MS: String(DELAY_MS) };
  if (built.status === 0) {
    spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, stdio: 'inherit' });
  }
  rmSync(dir, { recursive: true });
}

const delay = process.env.FSYNC_DELAY_MS;
printLine(delay ? `every fsync delayed by ${delay} ms:` : 'without delay:');
const single = await inDirectory(benchOneByOne);
const grouped = await inDirectory(benchStore);
printLine(`  ${(grouped / single).toFixed(1)} times as many writes/s`);
if (!delay) benchSlowDisk();
