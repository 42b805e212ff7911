import assert from 'node:assert/strict';
import { test } from 'uvu';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import { historyRow } from '../../../../src/console/history/rows.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { type Actor, actorName, conditionActor, keyActor, userActor } from '../../../../src/shared/actor.js';
import { Message } from '../../../../src/shared/messages/message.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { History } from '../../../../src/system/history/history.js';
import type { Filter } from '../../../../src/system/history/slices.js';
import { type TempStore, withTempStore } from '../../store/temp-store.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Noon in the machine's time zone. */
const NOON = new Date(2026, 0, 10, 12).getTime();

const BRAM = userActor('bram');

interface Sample {
  at: number;
  cartID?: number;
  by?: Actor;
  state?: string;
  code?: string;
  mm?: number;
}

function record(
  history: History,
  n: number,
  { at, cartID = 1, by = userActor('anna'), ...rest }: Sample,
): void {
  const { state = 'FINISHED', code, mm = 500 } = rest;
  const view = {
    commandId: `c${n}`,
    cartID,
    kind: 'move',
    state,
    acceptedAt: new Date(at).toISOString(),
    origin: { principal: actorName(by) },
    ...(code ? { reason: { code, text: `reason ${code}` } } : {}),
    result: { distanceMm: mm },
  };
  history.recordCommand(view, by, `words ${cartID}`);
}

async function filled({ clock, log }: TempStore, store: Store, samples: readonly Sample[]): Promise<History> {
  const history = new History({ store, clock, log });
  for (const [n, sample] of samples.entries()) record(history, n, sample);
  await history.close();
  return history;
}

async function idsOf(history: History, filter: Filter, limit = 200): Promise<string[]> {
  const { entries } = await history.search.page(filter, { limit });
  return entries.map(({ view }) => (view as { commandId: string }).commandId);
}

test(
  'finds entries by cart, person, outcome, time and words, newest first',
  withTempStore(async (temp) => {
    const history = await filled(temp, await temp.open(), [
      { at: NOON },
      { at: NOON + MINUTE, cartID: 2, by: BRAM },
      { at: NOON + 2 * MINUTE, cartID: 2, state: 'FAILED', code: 'SERIAL_LOST' },
      { at: NOON + 3 * MINUTE, cartID: 2, state: 'CANCELLED', code: 'SUPERSEDED' },
      { at: NOON + 4 * MINUTE, by: BRAM, state: 'CANCELLED', code: 'STOPPED' },
    ]);
    assert.deepEqual(await idsOf(history, {}), ['c4', 'c3', 'c2', 'c1', 'c0']);
    assert.deepEqual(await idsOf(history, { cart: 2 }), ['c3', 'c2', 'c1']);
    assert.deepEqual(await idsOf(history, { cart: 2, person: 'bram' }), ['c1']);
    assert.deepEqual(await idsOf(history, { outcome: 'cancelled', person: 'anna' }), ['c3']);
    assert.deepEqual(await idsOf(history, { stops: true }), ['c4', 'c2']);
    const range = { from: NOON + MINUTE, to: NOON + 3 * MINUTE };
    assert.deepEqual(await idsOf(history, range), ['c3', 'c2', 'c1']);
    assert.deepEqual(await idsOf(history, { words: ['serial_lost', 'words'] }), ['c2']);
    assert.deepEqual(await idsOf(history, { words: ['nothing'] }), []);
    assert.deepEqual(history.search.people(), [
      { person: 'anna', actor: userActor('anna') },
      { person: 'bram', actor: userActor('bram') },
    ]);
  }),
);

test(
  'lists and counts a press of Stop all once, regardless of the number of carts that it stops',
  withTempStore(async ({ clock, log, ...temp }) => {
    const safetyWords = ({ cartID }: { cartID: number }): string => `cart ${cartID}`;
    const history = new History({ store: await temp.open(), clock, log, safetyWords });
    const latch = (cartID: number, pressId?: string): void =>
      history.recordSafety(
        { cartID, kind: 'estop.latched', by: userActor('anna'), ...(pressId ? { pressId } : {}) },
        { key: `${cartID} ${pressId}`, at: NOON + cartID },
      );
    for (const cartID of [1, 2, 3]) latch(cartID, 'one');
    for (const cartID of [2, 3]) latch(cartID, 'two');
    // Carts of other manufacturers report no press ID.
    for (const cartID of [8, 9]) latch(cartID);
    await history.close();
    const list = async (filter: Filter) =>
      (await history.search.page(filter, { limit: 50 })).entries.map((entry) => [
        entry.cartID,
        ...entry.pressedCarts,
      ]);
    assert.deepEqual(await list({}), [[9], [8], [2, 2, 3], [1, 1, 2, 3]]);
    assert.deepEqual(await list({ outcome: 'estop', person: 'anna' }), await list({}));
    assert.deepEqual(await list({ cart: 3 }), [
      [3, 2, 3],
      [3, 1, 2, 3],
    ]);
    assert.equal((await list({ words: ['cart 3'] })).length, 2);
    const exported: number[] = [];
    for await (const entries of history.search.all({})) exported.push(entries.length);
    assert.deepEqual(exported, [7]);
    const stops = async (cart?: number) =>
      (await history.statistics.figures({ days: 1, now: NOON, cart })).days[0]?.stops.estop;
    assert.deepEqual([await stops(), await stops(3), await stops(1), await stops(8)], [4, 2, 1, 1]);
  }),
);

