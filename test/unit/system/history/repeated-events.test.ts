import assert from 'node:assert/strict';
import { test } from 'uvu';
import { csvLines } from '../../../../src/console/history/csv.js';
import { historyDetails } from '../../../../src/console/history/rows.js';
import { safetyWords } from '../../../../src/console/labels/history-labels.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { conditionActor, keyActor, userActor } from '../../../../src/shared/actor.js';
import { type Text, textOf } from '../../../../src/shared/messages/message.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import type { SafetyEntry } from '../../../../src/system/history/entries.js';
import { History } from '../../../../src/system/history/history.js';
import { type TempStore, withTempStore } from '../../store/temp-store.js';

const MINUTE = 60_000;

interface View {
  kind: string;
  cartID: number;
  by: string;
  repeats?: { count: number; firstAt: number; lastAt: number };
}

class Recorder {
  readonly history: History;
  readonly #temp: TempStore;
  readonly #store: Store;
  #press = 0;

  constructor(temp: TempStore, store: Store) {
    this.#temp = temp;
    this.#store = store;
    const { clock, log } = temp;
    this.history = new History({ store, clock, log, safetyWords });
  }

  latch(by: string, cartID = 1): void {
    this.record({ cartID, kind: 'estop.latched', by: userActor(by), pressId: `p${++this.#press}` });
  }

  /** Reports a press while a stop is latched. */
  press(by: string, { cartID = 1, pressId = `p${++this.#press}` } = {}): void {
    this.record({ cartID, kind: 'estop.latched', by: userActor(by), pressId, repeated: true });
  }

  reset(cartID = 1): void {
    this.record({ cartID, kind: 'estop.reset', by: userActor('otto') });
  }

  record(event: SafetyEntry): void {
    this.history.recordSafety(event);
  }

  /** Stored entries, oldest first, such as `1 anna` or `1 anna x12`. */
  async rows(): Promise<string[]> {
    return (await this.views()).map(
      ({ cartID, kind, by, repeats }) =>
        `${cartID} ${kind === 'estop.reset' ? 'reset' : by}${repeats ? ` x${repeats.count}` : ''}`,
    );
  }

  async views(): Promise<View[]> {
    await this.stored();
    return this.#store.read
      .prepare<{ view: string }>('SELECT view FROM safety_events ORDER BY id')
      .all()
      .map(({ view }) => {
        const { by, ...rest } = JSON.parse(view) as View & { by: Text };
        return { ...rest, by: textOf(by) };
      });
  }

  /** Waits until the queued entries are stored. */
  async stored(): Promise<void> {
    while (this.history.counts.waiting > 0) await this.#store.write('test.pragma', { name: 'user_version' });
    await this.#store.write('test.pragma', { name: 'user_version' });
  }

  async estops(cart?: number): Promise<number> {
    await this.stored();
    const { days } = await this.history.statistics.figures({
      days: 2,
      now: this.#temp.clock.wallTime(),
      cart,
    });
    return days.reduce((sum, { stops }) => sum + stops.estop, 0);
  }
}

function withRecorder(run: (recorder: Recorder, temp: TempStore) => Promise<void>): () => Promise<void> {
  return withTempStore(async (temp) => {
    temp.clock.stepWallTime(new Date(2026, 0, 10, 12).getTime() - temp.clock.wallTime());
    const recorder = new Recorder(temp, await temp.open());
    await run(recorder, temp);
    await recorder.history.close();
  });
}

test(
  'stores the first press immediately, and the number of further presses after a minute',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('anna');
    const firstAt = clock.wallTime();
    for (let n = 0; n < 12; n += 1) recorder.press('anna');
    assert.deepEqual(await recorder.rows(), ['1 anna']);
    clock.advance(1000);
    recorder.press('anna');
    clock.advance(MINUTE - 1000);
    assert.deepEqual(await recorder.rows(), ['1 anna', '1 anna x13']);
    assert.deepEqual((await recorder.views())[1]?.repeats, { count: 13, firstAt, lastAt: firstAt + 1000 });
  }),
);

test(
  'stores at most 100 entries for 10,000 presses by one person within a day',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('carla');
    for (let n = 0; n < 9999; n += 1) {
      recorder.press('carla');
      clock.advance(4000);
    }
    await recorder.history.close();
    const views = await recorder.views();
    assert.ok(views.length <= 100, `${views.length} entries`);
    assert.equal(
      views.reduce((sum, { repeats }) => sum + (repeats?.count ?? 1), 0),
      10_000,
    );
  }),
);

test(
  'limits the number of entries stored for presses by 1,000 different names',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('n0');
    for (let n = 1; n < 10_000; n += 1) recorder.press(`n${n % 1000}`);
    clock.advance(MINUTE);
    const views = await recorder.views();
    assert.equal(views.length, 20 + 21);
    assert.deepEqual(new Set(views.map(({ by }) => by)).size, 21);
    assert.ok(views.some(({ by }) => by === 'other people'));
    assert.equal(
      views.reduce((sum, { repeats }) => sum + (repeats?.count ?? 1), 0),
      10_000,
    );
  }),
);

test(
  'stores the first press of each additional person, and each latch after a reset, as a separate entry',
  withRecorder(async (recorder) => {
    recorder.latch('anna');
    recorder.press('anna');
    recorder.press('bram');
    recorder.press('bram');
    recorder.reset();
    recorder.latch('bram');
    recorder.latch('anna', 2);
    assert.deepEqual(await recorder.rows(), [
      '1 anna',
      '1 bram',
      '1 anna x1',
      '1 bram x1',
      '1 reset',
      '1 bram',
      '2 anna',
    ]);
  }),
);

