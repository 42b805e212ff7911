import assert from 'node:assert/strict';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { commandColumns, safetyColumns } from '../../../../src/system/history/entries.js';
import { History } from '../../../../src/system/history/history.js';
import { settle } from '../../../helpers/cart-harness.js';
import { closedGate, type TempStore, withTempStore } from '../../store/temp-store.js';

const DAY = 86_400_000;
const AT = '2026-01-01T00:00:00.000Z';
const ORDER = { cartID: 1, kind: 'move', acceptedAt: AT, origin: { principal: 'anna' } };
const command = (n: number) => ({ ...ORDER, commandId: `c${n}`, state: 'FINISHED', timeline: [{ ms: n }] });
const ANNA = userActor('anna');
const latched = () => ({ cartID: 1, kind: 'estop.latched', by: ANNA });
const LATCHED_VIEW = { cartID: 1, kind: 'estop.latched', by: 'anna' };
const historyOf = (store: Store, { clock, log }: TempStore): History => new History({ store, clock, log });

test(
  'stores complete commands and safety events and returns them in pages, newest first',
  withTempStore(async (temp) => {
    const history = historyOf(await temp.open(), temp);
    for (let n = 1; n <= 5; n += 1) history.recordCommand(command(n), ANNA);
    history.recordSafety(latched());
    await history.close();
    const page = history.recentCommands({ limit: 2 });
    assert.deepEqual(
      page.map(({ view }) => view),
      [command(5), command(4)],
    );
    const before = page.at(-1)?.id ?? 0;
    assert.deepEqual(
      history.recentCommands({ before }).map(({ view }) => view),
      [command(3), command(2), command(1)],
    );
    const [event] = history.recentSafety();
    assert.deepEqual(event?.view, LATCHED_VIEW);
    assert.equal(event?.at, Date.UTC(2026, 0, 1));
    assert.deepEqual(history.counts, { dropped: 0, waiting: 0 });
  }),
);

test(
  "an administrator's confirmation is stored before the call resolves, and does not count as a stop",
  withTempStore(async (temp) => {
    const history = historyOf(await temp.open(), temp);
    for (const kind of ['payments.confirmed', 'loss.acknowledged'] as const) {
      await history.recordConfirmation({ kind, cartID: 1, by: ANNA });
      assert.deepEqual(history.recentSafety()[0]?.view, { kind, cartID: 1, by: 'anna' });
    }
    const { entries } = await history.search.page({ person: 'anna' }, { limit: 9 });
    assert.deepEqual(
      entries.map(({ kind, outcome }) => [kind, outcome]),
      [
        ['loss.acknowledged', 'confirmed'],
        ['payments.confirmed', 'confirmed'],
      ],
    );
    assert.deepEqual((await history.search.page({ stops: true }, { limit: 9 })).entries, []);
    const { days } = await history.statistics.figures({ days: 1, now: temp.clock.wallTime() } as never);
    assert.equal(days[0]?.stops.estop, 0);
    assert.equal(history.lastEstop(1), undefined);
    await history.close();
  }),
);

test(
  'rejects the record of a confirmation if it cannot be stored',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const history = historyOf(store, temp);
    await store.close();
    const entry = { kind: 'payments.confirmed', cartID: 1, by: ANNA } as const;
    await assert.rejects(history.recordConfirmation(entry));
  }),
);

test(
  'returns the most recent commands in their latest state, oldest first',
  withTempStore(async (temp) => {
    const history = historyOf(await temp.open(), temp);
    assert.deepEqual(history.lastCommands(2), []);
    const entry = (commandId: string, state: string) => ({ ...ORDER, commandId, state });
    for (const [id, state] of [
      ['a', 'SENT'],
      ['b', 'SENT'],
      ['c', 'SENT'],
      ['a', 'FINISHED'],
    ] as const)
      history.recordCommand(entry(id, state), ANNA);
    await history.close();
    assert.deepEqual(
      history.lastCommands(2).map(({ view }) => view),
      [entry('c', 'SENT'), entry('a', 'FINISHED')],
    );
  }),
);

