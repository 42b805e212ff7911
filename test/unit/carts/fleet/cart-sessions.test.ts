import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CartSessions } from '../../../../src/carts/fleet/cart-sessions.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const DAY_MS = 24 * 60 * 60_000;

function setUp() {
  const clock = new FakeClock();
  const sessions = new CartSessions(clock);
  let headerId = 0;
  /** Receives one state of each session in turn, 1 s apart. */
  const receive = (...sessionIds: string[]): void => {
    for (const sessionId of sessionIds) {
      clock.advance(1000);
      headerId += 1;
      const safetyState = { activeEmergencyStop: 'NONE' as const };
      sessions.onState({
        headerId,
        cartID: 2,
        gatewayId: 'pi-2',
        sessionId,
        driving: false,
        safetyState,
      });
    }
  };
  return { clock, sessions, receive };
}

test('one delayed state at each of several restarts does not count as a duplicate', () => {
  const { clock, sessions, receive } = setUp();
  receive('first', 'second', 'first', 'second');
  clock.advance(DAY_MS);
  receive('second', 'third', 'second', 'third');
  clock.advance(DAY_MS);
  receive('third', 'fourth', 'third', 'fourth');
  assert.equal(sessions.isDuplicated, false);
});

test('a stop does not require a confirmation from an old session that had a delayed state at an earlier restart', () => {
  const { clock, sessions, receive } = setUp();
  receive('first', 'second', 'first', 'second');
  clock.advance(DAY_MS);
  receive('second', 'third');
  assert.deepEqual(sessions.rivals, []);
});

test('two sessions that alternate within two minutes count as a duplicate', () => {
  const { clock, sessions, receive } = setUp();
  receive('first', 'second');
  for (let turn = 0; turn < 2; turn += 1) {
    clock.advance(30_000);
    receive('first');
    clock.advance(30_000);
    receive('second');
  }
  assert.equal(sessions.isDuplicated, true);
});

test('only the latest eight sessions of a cart are kept', () => {
  const { sessions, receive } = setUp();
  const all = Array.from({ length: 20 }, (_, nth) => `session ${nth}`);
  receive(...all);
  assert.deepEqual(
    sessions.live(DAY_MS).map(({ sessionId }) => sessionId),
    all.slice(-8).toReversed(),
  );
});

test.run();
