import assert from 'node:assert/strict';
import { test } from 'uvu';
import { type ClockMark, SessionClock } from '../../../../src/access/sessions/clock.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { withTestApp } from '../test-app.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STEPS: [string, (clock: FakeClock) => number][] = [
  ['9 h forward', () => 9 * HOUR_MS],
  ['9 h back', () => -9 * HOUR_MS],
  ['back to 1970', (clock) => -clock.wallTime()],
];

for (const [name, stepOf] of STEPS) {
  test(
    `a session keeps its lifetime when the wall clock is set ${name}`,
    withTestApp(async ({ call, addUser, login, clock, store }) => {
      await addUser('anna');
      const cookie = await login('anna');
      const statusOf = async (): Promise<number> => (await call('GET', '/events', { cookie })).status;
      clock.stepWallTime(stepOf(clock));
      assert.equal(await statusOf(), 200);
      await store.write('access.purgeSessions', { now: 0 });
      clock.advance(8 * HOUR_MS - 1);
      assert.equal(await statusOf(), 200);
      await store.write('access.purgeSessions', { now: 0 });
      clock.advance(8 * HOUR_MS);
      assert.equal(await statusOf(), 401);
    }),
  );

  test(`sessions age by the elapsed time during a restart even if the wall clock was set ${name}`, () => {
    const clock = new FakeClock();
    const first = new SessionClock(clock, undefined);
    const startMs = first.now();
    first.mark();
    clock.advance(HOUR_MS);
    clock.stepWallTime(stepOf(clock));
    assert.equal(first.now() - startMs, HOUR_MS);
    // The check that runs every minute detects the clock step and stores a new clock mark.
    assert.equal(first.isStepped, true);
    const mark = first.mark();
    assert.equal(first.isStepped, false);
    clock.advance(10 * MINUTE_MS);
    const second = new SessionClock(clock, mark);
    assert.equal(second.now() - startMs, HOUR_MS + 10 * MINUTE_MS);
  });
}

test('sessions do not age when the wall clock is set back while the gateway is off', () => {
  const clock = new FakeClock();
  const mark: ClockMark = new SessionClock(clock, undefined).mark();
  clock.stepWallTime(-9 * HOUR_MS);
  assert.equal(new SessionClock(clock, mark).now(), mark.sessionMs);
});

test('a session ages by 9 h while the gateway is off for 9 h', () => {
  const clock = new FakeClock();
  const mark = new SessionClock(clock, undefined).mark();
  clock.advance(9 * HOUR_MS);
  assert.equal(new SessionClock(clock, mark).now() - mark.sessionMs, 9 * HOUR_MS);
});

test(
  'an open page counts as use of its session, and the use is recorded at most once a minute',
  withTestApp(async ({ addUser, login, access, clock, store }) => {
    await addUser('anna');
    const cookie = await login('anna');
    const user = access.sessions.find(cookie.slice(cookie.indexOf('=') + 1));
    assert.ok(user);
    const names: string[] = [];
    store.onCommit(({ names: written }) => void names.push(...written));
    for (let minute = 0; minute < 10 * 60; minute += 30) {
      for (let check = 0; check < 5; check += 1)
        assert.equal(access.keepAlive(user), true, `after ${minute} min`);
      await store.write('access.purgeSessions', { now: 0 });
      clock.advance(30 * MINUTE_MS);
    }
    assert.ok(names.filter((name) => name === 'access.touchSession').length <= 20, String(names.length));
    assert.equal(access.isValid(user), true);
  }),
);

test.run();
