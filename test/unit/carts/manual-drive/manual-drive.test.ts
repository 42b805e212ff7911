import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { DriveClientPort } from '../../../../src/carts/manual-drive/client.js';
import type { DriveState, LetGo } from '../../../../src/carts/manual-drive/drive-messages.js';
import { manualDriveLimits } from '../../../../src/carts/manual-drive/jog.js';
import { type DriveSession, ManualDrive } from '../../../../src/carts/manual-drive/manual-drive.js';
import { parseDriveMessage } from '../../../../src/carts/manual-drive/parse-message.js';
import { type Actor, userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR, quietLog } from '../../../helpers/cart-harness.js';

class Driver implements DriveClientPort {
  readonly actor: Actor;
  mayDrive = true;
  isGood = true;
  readonly states: DriveState[] = [];
  #session: DriveSession;
  #seq = 0;

  constructor(drive: ManualDrive, name: string, mayDrive = true) {
    this.actor = userActor(name);
    this.mayDrive = mayDrive;
    this.#session = drive.join(this);
  }

  mayStay(): boolean {
    return this.isGood;
  }
  send(state: DriveState): void {
    this.states.push(state);
  }

  get state(): DriveState {
    const state = this.states.at(-1);
    assert.ok(state);
    return state;
  }

  take(): void {
    this.#session.receive({ say: 'take' });
  }
  handOver(): void {
    this.#session.receive({ say: 'hand-over', lease: this.state.lease || 1 });
  }
  drive(speed: number, turn = 0, more: { lease?: number; seq?: number; heard?: number } = {}): void {
    this.#seq += 1;
    const { lease, n } = this.state;
    this.#session.receive({
      say: 'drive',
      lease: lease || 1,
      seq: this.#seq,
      speed,
      turn,
      heard: n,
      ...more,
    });
  }
  hold(runId = 'run-1', more: { heard?: number } = {}): void {
    this.#seq += 1;
    const { lease, n } = this.state;
    this.#session.receive({ say: 'hold', lease: lease || 1, seq: this.#seq, runId, heard: n, ...more });
  }
  release(why: LetGo = 'released'): void {
    this.#session.receive({ say: 'let-go', lease: this.state.lease || 1, why });
  }
  stop(kind: 'stop' | 'estop', pressId?: unknown): void {
    const text = JSON.stringify({ say: 'stop', kind, cartID: null, pressId });
    this.#session.receive(parseDriveMessage(text));
  }
  giveUp(): void {
    this.#session.receive({ say: 'leave' });
  }
  leave(): void {
    this.#session.leave();
  }
}

interface Fixture {
  harness: CartHarness;
  drive: ManualDrive;
  anna: Driver;
  /** Holds the controls for `ms` milliseconds and sends a message every 100 ms. */
  hold(driver: Driver, ms: number, speed?: number, turn?: number): Promise<void>;
}

async function openFixture(change?: ConstructorParameters<typeof CartHarness>[0]): Promise<Fixture> {
  const harness = await CartHarness.ready(change);
  const { clock } = harness;
  const drive = new ManualDrive({
    cart: harness.cart,
    gatewayId: 'g1',
    dispatcher: harness.dispatcher,
    rules: () => harness.settings,
    clock,
    log: quietLog,
  });
  const hold: Fixture['hold'] = async (driver, ms, speed = 100, turn = 0) => {
    for (let heldMs = 0; heldMs < ms; heldMs += 100) {
      driver.drive(speed, turn);
      await harness.run(100);
    }
  };
  return { harness, drive, anna: new Driver(drive, 'Anna'), hold };
}

async function done({ harness, drive }: Fixture): Promise<void> {
  drive.close();
  await harness.close();
}

function at(
  act: (fixture: Fixture) => Promise<void>,
  change?: Parameters<typeof openFixture>[0],
): () => Promise<void> {
  return async () => {
    const fixture = await openFixture(change);
    await act(fixture);
    await done(fixture);
  };
}