test(
  'defers recording to a later event-loop iteration and does not throw',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const history = historyOf(store, temp);
    history.recordCommand(command(1), ANNA);
    assert.equal(store.status().queueOperations, 0);
    const ring: Record<string, unknown> & ReturnType<typeof latched> = latched();
    ring.self = ring;
    history.recordSafety(ring);
    history.recordSafety({ ...latched(), cartID: 1.5 });
    await history.close();
    assert.equal(history.counts.dropped, 2);
    assert.deepEqual([history.recentCommands().length, history.recentSafety().length], [1, 0]);
  }),
);

test(
  'queues the latest 1000 entries while the store is failing, then stores each entry once',
  withTempStore(async (temp) => {
    const { clock, log } = temp;
    const store = await temp.open();
    const history = historyOf(store, temp);
    const restart = clock.nextTimer();
    await store.write('test.exit', {}).catch(() => {});
    await restart;
    const retry = clock.nextTimer();
    for (let n = 1; n <= 1010; n += 1) history.recordCommand(command(n), ANNA);
    await retry;
    assert.deepEqual(history.counts, { dropped: 10, waiting: 1000 });
    const recovered = log.next('store.recovered');
    clock.advance(500);
    await recovered;
    clock.advance(40_000); // Exceeds the maximum retry delay.
    while (history.counts.waiting > 0) await settle();
    await history.close();
    const sql = 'SELECT count(DISTINCT command_id) AS different, count(*) AS n FROM command_history';
    assert.deepEqual(store.read.prepare(sql).get(), { different: 1000, n: 1000 });
  }),
);

test(
  'stores an entry only once when its write is repeated',
  withTempStore(async (temp) => {
    const { clock, log } = temp;
    const store = await temp.open();
    const rows = [
      {
        entryKey: 'k-1',
        at: 1,
        commandId: 'c1',
        cartId: 1,
        state: 'SENT',
        view: '{}',
        ...commandColumns({ ...ORDER, commandId: 'c1', state: 'SENT' }, ANNA, ''),
      },
    ];
    await store.write('ops.appendCommands', rows);
    await store.write('ops.appendCommands', rows);
    assert.equal(new History({ store, clock, log }).recentCommands().length, 1);
  }),
);

for (const sql of [
  "UPDATE command_history SET state = 'SENT'",
  'DELETE FROM command_history',
  "INSERT OR REPLACE INTO command_history SELECT id, entry_key, at, 'other', cart_id, state, view FROM command_history",
  'DELETE FROM safety_events WHERE id = (SELECT min(id) FROM safety_events)',
]) {
  test(
    `rejects ${sql.split(' ').slice(0, 3).join(' ')} on the append-only history`,
    withTempStore(async (temp) => {
      const store = await temp.open();
      // Sets the clock to the system time, which the database triggers use.
      temp.clock.stepWallTime(Date.now() - temp.clock.wallTime());
      const history = historyOf(store, temp);
      history.recordCommand(command(1), ANNA);
      history.recordSafety(latched());
      await history.close();
      await assert.rejects(store.write('test.sql', { sql }), /append-only/);
      assert.deepEqual([history.recentCommands().length, history.recentSafety().length], [1, 1]);
    }),
  );
}