test(
  "lists a person's latching stop that another gateway recorded under a longer name",
  withTempStore(async (temp) => {
    const history = new History({ ...temp, store: await temp.open() });
    const pressId = '00000000-0000-4000-8000-000000000001';
    const anna = userActor('anna');
    for (const [n, by] of [{ ...anna, via: 'g1' }, anna, anna].entries()) {
      const event = { cartID: n + 1, kind: 'estop.latched', by, pressId };
      history.recordSafety(event, { key: `press-${n}`, at: NOON + n });
    }
    await history.close();
    const cartsOf = async (person?: string) =>
      (await history.search.page({ person }, { limit: 10 })).entries.map(({ cartID }) => cartID);
    assert.deepEqual(
      [await cartsOf(), await cartsOf('anna'), await cartsOf('anna (gateway g1)')],
      [[1], [2], [1]],
    );
  }),
);

test(
  'returns every entry exactly once in pages, even if several entries have the same time',
  withTempStore(async (temp) => {
    const samples = Array.from({ length: 1300 }, (_, n) => ({ at: NOON + (n % 7), cartID: 1 + (n % 2) }));
    const history = await filled(temp, await temp.open(), samples);
    const seen: number[] = [];
    let below: { at: number; id: number } | undefined;
    do {
      const page = await history.search.page(
        { cart: 2, words: ['words'] },
        { limit: 60, ...(below ? { below } : {}) },
      );
      seen.push(...page.entries.map(({ id }) => id));
      below = page.next;
    } while (below);
    // The history queue keeps the latest 1000 entries, half of which belong to cart 2.
    assert.equal(seen.length, 500);
    assert.equal(new Set(seen).size, 500);
    let exported = 0;
    for await (const entries of history.search.all({})) exported += entries.length;
    assert.equal(exported, 1000);
  }),
);

test(
  'returns one entry per command, in its latest state',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const history = await filled(temp, store, [{ at: NOON, state: 'SENT', mm: 0 }]);
    assert.deepEqual(await idsOf(history, { outcome: 'running' }), ['c0']);
    const later = await filled(temp, store, [{ at: NOON, mm: -750 }]);
    const { entries } = await later.search.page({}, { limit: 10 });
    assert.deepEqual(
      entries.map(({ outcome, distanceMm }) => [outcome, distanceMm]),
      [['finished', 750]],
    );
  }),
);

test(
  'stores the code of a message',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const history = new History({ ...temp, store });
    history.recordSafety({
      cartID: 2,
      kind: 'estop.latched',
      by: conditionActor('input', safetyMessage('button')),
    });
    await history.close();
    const { entries } = await history.search.page({ outcome: 'estop' }, { limit: 10 });
    const events = entries.map(({ view }) => (view as { by: Message }).by);
    assert.ok(events[0] instanceof Message);
    assert.deepEqual([events[0].code, entries[0]?.person], ['safety.button', '']);
  }),
);

test(
  'does not display a user as an API key with the same name',
  withTempStore(async (temp) => {
    const history = new History({ ...temp, store: await temp.open() });
    const senders = [keyActor('tablet'), userActor('key tablet'), { ...userActor('anna'), via: 'hall' }];
    for (const [n, by] of senders.entries()) record(history, n, { at: NOON + n, by });
    await history.close();
    const { entries } = await history.search.page({}, { limit: 10 });
    const dutch = withLanguage('nl', () => entries.map((entry) => historyRow(entry, String).person));
    assert.deepEqual(dutch, ['anna (gateway hall)', 'key tablet', 'sleutel tablet']);
    assert.deepEqual(
      history.lastCommands(10).map(({ by }) => by),
      senders,
    );
    const { people } = await history.statistics.figures({ days: 1, now: NOON });
    const [tablet, user, anna] = senders;
    assert.deepEqual(
      people.map(({ actor }) => actor),
      [anna, tablet, user],
    );
  }),
);

test(
  'stores an event only once when another gateway reports it twice',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const history = new History({ ...temp, store });
    const event = { cartID: 2, kind: 'estop.latched', by: userActor('anna') };
    for (let n = 0; n < 2; n += 1) history.recordSafety(event, { key: 'remote-2', at: NOON });
    await history.close();
    const { entries } = await history.search.page({}, { limit: 10 });
    assert.deepEqual(
      entries.map(({ at, cartID, person }) => [at, cartID, person]),
      [[NOON, 2, 'anna']],
    );
  }),
);