test(
  'counts presses for each cart separately',
  withRecorder(async (recorder, { clock }) => {
    for (const cartID of [1, 2]) recorder.latch('anna', cartID);
    recorder.press('anna');
    for (let n = 0; n < 3; n += 1) recorder.press('anna', { cartID: 2 });
    recorder.reset(2);
    clock.advance(MINUTE);
    assert.deepEqual(await recorder.rows(), ['1 anna', '2 anna', '2 anna x3', '2 reset', '1 anna x1']);
  }),
);

test(
  'doubles the interval between summaries up to ten minutes',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('anna');
    const minutes: number[] = [];
    for (let minute = 1; minute <= 36; minute += 1) {
      recorder.press('anna');
      const before = (await recorder.rows()).length;
      clock.advance(MINUTE);
      if ((await recorder.rows()).length > before) minutes.push(minute);
    }
    assert.deepEqual(minutes, [1, 3, 7, 15, 25, 35]);
  }),
);

test(
  'stores the pending counts when the gateway shuts down',
  withRecorder(async (recorder) => {
    recorder.latch('anna');
    for (let n = 0; n < 5; n += 1) recorder.press('anna');
    await recorder.history.close();
    assert.deepEqual(await recorder.rows(), ['1 anna', '1 anna x5']);
  }),
);

test(
  'counts the presses of an API key and of a user with the same name separately',
  withRecorder(async (recorder) => {
    const press = { cartID: 1, kind: 'estop.latched', repeated: true };
    for (const by of [keyActor('tablet'), userActor('key tablet')]) recorder.record({ ...press, by });
    assert.deepEqual(await recorder.rows(), ['1 key tablet', '1 key tablet']);
  }),
);

test(
  'stores the first press after a restart with a latched stop',
  withRecorder(async (recorder) => {
    recorder.press('anna');
    recorder.press('anna');
    assert.deepEqual(await recorder.rows(), ['1 anna']);
  }),
);

test(
  'records protective stops individually, even while presses are counted',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('anna');
    recorder.press('anna');
    for (let n = 0; n < 2; n += 1)
      recorder.record({ cartID: 1, kind: 'protective_stop', by: conditionActor('input', 'a motor') });
    clock.advance(MINUTE);
    assert.deepEqual(await recorder.rows(), ['1 anna', '1 a motor', '1 a motor', '1 anna x1']);
  }),
);

test(
  'the statistics count every press once, regardless of the number of carts that it reaches',
  withRecorder(async (recorder, { clock }) => {
    for (const cartID of [1, 2, 3]) recorder.latch('anna', cartID);
    assert.equal(await recorder.estops(), 3);
    for (let n = 0; n < 40; n += 1)
      for (const cartID of [1, 2, 3]) recorder.press('anna', { cartID, pressId: `all ${n}` });
    for (const cartID of [1, 2]) recorder.press('bram', { cartID, pressId: 'bram' });
    for (let n = 0; n < 5; n += 1) recorder.press('anna', { cartID: 3 });
    clock.advance(MINUTE);
    assert.equal(await recorder.estops(), 3 + 40 + 1 + 5);
    assert.equal(await recorder.estops(1), 1 + 40 + 1);
    assert.equal(await recorder.estops(3), 1 + 40 + 5);
  }),
);

test(
  'a press that one cart counts and another cart records individually appears as one press in the statistics',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('anna', 1);
    recorder.press('anna', { pressId: 'both' });
    recorder.record({ cartID: 2, kind: 'estop.latched', by: userActor('anna'), pressId: 'both' });
    clock.advance(MINUTE);
    assert.equal(await recorder.estops(), 2);
    assert.deepEqual([await recorder.estops(1), await recorder.estops(2)], [2, 1]);
  }),
);

test(
  'a summary does not extend past midnight',
  withRecorder(async (recorder, { clock }) => {
    const midnight = new Date(2026, 0, 11).getTime();
    clock.stepWallTime(midnight - 1000 - clock.wallTime());
    recorder.latch('anna');
    recorder.press('anna');
    clock.advance(2000);
    recorder.press('anna');
    clock.advance(MINUTE);
    const views = await recorder.views();
    assert.deepEqual(
      views.slice(1).map(({ repeats }) => [repeats?.count, (repeats?.lastAt ?? 0) < midnight]),
      [
        [1, true],
        [1, false],
      ],
    );
  }),
);

test(
  'the page and the CSV file state the number of presses in words, and a search for this number finds the entry',
  withRecorder(async (recorder, { clock }) => {
    recorder.latch('anna');
    for (let n = 0; n < 12; n += 1) recorder.press('anna');
    clock.advance(MINUTE);
    await recorder.stored();
    const { entries } = await recorder.history.search.page({ words: ['12', 'keer'] }, { limit: 10 });
    const [entry] = entries;
    assert.ok(entry && entries.length === 1);
    assert.match(csvLines([entry], String), /,Stopped 12 more times by anna,/);
    const details = withLanguage('nl', () => historyDetails(entry, String, []));
    assert.equal(details.what, 'Nog 12 keer gestopt door anna');
    assert.deepEqual(details.facts.map(({ name }) => name).slice(-2), ['Eerste keer', 'Laatste keer']);
    assert.equal(details.person, 'anna');
  }),
);

test.run();
