import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outbox, type OutboxDeps } from '../../../src/alarms/outbox.js';
import { AlarmReads } from '../../../src/alarms/reads.js';
import { systemClock } from '../../../src/shared/clock.js';
import type { Alarm } from '../../../src/shared/ports/alarms.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { openStore } from '../../../src/store/store.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';

const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);

export interface TempOutbox {
  store: Store;
  clock: FakeClock;
  log: RecordingLog;
  /** Opens an outbox that is closed after the test. */
  open(deps: Pick<OutboxDeps, 'send'> & Partial<OutboxDeps>): Promise<Outbox>;
  /** Returns the number of deliveries in each state, from the database. */
  states(): Record<string, number>;
}

/** Runs a test with a real store and a clock that the test advances. */
export function withOutbox(test: (temp: TempOutbox) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-alarms-'));
    const log = new RecordingLog();
    const clock = new FakeClock();
    const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
    const opened: Outbox[] = [];
    const open: TempOutbox['open'] = async (deps) => {
      const reads = new AlarmReads(store.read);
      const outbox = new Outbox({ store, reads, clock, log, isConfigured: () => true, ...deps });
      opened.push(outbox);
      await outbox.start();
      return outbox;
    };
    const states = (): Record<string, number> => {
      const rows = store.read
        .prepare<{ state: string; n: number }>(
          'SELECT state, count(*) AS n FROM alarm_deliveries GROUP BY state',
        )
        .all();
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    };
    try {
      await test({ store, clock, log, open, states });
    } finally {
      const closing = Promise.all(opened.map((outbox) => outbox.close()));
      // Ends the wait for attempts that never settle.
      clock.advance(10_000);
      await closing;
      await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

export function alarm(number: number, at: number): Alarm {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const text = `Cart ${number}: stopped by Anna at 14:02:11 UTC`;
  return { id, kind: 'estop', cartID: number, at, count: 1, text, gateway: 'Cart 1', url: 'http://cart/' };
}