async function untilStationary(harness: CartHarness): Promise<number> {
  for (let ms = 0; ms <= 2000; ms += 5) {
    if (harness.controller.snapshot().speed === 0) return ms;
    await harness.run(5);
  }
  throw new Error('the cart still moves after 2 s');
}

test(
  'clears the reason why control ended or was denied when a latched stop is reset',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 500);
    harness.dispatcher.stopOwn('estop', OPERATOR);
    await harness.run(1000);
    bob.take();
    for (const { state } of [anna, bob]) assert.equal(state.ended?.code, 'ESTOP_ACTIVE');
    await harness.dispatcher.resetOwn(OPERATOR);
    await harness.run(1000);
    for (const { state } of [anna, bob]) assert.equal(state.ended, null);
  }),
);

test(
  'holding the controls drives the cart at the most recently requested speed, and releasing them finishes the command',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 1000, 60);
    assert.equal(harness.controller.snapshot().speed, 60);
    await hold(anna, 300, -40);
    assert.equal(harness.controller.snapshot().speed, -40);
    anna.release();
    assert.equal(
      harness.wire.of('STOP').length,
      1,
      'the stop is on the wire when the release has been received',
    );
    await harness.run(1000);
    const [command] = harness.dispatcher.newest(1);
    assert.equal(command?.state, 'FINISHED');
    assert.ok((command?.result?.distanceMm ?? 0) > 30, JSON.stringify(command?.result));
    assert.ok(anna.state.lease > 0, 'Anna keeps the lease');
    assert.equal(harness.wire.of('MOVE').length, 0);
  }),
);

test(
  'holding the controls again after a release drives the cart as soon as it has stopped',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    anna.release();
    await hold(anna, 1000);
    assert.equal(harness.controller.snapshot().speed, 100);
    assert.equal(
      harness.dispatcher.newest(5).length,
      2,
      'messages received while the cart stops are dropped',
    );
  }),
);

test(
  'stops the cart from top speed within 0.5 s of the last drive message',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    const { speedMmps } = anna.state.most;
    await hold(anna, 1000, speedMmps);
    anna.drive(speedMmps);
    const ms = await untilStationary(harness);
    assert.ok(ms <= 500, `${ms} ms`);
    assert.equal(anna.state.lease, 0);
    assert.equal(anna.state.ended?.code, 'LEASE_ENDED');
    assert.match(textOf(anna.state.ended?.text ?? ''), /250 ms/);
  }),
);

test(
  'the controller stops the cart within 0.5 s when the gateway hangs during manual drive',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    const { speedMmps } = anna.state.most;
    await hold(anna, 1000, speedMmps);
    anna.drive(speedMmps);
    // From now on, the controller receives nothing from the gateway.
    harness.controller.receive = () => undefined;
    assert.ok((await untilStationary(harness)) <= 500);
  }),
);

for (const [why, code] of [
  ['hidden', 'DRIVER_HIDDEN'],
  ['blurred', 'DRIVER_BLURRED'],
  ['input', 'DRIVER_INPUT'],
  ['stale', 'DRIVER_STALE'],
  ['offline', 'DRIVER_OFFLINE'],
] as const) {
  test(
    `a "let-go" message with the reason "${why}" stops the cart immediately and ends the lease`,
    at(async ({ harness, anna, hold }) => {
      anna.take();
      await hold(anna, 500);
      anna.release(why);
      assert.equal(harness.wire.of('STOP').length, 1);
      assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, code]);
      assert.ok((await untilStationary(harness)) <= 500);
      assert.equal(harness.dispatcher.newest(1)[0]?.reason?.code, code);
    }),
  );
}

test(
  "sends a stop frame as soon as the driver's connection is lost",
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    anna.leave();
    assert.equal(harness.wire.of('STOP').length, 1);
    assert.ok((await untilStationary(harness)) <= 500);
    assert.equal(harness.dispatcher.newest(1)[0]?.reason?.code, 'CONNECTION_LOST');
  }),
);