test(
  "counts a protective stop of the gateway's own cart once, and those of remote carts by their commands",
  withTempStore(async ({ clock, log, ...temp }) => {
    const history = new History({ store: await temp.open(), clock, log });
    const failed = (n: number, cartID: number, code: string): void =>
      record(history, n, { at: NOON, cartID, code, state: 'FAILED' });
    history.recordSafety(
      { cartID: 1, kind: 'protective_stop', by: conditionActor('input', 'late') },
      { key: 'p', at: NOON },
    );
    failed(1, 1, 'LOOP_LAG');
    failed(2, 2, 'LOOP_LAG');
    failed(3, 1, 'OBSTACLE');
    failed(4, 2, 'TIMEOUT');
    failed(5, 2, 'CONTROLLER_FAULT');
    await history.close();
    const { days } = await history.statistics.figures({ days: 1, now: NOON });
    assert.deepEqual(days[0]?.stops, {
      estop: 0,
      protective: 3,
      connection: 0,
      controller: 1,
      person: 0,
      other: 1,
    });
  }),
);

test(
  'counts distance, commands and stops per day and per person',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const yesterday = NOON - 24 * HOUR;
    const history = await filled(temp, store, [
      { at: NOON, mm: 1000 },
      { at: NOON + MINUTE, mm: -500, by: BRAM, cartID: 2 },
      { at: yesterday, mm: 250, state: 'CANCELLED', code: 'STOPPED' },
      { at: yesterday, mm: 100, state: 'CANCELLED', code: 'CONTROLLER_STOPPED' },
      { at: yesterday, mm: 0, state: 'FAILED', code: 'SERIAL_LOST' },
      { at: yesterday, mm: 0, state: 'FAILED', code: 'ESTOP_ACTIVE' },
      { at: NOON - 10 * 24 * HOUR, mm: 9000 },
    ]);
    const { days, people } = await history.statistics.figures({ days: 2, now: NOON });
    const none = { estop: 0, protective: 0, connection: 0, controller: 0, person: 0, other: 0 };
    assert.deepEqual(
      days.map(({ commands, distanceMm, stops }) => ({ commands, distanceMm, stops })),
      [
        { commands: 4, distanceMm: 350, stops: { ...none, connection: 1, controller: 1, person: 1 } },
        { commands: 2, distanceMm: 1500, stops: none },
      ],
    );
    assert.deepEqual(people, [
      { actor: userActor('anna'), person: 'anna', commands: 5, distanceMm: 1350 },
      { actor: userActor('bram'), person: 'bram', commands: 1, distanceMm: 500 },
    ]);
    const { people: ofCart2 } = await history.statistics.figures({ days: 2, now: NOON, cart: 2 });
    assert.deepEqual(ofCart2, [{ actor: userActor('bram'), person: 'bram', commands: 1, distanceMm: 500 }]);
  }),
);

test(
  "updates a day's counts when an entry for that day is added",
  withTempStore(async (temp) => {
    const history = new History({ ...temp, store: await temp.open() });
    const commandsToday = async (): Promise<number | undefined> =>
      (await history.statistics.figures({ days: 1, now: NOON })).days[0]?.commands;
    assert.equal(await commandsToday(), 0);
    record(history, 1, { at: NOON });
    while (history.counts.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
    while ((await commandsToday()) === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await commandsToday(), 1);
    await history.close();
  }),
);

test(
  'the list contains the same protective stops as the statistics',
  withTempStore(async (temp) => {
    const store = await temp.open();
    const { clock, log } = temp;
    const history = new History({ store, clock, log });
    const failed = { state: 'FAILED' };
    record(history, 0, { at: NOON, ...failed, code: 'OBSTACLE' });
    record(history, 1, { at: NOON + 1, ...failed, code: 'SENSOR_SILENT' });
    record(history, 2, { at: NOON + 2, ...failed, code: 'LOOP_LAG' });
    record(history, 3, { at: NOON + 3, cartID: 2, ...failed, code: 'LOOP_LAG' });
    record(history, 4, { at: NOON + 4, cartID: 2, ...failed, code: 'SERIAL_LOST' });
    history.recordSafety(
      { cartID: 1, kind: 'protective_stop', by: conditionActor('input', 'lag') },
      { key: 'k', at: NOON + 5 },
    );
    await history.close();
    const { entries } = await history.search.page({ outcome: 'protective' }, { limit: 200 });
    const shown = entries.map(({ cartID, kind, reason }) => `${cartID} ${kind} ${reason}`.trim());
    assert.deepEqual(shown.toSorted(), [
      '1 move OBSTACLE',
      '1 move SENSOR_SILENT',
      '1 protective_stop',
      '2 move LOOP_LAG',
    ]);
    const { days } = await history.statistics.figures({ days: 1, now: NOON + HOUR });
    assert.equal(days[0]?.stops.protective, shown.length);
  }),
);

test.run();
