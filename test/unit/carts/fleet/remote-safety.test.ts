import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { CartView } from '../../../../src/carts/command/model.js';
import type { SafetyEvent } from '../../../../src/carts/control/estop-control.js';
import { watchRemoteSafety } from '../../../../src/carts/fleet/remote-safety.js';
import { type Actor, actorName, userActor } from '../../../../src/shared/actor.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { cart, LATCHED, SAFE } from '../../app/api/samples.js';

const STOPPED_AT = '2026-05-04T12:02:11.000Z';

function watched(): {
  report: (safety: CartView['safety']) => void;
  reset: (by: string) => void;
  events: (SafetyEvent & { key: string; at: number })[];
  clock: FakeClock;
} {
  const changes = new Signal<[number]>();
  const resets = new Signal<[number, Actor]>();
  const events: (SafetyEvent & { key: string; at: number })[] = [];
  let view = cart(2);
  const clock = new FakeClock();
  watchRemoteSafety({
    carts: { cart: () => view, onChange: changes.on.bind(changes) },
    onReset: resets.on.bind(resets),
    record: (event, seen) => void events.push({ ...event, ...seen }),
    gatewayId: 'here',
    clock,
  });
  const report = (safety: CartView['safety']): void => {
    view = cart(2, { safety });
    changes.emit(2);
  };
  return { report, reset: (by) => resets.emit(2, userActor(by)), events, clock };
}

test("records a remote cart's latched stop once, with the time and person that the cart reports", () => {
  const { report, events } = watched();
  for (let n = 0; n < 3; n += 1) report({ ...LATCHED, stoppedBy: 'anna (gateway here)' });
  const [event] = events;
  assert.equal(events.length, 1);
  assert.deepEqual(
    [event?.kind, event && actorName(event.by), event?.at],
    ['estop.latched', 'anna', Date.parse(STOPPED_AT)],
  );
  report({ ...LATCHED, stoppedAt: '2026-05-04T12:03:00.000Z' });
  assert.equal(events.length, 2);
});

test('records one latched stop for each press, even if a remote cart reports a press with two timestamps', () => {
  const { report, events } = watched();
  report({ ...LATCHED, pressId: 'first' });
  report({ ...LATCHED, pressId: 'first', stoppedAt: '2026-05-04T12:02:19.400Z' });
  assert.equal(events.length, 1);
  report({ ...LATCHED, pressId: 'second', stoppedAt: '2026-05-04T12:02:19.401Z', stoppedBy: 'bram' });
  report({ ...LATCHED, pressId: 'first', stoppedAt: '2026-05-04T12:02:19.402Z' });
  report(SAFE);
  report({ ...LATCHED, pressId: 'third', stoppedAt: '2026-05-04T12:02:20.000Z', stoppedBy: 'bram' });
  assert.deepEqual(
    events.map(({ kind, by, pressId }) => [kind, actorName(by), pressId]),
    [
      ['estop.latched', 'Anna', 'first'],
      ['estop.latched', 'bram', 'second'],
      ['estop.reset', '', undefined],
      ['estop.latched', 'bram', 'third'],
    ],
  );
});

test('records the person who requested a reset only if this gateway sent the reset', () => {
  const { report, reset, events } = watched();
  report(LATCHED);
  reset('bram');
  report(SAFE);
  report({ ...LATCHED, stoppedAt: '2026-05-04T12:05:00.000Z' });
  report(SAFE);
  assert.deepEqual(
    events.map(({ kind, by }) => [kind, actorName(by)]),
    [
      ['estop.latched', 'Anna'],
      ['estop.reset', 'bram'],
      ['estop.latched', 'Anna'],
      ['estop.reset', ''],
    ],
  );
  assert.equal(new Set(events.map(({ key }) => key)).size, 4);
});

test('uses the same key for the same event after a restart', () => {
  const [first, second] = [watched(), watched()];
  for (const { report } of [first, second]) report(LATCHED);
  assert.equal(first.events[0]?.key, second.events[0]?.key);
});

test('a press on a remote cart that is already latched counts as a repetition, but a press after a reset does not', () => {
  const { report, events } = watched();
  report({ ...LATCHED, pressId: 'first' });
  report({ ...LATCHED, pressId: 'second', stoppedAt: '2026-05-04T12:02:19.401Z' });
  report(SAFE);
  report({ ...LATCHED, pressId: 'third', stoppedAt: '2026-05-04T12:02:20.000Z' });
  assert.deepEqual(
    events.map(({ repeated = false }) => repeated),
    [false, true, false, false],
  );
});

test('marks entries as repetitions if a remote cart latches and resets its stop more often than the limit', () => {
  const { report, events, clock } = watched();
  const toggle = (n: number): void => {
    report({ ...LATCHED, pressId: `press ${n}`, stoppedAt: new Date(n).toISOString() });
    report(SAFE);
  };
  for (let n = 1; n <= 1000; n += 1) toggle(n);
  assert.equal(events.length, 2000);
  assert.equal(events.filter(({ repeated }) => !repeated).length, 60);
  clock.advance(60_000);
  toggle(1001);
  assert.equal(events.filter(({ repeated }) => !repeated).length, 61);
});

test.run();