test(
  "stops the cart on the first drive message after the driver's session has ended",
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    anna.isGood = false;
    anna.drive(100);
    assert.equal(harness.wire.of('STOP').length, 1);
    assert.equal(anna.state.ended?.code, 'NOT_LOGGED_IN');
  }),
);

test(
  'a latching stop ends the lease, even if the cart is stationary, and no new lease is granted until the stop is reset',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 500);
    bob.take();
    harness.dispatcher.stopOwn('estop', OPERATOR);
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'ESTOP_ACTIVE']);
    assert.deepEqual([bob.state.lease, bob.state.ended?.code], [0, 'ESTOP_ACTIVE']);
    await hold(anna, 500);
    anna.take();
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'ESTOP_ACTIVE']);
    assert.equal(harness.controller.snapshot().speed, 0);
    await harness.run(1500);
    const reset = harness.dispatcher.resetOwn(OPERATOR);
    await harness.run(200);
    await reset;
    anna.take();
    assert.ok(anna.state.lease > 0);
    harness.pins.press();
    await harness.run(50);
    assert.deepEqual(
      [anna.state.lease, anna.state.ended?.code],
      [0, 'ESTOP_ACTIVE'],
      'an idle lease ends as well',
    );
  }),
);

test(
  'a stop by another user ends the lease, and controls that are still held do not restart the cart',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    const { lease } = anna.state;
    harness.dispatcher.stopOwn('stop', { ...OPERATOR, actor: userActor('Bob') });
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'STOPPED']);
    assert.match(textOf(anna.state.ended?.text ?? ''), /Bob/);
    const jogs = harness.wire.of('JOG').length;
    for (let count = 0; count < 10; count += 1) {
      anna.drive(100, 0, { lease });
      await harness.run(100);
    }
    assert.equal(harness.wire.of('JOG').length, jogs);
    assert.equal(harness.controller.snapshot().speed, 0);
  }),
);

test(
  'a client without permission to drive can stop the cart, and the stop frame is sent immediately',
  at(async ({ harness, drive, anna, hold }) => {
    const carl = new Driver(drive, 'Carl', false);
    anna.take();
    await hold(anna, 300);
    carl.stop('estop', 'press-1');
    assert.equal(harness.wire.of('ESTOP').length, 1);
    assert.equal(harness.cart.view().safety.pressId, 'press-1');
    carl.stop('estop', { not: 'an ID' });
    assert.equal(harness.wire.of('ESTOP').length, 2);
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'ESTOP_ACTIVE']);
    assert.match(textOf(anna.state.ended?.text ?? ''), /Carl/);
  }),
);

test(
  "a handover stops the cart, and then only the new holder's messages drive it",
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 300);
    assert.deepEqual(bob.state.driver, { name: 'Anna', isYou: false, isDriving: true, isIdle: false });
    bob.drive(100);
    bob.take();
    assert.deepEqual(anna.state.asking, [{ name: 'Bob', isYou: false }]);
    assert.deepEqual(bob.state.asking, [{ name: 'Bob', isYou: true }]);
    const old = anna.state.lease;
    anna.handOver();
    assert.equal(harness.wire.of('STOP').length, 1, 'the cart is stopped first');
    assert.ok(bob.state.lease > old);
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'PASSED_ON']);
    assert.equal(textOf(anna.state.ended?.text ?? ''), 'control handed over to Bob');
    await harness.run(1000);
    anna.drive(-100, 0, { lease: old });
    await hold(bob, 500, 50);
    assert.equal(
      harness.controller.snapshot().speed,
      50,
      'Bob drives at once, without waiting for the control lease of Anna',
    );
  }),
);

