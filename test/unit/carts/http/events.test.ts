import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import type { CommandView } from '../../../../src/carts/command/model.js';
import { type EventDeps, EventFeed } from '../../../../src/carts/http/events.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { userActor } from '../../../../src/shared/actor.js';
import { Signal } from '../../../../src/shared/signal.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { EventReader } from '../../../helpers/event-reader.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { handlersOf } from '../../../helpers/handlers-of.js';

const test = suite('GET /events');

/** A string of the same length as a cart event. */
const NOTE = 'n'.repeat(1000);

function setUp(
  carts: number,
  harness?: CartHarness,
): {
  clock: FakeClock;
  feed: EventFeed;
  join: (isSlow?: boolean) => EventReader;
  login: { isGood: boolean; mayReadSettings: boolean };
  startTrial: () => void;
  changeSitePlan: () => void;
  command: (id: string) => void;
  moves: object[];
  /** @param isAnnounced false for the end at an emergency stop, which changes only the cart. */
  setOverride: (override: object | undefined, isAnnounced?: boolean) => void;
} {
  const clock = harness?.clock ?? new FakeClock();
  const near = Array.from({ length: carts }, (_, at) => ({ cartID: at + 1, ageMs: 40, note: NOTE }));
  const never = () => () => undefined;
  const login = { isGood: true, mayReadSettings: true };
  let startTrial = (): void => undefined;
  let trial: object | undefined;
  const moves: object[] = [];
  let command = (_id: string): void => undefined;
  const sitePlan = { onChange: (listener: () => void) => plans.on(listener) };
  const plans = new Signal();
  const overrides = new Signal();
  let override: object | undefined;
  const feed = new EventFeed({
    dispatcher: {
      onCartChange: (told: (cartID: number) => void) =>
        clock.every(100, () => {
          for (const { cartID } of near) told(cartID);
        }),
      onCommand:
        harness?.dispatcher.onCommand ??
        ((listener: (command: object) => void) => {
          command = (id) => listener({ id, view: () => ({ commandId: id }) });
          return () => undefined;
        }),
      near: () => near,
      newest: () => [],
    },
    layout: () => ({ gateway: {}, links: {}, carts: near, trial, trialEnded: trial }),
    drivers: { list: () => moves },
    beaconReports: { positions: () => [], onPosition: never },
    onLinks: never,
    onTrial: (listener: () => void) => {
      startTrial = () => {
        trial = { by: 'anna' };
        listener();
      };
      return () => undefined;
    },
    firmware: { onChange: never, progress: () => null },
    sitePlan: { current: { version: 7, planHash: 'hash', needsReview: true, zones: [] }, ...sitePlan },
    zoneGate: {
      onOverride: overrides.on.bind(overrides),
      get activeOverride() {
        return override;
      },
    },
    meaning: () => 'as now',
    onSettings: never,
    mayStay: () => login.isGood,
    mayReadSettings: () => login.mayReadSettings,
    stopToken: () => undefined,
    clock,
  } as unknown as EventDeps);
  const join = (isSlow = false): EventReader => Object.assign(new EventReader(), { isSlow }).join(feed);
  return {
    clock,
    feed,
    join,
    login,
    startTrial: () => startTrial(),
    changeSitePlan: () => plans.emit(),
    setOverride: (next, isAnnounced = true) => {
      override = next;
      if (isAnnounced) overrides.emit();
    },
    command: (id) => command(id),
    moves,
  };
}

test('only clients that are permitted to read the settings receive the change on trial', () => {
  const { clock, feed, join, login, startTrial } = setUp(1);
  const readers = [true, false].map((mayReadSettings) => {
    login.mayReadSettings = mayReadSettings;
    return join();
  });
  startTrial();
  clock.advance(50);
  login.mayReadSettings = false;
  readers.push(join());
  feed.close();
  const [permitted, denied, late] = readers.map(({ events }) => events);
  assert.deepEqual(permitted?.find(({ name }) => name === 'trial')?.data.trial, { by: 'anna' });
  assert.ok(denied?.length);
  assert.equal(JSON.stringify([denied, late]).includes('anna'), false);
});

test('sends the version of the site plan after a change, without the zones', () => {
  const { clock, feed, join, changeSitePlan } = setUp(1);
  const { events } = join();
  changeSitePlan();
  changeSitePlan();
  clock.advance(50);
  feed.close();
  assert.deepEqual(
    events.flatMap(({ name, data }) => (name === 'sitePlan' ? [data.sitePlan] : [])),
    [{ version: 7, planHash: 'hash', needsReview: true }],
  );
});

test('sends an override of the zones with the time that is left, and its end at an emergency stop', () => {
  const { clock, feed, join, setOverride } = setUp(1);
  const { events } = join();
  setOverride({ by: userActor('anna'), reason: 'pallet', untilMs: clock.now() + 60_000 });
  clock.advance(50);
  const late = join();
  setOverride(undefined, false);
  clock.advance(200);
  feed.close();
  const shown = { by: 'anna', reason: 'pallet', leftMs: 59_950 };
  const sent = events.flatMap(({ name, data }) => (name === 'zoneOverride' ? [data.zoneOverride] : []));
  assert.deepEqual(sent, [shown, null]);
  assert.deepEqual(late.events[0]?.data.zoneOverride, shown);
});

