import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/shared/ports/clock.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { openPlain } from '../../../src/store/connection.js';
import type { StoreLimits } from '../../../src/store/limits.js';
import { openStore } from '../../../src/store/store.js';
import { ObservableClock } from '../../helpers/observable-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { until } from '../../helpers/until.js';

export const WRITER = new URL('./test-writer.js', import.meta.url);

export interface TempStore {
  dir: string;
  file: string;
  clock: ObservableClock;
  log: RecordingLog;
  /** Opens a store with a table `rows`. The store is closed after the test. */
  open(limits?: Partial<StoreLimits>, clock?: Clock): Promise<Store>;
  /** Runs SQL directly on the database file, even if a store has the file open. */
  sql(text: string): unknown[];
}

export function withTempStore(
  test: (temp: TempStore) => Promise<void>,
  parent = tmpdir(),
): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(parent, 'cartwright-store-'));
    const stores: Store[] = [];
    const clock = new ObservableClock();
    const log = new RecordingLog();
    const file = join(dir, 'cartwright.db');
    const open: TempStore['open'] = async (limits = {}, other = clock) => {
      const store = await openStore({ dir, writer: WRITER, clock: other, log, limits });
      stores.push(store);
      await store.write('test.create', {}).catch(() => {});
      return store;
    };
    const sql = (text: string): unknown[] => {
      const db = openPlain(file, 5000);
      try {
        const statement = db.prepare(text);
        return statement.reader ? statement.all() : [statement.run()];
      } finally {
        db.close();
      }
    };
    try {
      await test({ dir, file, clock, log, open, sql });
    } finally {
      for (const store of stores) await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

/**
 * Returns a closed gate for `test.hold`. `held()` resolves when the writer is blocked; `open()` releases the
 * writer.
 */
export function closedGate(): { gate: Int32Array; held: () => Promise<void>; open: () => void } {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const held = (): Promise<void> => until(() => Atomics.load(gate, 1) !== 0);
  const open = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  return { gate, held, open };
}

export function count(store: Store): number {
  return store.read.prepare<{ n: number }>('SELECT count(*) AS n FROM rows').get()?.n ?? 0;
}

/** Writes rows concurrently, with IDs from `from` (inclusive) to `to` (exclusive). */
export async function insert(store: Store, from: number, to: number): Promise<void> {
  const ids = Array.from({ length: to - from }, (_, index) => from + index);
  await Promise.all(ids.map((id) => store.write('test.insert', { id, text: `row ${id}` })));
}

/** Backs up ten rows, adds five more and closes the store. Returns the backup's path. */
export async function createBackup({ open }: TempStore): Promise<string> {
  const store = await open();
  await insert(store, 0, 10);
  const { path } = await store.backup();
  await insert(store, 10, 15);
  await store.close();
  return path;
}

export function hasErrorCode(code: string, message: RegExp = /./): (error: unknown) => boolean {
  return (error) =>
    error instanceof Error && 'code' in error && error.code === code && message.test(error.message);
}