test(
  'the state reports the holder as idle 5 s after the last motion, and a later request takes control immediately',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await harness.run(4000);
    assert.equal(bob.state.driver?.isIdle, false);
    await harness.run(1200);
    assert.equal(bob.state.driver?.isIdle, true);
    await hold(anna, 300);
    assert.equal(bob.state.driver?.isIdle, false);
    anna.release();
    await harness.run(5500);
    assert.equal(bob.state.driver?.isIdle, true);
    bob.take();
    assert.ok(bob.state.lease > 0);
    assert.equal(textOf(anna.state.ended?.text ?? ''), 'Bob took control');
  }),
);

test(
  "taking manual control cancels moves queued by other users, but not the driver's own moves",
  at(async ({ harness, drive, anna }) => {
    const bob = new Driver(drive, 'Bob');
    harness.move(5000, 0, {}, { ...OPERATOR, actor: userActor('Anna') });
    const queued = harness.move(200, 0, { onBusy: 'queue' }, { ...OPERATOR, actor: userActor('Anna') });
    anna.take();
    assert.equal(queued.state, 'QUEUED');
    bob.take();
    anna.handOver();
    assert.deepEqual([queued.state, queued.reason?.code], ['CANCELLED', 'PASSED_ON']);
    assert.match(textOf(queued.reason?.text ?? ''), /Bob/);
  }),
);

test(
  'a move queued by another user is cancelled when a lost connection transfers the lease to the next client',
  at(async ({ harness, drive, anna }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    bob.take();
    harness.move(5000, 0, {}, { ...OPERATOR, actor: userActor('Anna') });
    const queued = harness.move(200, 0, { onBusy: 'queue' }, { ...OPERATOR, actor: userActor('Anna') });
    anna.leave();
    assert.deepEqual([queued.state, queued.reason?.code], ['CANCELLED', 'PASSED_ON']);
  }),
);

type Ending = readonly [
  what: string,
  code: string,
  act: (drivers: { anna: Driver; bob: Driver } & Fixture) => unknown,
];
const ENDINGS: readonly Ending[] = [
  ['a handover', 'PASSED_ON', ({ anna }) => anna.handOver()],
  ['a release of control', 'PASSED_ON', ({ anna }) => anna.giveUp()],
  [
    'the end of the session',
    'NOT_LOGGED_IN',
    ({ anna, drive }) => {
      anna.isGood = false;
      drive.update();
    },
  ],
  ['a hidden page', 'DRIVER_HIDDEN', ({ anna }) => anna.release('hidden')],
  ['a motion that is rejected', 'RANGE', ({ anna }) => anna.drive(100_000)],
];
for (const [what, code, act] of ENDINGS) {
  for (const isDriving of [true, false]) {
    test(
      `${what} is ${isDriving ? 'reported as a stop when the cart is driven' : 'not reported as a stop when the cart is not driven'}`,
      at(async (fixture) => {
        const { drive, anna, hold } = fixture;
        const bob = new Driver(drive, 'Bob');
        anna.take();
        bob.take();
        if (isDriving) await hold(anna, 300);
        act({ ...fixture, bob });
        assert.deepEqual([anna.state.ended?.code, anna.state.ended?.stopped], [code, isDriving]);
      }),
    );
  }
}

test(
  'a denied request for control is not reported as a stop',
  at(async ({ drive }) => {
    const viewer = new Driver(drive, 'Viewer', false);
    viewer.take();
    assert.deepEqual([viewer.state.ended?.code, viewer.state.ended?.stopped], ['FORBIDDEN', false]);
  }),
);

test(
  'a latching stop is reported to the driver as a stop',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 300);
    harness.dispatcher.stopOwn('estop', OPERATOR);
    assert.deepEqual([anna.state.ended?.code, anna.state.ended?.stopped], ['ESTOP_ACTIVE', true]);
  }),
);

test(
  'reports every change of the lease holder',
  at(async ({ drive, anna }) => {
    let handovers = 0;
    drive.onHandover(() => (handovers += 1));
    const bob = new Driver(drive, 'Bob');
    anna.take();
    assert.equal(handovers, 1);
    bob.take();
    assert.equal(handovers, 1, 'Bob is waiting');
    anna.handOver();
    assert.equal(handovers, 2);
    bob.leave();
    assert.equal(handovers, 3);
  }),
);