test(
  'deletes safety events older than a year in batches, but keeps the latest 1000',
  withTempStore(async (temp) => {
    const { clock, open } = temp;
    clock.stepWallTime(Date.now() - clock.wallTime());
    const store = await open();
    const row = (n: number, at: number) => safetyRow(`k${n}`, at);
    const old = Date.now() - 366 * DAY;
    await store.write(
      'ops.appendSafety',
      Array.from({ length: 2200 }, (_, n) => row(n, old)),
    );
    const young = Date.now() - 364 * DAY;
    await store.write(
      'ops.appendSafety',
      Array.from({ length: 10 }, (_, n) => row(10_000 + n, young)),
    );
    const history = historyOf(store, temp);
    history.start();
    const { gate, held, open: go } = closedGate();
    const hold = store.write('test.hold', gate);
    await held();
    const slice = clock.nextTimer();
    clock.advance(60_000);
    go();
    await Promise.all([hold, slice]);
    assert.equal(storedEvents(store), 1710);
    const second = clock.nextTimer();
    clock.advance(1000);
    await second;
    clock.advance(1000);
    await store.write('test.pragma', { name: 'user_version' });
    assert.equal(storedEvents(store), 1000);
    await history.close();
    assert.equal(history.recentSafety()[9]?.at, young);
    assert.equal(store.read.prepare<{ n: number }>(INDEXED).get()?.n, 1000);
  }),
);

test(
  'keeps every safety event of the last year, regardless of the number of newer events',
  withTempStore(async (temp) => {
    const { clock, open, sql } = temp;
    clock.stepWallTime(Date.now() - clock.wallTime());
    const store = await open();
    const days = [366, 364, 200, 31, 29];
    const old = days.map((age) => safetyRow(`d${age}`, Date.now() - age * DAY));
    await store.write('ops.appendSafety', old);
    sql(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 110000)
      INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
      SELECT 'f' || i, ${Date.now()}, 1, 'estop.latched', '{}' FROM n`);
    const history = historyOf(store, temp);
    history.start();
    for (const delay of [60_000, 1000, 3_600_000]) {
      clock.advance(delay);
      await store.write('test.pragma', { name: 'user_version' });
    }
    const kept = store.read
      .prepare<{ key: string }>(
        "SELECT entry_key AS key FROM safety_events WHERE entry_key LIKE 'd%' ORDER BY id",
      )
      .all();
    assert.deepEqual(
      kept.map(({ key }) => key),
      ['d364', 'd200', 'd31', 'd29'],
    );
    assert.equal(storedEvents(store), 110_004);
    await history.close();
  }),
);

test(
  'keeps changes of settings, firmware and software for five years, and other events for one year',
  withTempStore(async (temp) => {
    const { clock, open, sql } = temp;
    clock.stepWallTime(Date.now() - clock.wallTime());
    const store = await open();
    const years = [6, 5, 2, 0.5];
    const rows = years.flatMap((age) =>
      ['settings.changed', 'firmware.changed', 'software.installed', 'estop.latched'].map((kind) =>
        safetyRow(`${kind} ${age}`, Date.now() - age * 365 * DAY, kind),
      ),
    );
    await store.write('ops.appendSafety', rows);
    sql(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
      SELECT 'f' || i, ${Date.now()}, 1, 'estop.latched', '{}' FROM n`);
    const history = historyOf(store, temp);
    history.start();
    clock.advance(60_000);
    await store.write('test.pragma', { name: 'user_version' });
    const kept = store.read
      .prepare<{ key: string }>(
        "SELECT entry_key AS key FROM safety_events WHERE entry_key LIKE '% %' ORDER BY id",
      )
      .all();
    assert.deepEqual(
      kept.map(({ key }) => key),
      [
        'settings.changed 5',
        'firmware.changed 5',
        'software.installed 5',
        'settings.changed 2',
        'firmware.changed 2',
        'software.installed 2',
        'settings.changed 0.5',
        'firmware.changed 0.5',
        'software.installed 0.5',
        'estop.latched 0.5',
      ],
    );
    await history.close();
  }),
);

function safetyRow(key: string, at: number, kind = 'estop.latched') {
  const columns = safetyColumns({ ...latched(), kind }, { key, at, words: '' });
  return { ...columns, entryKey: key, at, cartId: 1, view: '{}' };
}

const INDEXED = 'SELECT count(*) AS n FROM history_entries';

function storedEvents(store: Store): number {
  return store.read.prepare<{ n: number }>('SELECT count(*) AS n FROM safety_events').get()?.n ?? 0;
}

test.run();