test('every event contains the monotonic time of its transmission', () => {
  const { clock, feed, join } = setUp(1);
  const { events } = join();
  const startMs = clock.now();
  clock.stepWallTime(3_600_000);
  clock.advance(250);
  feed.close();
  assert.deepEqual(
    events.map(({ name, data }) => [name, data.sentMs - startMs]),
    [
      ['snapshot', 0],
      ['cart', 150],
      ['beat', 250],
      ['cart', 250],
    ],
  );
});

test('resends an ended command when the distance driven becomes known', async () => {
  const harness = await CartHarness.ready();
  const { feed, join } = setUp(1, harness);
  const { events } = join();
  const { id } = harness.move(3000);
  await harness.run(1600);
  harness.dispatcher.stopOwn('stop', OPERATOR);
  await harness.run(3000);
  feed.close();
  const views = events.flatMap(({ data }) => (data.command as CommandView | undefined) ?? []);
  const cancelled = views.filter(({ commandId, state }) => commandId === id && state === 'CANCELLED');
  assert.ok(Number(cancelled.at(-1)?.result?.distanceMm) > 100, JSON.stringify(cancelled));
  await harness.close();
});

test('reports the same move again to a page that was closed when the first move ended', () => {
  const { clock, feed, join, command, moves } = setUp(0);
  const begin = (id: string): void => {
    moves.push({ cartID: 3, by: 'anna' });
    command(id);
    clock.advance(100);
  };
  const first = join();
  begin('one');
  first.emit('close');
  moves.pop();
  command('one');
  clock.advance(100);
  const second = join();
  begin('two');
  feed.close();
  const shown = second.events.filter(({ data }) => data.moves).map(({ name, data }) => [name, data.moves]);
  assert.deepEqual(shown.at(-1), ['moves', [{ cartID: 3, by: 'anna' }]]);
});

test("sends a command's progress within 10 ms, together with the changes to the carts", () => {
  const { clock, feed, join, command } = setUp(1);
  const { events } = join();
  const startMs = clock.now();
  clock.advance(120);
  command('drive');
  clock.advance(100);
  feed.close();
  assert.deepEqual(
    events.map(({ name, data }) => [name, data.sentMs - startMs]),
    [
      ['snapshot', 0],
      ['cart', 130],
      ['command', 130],
    ],
  );
});

test('stops sending data to a slow client after its session ends', () => {
  const { clock, feed, join, login } = setUp(1);
  const reader = join(true);
  login.isGood = false;
  clock.advance(2000);
  assert.ok(reader.isEnded);
  clock.advance(60_000);
  reader.readAll();
  clock.advance(1000);
  feed.close();
});

test('stops sending data to a client that newer clients have displaced', () => {
  const { clock, feed, join } = setUp(1);
  const oldest = join(true);
  for (let at = 0; at < 200; at += 1) join();
  assert.ok(oldest.isEnded);
  clock.advance(1000);
  feed.close();
});

for (const carts of [1, 50]) {
  test(`buffers at most two data snapshots of ${carts} carts for a client that does not read`, () => {
    const { clock, feed, join } = setUp(carts);
    const reader = join(true);
    const snapshotBytes = reader.writableLength;
    clock.advance(60_000);
    const most = Math.max(2 * snapshotBytes, reader.writableHighWaterMark) + (carts + 1) * 1200;
    assert.ok(reader.writableLength <= most, `${reader.writableLength} of ${most} bytes wait`);
    const before = reader.events.length;
    reader.readAll();
    feed.close();
    assert.deepEqual(
      reader.events.slice(before).map(({ name, data }) => [name, data.sentMs]),
      [['snapshot', clock.now()]],
    );
  });
}

test('does not send a second snapshot to a fast client, even if sending the first takes a long time', () => {
  const { clock, feed, join } = setUp(50);
  const reader = join(true);
  // Fifty carts, each with ten events per second, together produce 550 kB/s.
  for (let ms = 0; ms < 2000; ms += 10) {
    clock.advance(10);
    reader.writableLength = Math.max(0, reader.writableLength - 6000);
    if (reader.writableLength === 0) reader.emit('drain');
  }
  feed.close();
  assert.equal(reader.events.filter(({ name }) => name === 'snapshot').length, 1);
});

test('responds to HEAD with the headers of GET and does not keep a stream open', async () => {
  const { feed } = setUp(1);
  const { app, server } = fastExpress();
  app.use(handlersOf(feed.router()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (method: string): Promise<IncomingMessage> => {
    const path = '/events?cart=3&messages=data';
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false }).end();
    const [res] = (await once(sent, 'response')) as [IncomingMessage];
    return res;
  };
  const heads = await Promise.all(Array.from({ length: 3 }, () => open('HEAD')));
  for (const head of heads) await once(head.resume(), 'end');
  assert.equal(feed.clients, 0);
  const get = await open('GET');
  assert.equal(feed.clients, 1);
  for (const head of heads) {
    assert.equal(head.statusCode, 200);
    for (const name of ['content-type', 'cache-control', 'x-accel-buffering'])
      assert.equal(head.headers[name], get.headers[name], name);
  }
  get.destroy();
  feed.close();
  server.close();
});

test.run();