test(
  'a waiting client receives the lease 5 s after the holder stops driving, not earlier',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    bob.take();
    await hold(anna, 8000, 20);
    assert.equal(bob.state.lease, 0);
    anna.release();
    await harness.run(4800);
    assert.equal(bob.state.lease, 0);
    await harness.run(300);
    assert.ok(bob.state.lease > 0);
  }),
);

test(
  "a client without permission to drive can see the driver's name, but its messages do not move the cart",
  at(async ({ harness, drive, anna }) => {
    const carl = new Driver(drive, 'Carl', false);
    carl.take();
    assert.deepEqual(
      [carl.state.lease, carl.state.mayDrive, carl.state.ended?.code],
      [0, false, 'FORBIDDEN'],
    );
    anna.take();
    carl.drive(100, 0, { lease: anna.state.lease });
    carl.handOver();
    await harness.run(300);
    assert.equal(carl.state.driver?.name, 'Anna');
    assert.equal(harness.wire.of('JOG').length, 0);
  }),
);

test(
  'a drive message based on a state older than 0.5 s stops the cart',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    const heard = anna.state.n;
    for (let count = 0; count < 4; count += 1) {
      anna.drive(100, 0, { heard });
      await harness.run(100);
    }
    assert.ok(anna.state.lease > 0, 'a round trip of up to 0.5 s is accepted');
    await harness.run(50);
    anna.drive(100, 0, { heard });
    await harness.run(100);
    anna.drive(100, 0, { heard });
    assert.equal(anna.state.ended?.code, 'CONNECTION_SLOW');
  }),
);

test(
  'ignores repeated and out-of-order drive messages',
  at(async ({ harness, anna }) => {
    anna.take();
    anna.drive(100, 0, { seq: 10 });
    anna.drive(-100, 0, { seq: 9 });
    anna.drive(-100, 0, { seq: 10 });
    assert.deepEqual(
      harness.wire.of('JOG').map((frame) => frame.type === 'JOG' && frame.speedMmps),
      [100],
    );
  }),
);

test(
  'rejects a speed above the limit, reports the limit, and does not interrupt a running command',
  at(async ({ harness, anna }) => {
    anna.take();
    anna.drive(5000);
    assert.equal(anna.state.ended?.code, 'RANGE');
    assert.match(
      textOf(anna.state.ended?.text ?? ''),
      /speed is 5000 mm\/s; the limit for manual drive is 110 mm\/s/,
    );
    harness.move(500);
    await harness.run(200);
    anna.take();
    anna.drive(100);
    assert.ok(['BUSY', 'CONTROL_HELD'].includes(anna.state.ended?.code ?? ''));
    assert.equal(harness.wire.of('JOG').length, 0);
  }),
);

test(
  'sends the state to the lease holder ten times per second, and to other clients only when the state changes',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 500);
    const [before, others] = [anna.states.length, bob.states.length];
    await hold(anna, 2000);
    assert.equal(anna.states.length - before, 20);
    assert.equal(bob.states.length, others);
    assert.ok(anna.state.heldMs <= 100);
    assert.equal(harness.wire.of('STOP').length, 0);
  }),
);

test('manual drive stops its timer when the last client disconnects', async () => {
  const fixture = await openFixture();
  const { harness, anna, drive } = fixture;
  const before = harness.clock.timers;
  anna.leave();
  assert.equal(harness.clock.timers, before - 1);
  await done({ ...fixture, drive });
});

test("a higher deceleration raises the manual drive speed limit, up to the cart's top speed", () => {
  const at = (decelMmps2: number) => manualDriveLimits({ maxSpeedMmps: 300, decelMmps2 }, { trackMm: 400 });
  assert.deepEqual(at(500), { speedMmps: 110, turnDegps: 31, decelMmps2: 500 });
  assert.deepEqual(at(2000), { speedMmps: 300, turnDegps: 85, decelMmps2: 2000 });
});

