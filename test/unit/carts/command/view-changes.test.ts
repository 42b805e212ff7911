import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import { ViewChanges } from '../../../../src/carts/command/view-changes.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const test = suite('cart view changes');

const CYCLE_MS = 50;

/** A stationary cart with a view that a page reads 50 ms after each notification. */
function stationaryCart() {
  const clock = new FakeClock();
  const view = { moving: false, safety: {}, telemetry: { tempBoardC: 20 } };
  const changes = new ViewChanges(() => view as unknown as CartView, clock);
  const page = { tempBoardC: 0, notifications: 0 };
  changes.onChange(() => {
    page.notifications += 1;
    clock.after(CYCLE_MS, () => {
      page.tempBoardC = view.telemetry.tempBoardC;
    });
  });
  const set = (tempBoardC: number): void => {
    view.telemetry.tempBoardC = tempBoardC;
    changes.check();
  };
  const run = (tempBoardC: number, ms: number): void => {
    for (let left = ms; left > 0; left -= CYCLE_MS) {
      set(tempBoardC);
      clock.advance(CYCLE_MS);
    }
  };
  return { page, set, run };
}

test('notifies listeners when a number returns to its previous value after a listener has read another value', () => {
  const { page, run, set } = stationaryCart();
  run(20, 1000);
  // This change is published, but the page reads the view only after the next change.
  set(21);
  run(20, CYCLE_MS);
  assert.equal(page.tempBoardC, 20);
  run(21, 1000);
  assert.equal(page.tempBoardC, 21);
});

test('does not notify listeners when the cart view is unchanged', () => {
  const { page, run } = stationaryCart();
  run(20, 10_000);
  assert.equal(page.notifications, 1);
});

test('notifies listeners of changing numbers at most every 400 ms', () => {
  const { page, run } = stationaryCart();
  for (let at = 0; at < 100; at += 1) run(20 + (at % 2), CYCLE_MS);
  assert.ok(page.notifications <= 14, `${page.notifications} notifications in 5 s`);
});

test.run();