for (const [text, fault] of [
  ['', /must be a JSON object/],
  ['null', /must be a JSON object/],
  ['{"say":"fly"}', /say must be one of take, hand-over, leave, drive, hold, let-go, stop/],
  ['{"say":"drive","lease":1,"seq":1,"speed":1.5,"turn":0,"heard":1}', /speed must be a whole number/],
  ['{"say":"drive","lease":1,"seq":1,"speed":99999,"turn":0,"heard":1}', /speed must be at most 10000 mm\/s/],
  ['{"say":"drive","lease":1,"seq":1,"speed":0,"heard":1}', /turn is missing/],
  ['{"say":"take","force":true}', /force is not a known field/],
] as const) {
  test(`rejects the message ${text || '(empty)'}`, () => {
    assert.throws(
      () => parseDriveMessage(text),
      (error) => error instanceof GatewayError && error.code === 'INVALID_INPUT' && fault.test(error.message),
    );
  });
}

/** Records what happens to a held motion. */
function held({ drive, anna }: Fixture): { events: string[] } {
  const events: string[] = [];
  drive.serve({
    hold: (id, { actor }) => {
      if (events.at(-1) !== `hold ${id}`) events.push(`hold ${id}`);
      assert.deepEqual(actor, anna.actor);
    },
    release: () => events.push('release'),
  });
  anna.take();
  return { events };
}

for (const [title, release] of [
  ['the control is released', ({ anna }) => anna.release()],
  ['the page is hidden', ({ anna }) => anna.release('hidden')],
  ['the page shows old data', ({ anna }) => anna.release('stale')],
  ['the page is silent for 250 ms', ({ harness }) => harness.run(250)],
  ['the page is closed', ({ anna }) => anna.leave()],
  ['control is given up', ({ anna }) => anna.giveUp()],
  [
    'the session ends',
    ({ anna }) => {
      anna.isGood = false;
      anna.hold();
    },
  ],
  ['the page names an old state', ({ anna }) => anna.hold('run-1', { heard: 1_000_000 })],
  ['the operator drives by hand', ({ anna }) => anna.drive(100)],
  ['a stop is pressed', ({ anna }) => anna.stop('estop')],
  [
    'control is handed over',
    ({ anna, drive }) => {
      new Driver(drive, 'Bo').take();
      anna.handOver();
    },
  ],
] as [string, (fixture: Fixture) => unknown][]) {
  test(
    `a held motion is released when ${title}`,
    at(async (fixture) => {
      const { events } = held(fixture);
      const { anna, harness } = fixture;
      for (let n = 0; n < 5; n++) {
        anna.hold();
        await harness.run(100);
      }
      assert.deepEqual(events, ['hold run-1']);
      assert.equal(anna.state.driver?.isDriving, true);
      await release(fixture);
      assert.deepEqual(events, ['hold run-1', 'release']);
      await harness.run(1000);
      assert.deepEqual(events, ['hold run-1', 'release']);
    }),
  );
}

test(
  'an operator without control cannot hold a motion',
  at(async (fixture) => {
    const { events } = held(fixture);
    const bo = new Driver(fixture.drive, 'Bo');
    bo.take();
    bo.hold();
    assert.deepEqual(events, []);
  }),
);

test(
  'an operator whose hold is rejected loses control, and the page receives the reason',
  at(async ({ drive, anna }) => {
    drive.serve({
      hold: () => {
        throw new GatewayError('HANDED_OVER', 'another operator holds this run');
      },
      release: () => assert.fail('was not held'),
    });
    anna.take();
    anna.hold();
    assert.equal(anna.state.ended?.code, 'HANDED_OVER');
    assert.equal(anna.state.lease, 0);
  }),
);

test.run();
