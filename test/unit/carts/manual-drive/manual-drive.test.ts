import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { DriveState, LetGo } from '../../../../src/carts/manual-drive/drive-messages.js';
import { handLimits } from '../../../../src/carts/manual-drive/jog.js';
import {
  type DriveConnection,
  ManualDrive,
  type Seat,
} from '../../../../src/carts/manual-drive/manual-drive.js';
import { parseDriveMessage } from '../../../../src/carts/manual-drive/parse-message.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR, quietLog } from '../../../helpers/cart-harness.js';

/** Somebody at the drive socket, as the page of a driver behaves. */
class Driver implements Seat {
  readonly name: string;
  mayDrive = true;
  isGood = true;
  readonly told: DriveState[] = [];
  #actions: DriveConnection;
  #seq = 0;

  constructor(drive: ManualDrive, name: string, mayDrive = true) {
    this.name = name;
    this.mayDrive = mayDrive;
    this.#actions = drive.join(this);
  }

  mayStay(): boolean {
    return this.isGood;
  }
  tell(state: DriveState): void {
    this.told.push(state);
  }

  get state(): DriveState {
    const state = this.told.at(-1);
    assert.ok(state);
    return state;
  }

  take(): void {
    this.#actions.hear({ say: 'take' });
  }
  handOver(): void {
    this.#actions.hear({ say: 'hand-over', lease: this.state.lease || 1 });
  }
  drive(speed: number, turn = 0, more: { lease?: number; seq?: number; heard?: number } = {}): void {
    this.#seq += 1;
    const { lease, n } = this.state;
    this.#actions.hear({ say: 'drive', lease: lease || 1, seq: this.#seq, speed, turn, heard: n, ...more });
  }
  letGo(why: LetGo = 'released'): void {
    this.#actions.hear({ say: 'let-go', lease: this.state.lease || 1, why });
  }
  stop(kind: 'stop' | 'estop'): void {
    this.#actions.hear({ say: 'stop', kind, cartID: null });
  }
  leave(): void {
    this.#actions.leave();
  }
}

interface Fixture {
  harness: CartHarness;
  drive: ManualDrive;
  anna: Driver;
  /** Holds the controls for so long, with a word every 100 ms. */
  hold(driver: Driver, ms: number, speed?: number, turn?: number): Promise<void>;
}

/** A whole cart on a clock that the test cranks, with Anna at the socket. */
async function openFixture(change?: ConstructorParameters<typeof CartHarness>[0]): Promise<Fixture> {
  const harness = await CartHarness.ready(change);
  const { clock } = harness;
  const drive = new ManualDrive({
    cartId: 1,
    gatewayId: 'g1',
    dispatcher: harness.dispatcher,
    rules: () => harness.settings,
    clock,
    log: quietLog,
  });
  const hold: Fixture['hold'] = async (driver, ms, speed = 100, turn = 0) => {
    for (let withFixture = 0; withFixture < ms; withFixture += 100) {
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

/** Runs a test at a scene of its own. */
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

/** ms until the simulated controller stands, from now on. */
async function untilStanding(harness: CartHarness): Promise<number> {
  for (let ms = 0; ms <= 2000; ms += 5) {
    if (harness.controller.snapshot().speed === 0) return ms;
    await harness.run(5);
  }
  throw new Error('the cart still moves after 2 s');
}

test(
  'held controls drive the cart with the newest word, and letting go finishes the command where the cart stands',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 1000, 60);
    assert.equal(harness.controller.snapshot().speed, 60);
    await hold(anna, 300, -40);
    assert.equal(harness.controller.snapshot().speed, -40);
    anna.letGo();
    assert.equal(harness.wire.of('STOP').length, 1, 'the stop is on the wire when the word has been heard');
    await harness.run(1000);
    const [command] = harness.dispatcher.newest(1);
    assert.equal(command?.state, 'FINISHED');
    assert.ok((command?.result?.distanceMm ?? 0) > 30, JSON.stringify(command?.result));
    assert.ok(anna.state.lease > 0, 'she keeps the lease');
    assert.equal(harness.wire.of('MOVE').length, 0);
  }),
);

test(
  'letting go and pressing again drives again, as soon as the cart has come to rest',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    anna.letGo();
    await hold(anna, 1000);
    assert.equal(harness.controller.snapshot().speed, 100);
    assert.equal(harness.dispatcher.newest(5).length, 2, 'what was said while it came to rest is not kept');
  }),
);

test(
  'silence stops the cart: it stands half a second after the last word at the latest, at top speed',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    const { speedMmps } = anna.state.most;
    await hold(anna, 1000, speedMmps);
    anna.drive(speedMmps);
    const ms = await untilStanding(harness);
    assert.ok(ms <= 500, `${ms} ms`);
    assert.equal(anna.state.lease, 0);
    assert.equal(anna.state.ended?.code, 'LEASE_ENDED');
    assert.match(textOf(anna.state.ended?.text ?? ''), /250 ms/);
  }),
);

test(
  'a gateway that stops breathing in mid-hold: the controller itself makes the cart stand within half a second',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    const { speedMmps } = anna.state.most;
    await hold(anna, 1000, speedMmps);
    anna.drive(speedMmps);
    // From here on nothing that the gateway writes arrives.
    harness.controller.receive = () => undefined;
    assert.ok((await untilStanding(harness)) <= 500);
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
    `a page that lets go because of "${why}" stops the cart at once and ends the lease`,
    at(async ({ harness, anna, hold }) => {
      anna.take();
      await hold(anna, 500);
      anna.letGo(why);
      assert.equal(harness.wire.of('STOP').length, 1);
      assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, code]);
      assert.ok((await untilStanding(harness)) <= 500);
      assert.equal(harness.dispatcher.newest(1)[0]?.reason?.code, code);
    }),
  );
}

test(
  'a connection that ends stops the cart before anything else',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    anna.leave();
    assert.equal(harness.wire.of('STOP').length, 1);
    assert.ok((await untilStanding(harness)) <= 500);
    assert.equal(harness.dispatcher.newest(1)[0]?.reason?.code, 'CONNECTION_LOST');
  }),
);

test(
  'a session that ends while the controls are held stops the cart at the next word',
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
  'the emergency stop ends the lease with its reason, driving or not, and nobody may take it until the reset',
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
      'an idle lease as well',
    );
  }),
);

test(
  'Stop by anybody ends the lease, and words of controls that are still held start nothing',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    const { lease } = anna.state;
    harness.dispatcher.stopOwn('stop', { ...OPERATOR, principal: 'Bob' });
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'STOPPED']);
    assert.match(textOf(anna.state.ended?.text ?? ''), /Bob/);
    const jogs = harness.wire.of('JOG').length;
    for (let word = 0; word < 10; word += 1) {
      anna.drive(100, 0, { lease });
      await harness.run(100);
    }
    assert.equal(harness.wire.of('JOG').length, jogs);
    assert.equal(harness.controller.snapshot().speed, 0);
  }),
);

test(
  'anybody at the socket may stop: the frame is on the wire when the word has been heard',
  at(async ({ harness, drive, anna, hold }) => {
    const carl = new Driver(drive, 'Carl', false);
    anna.take();
    await hold(anna, 300);
    carl.stop('estop');
    assert.equal(harness.wire.of('ESTOP').length, 1);
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'ESTOP_ACTIVE']);
    assert.match(textOf(anna.state.ended?.text ?? ''), /Carl/);
  }),
);

test(
  'a second driver watches, asks, is seen by the first, and gets the lease from her: then only his words count',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 300);
    assert.deepEqual(bob.state.driver, { name: 'Anna', isYou: false, isDriving: true });
    bob.drive(100);
    bob.take();
    assert.deepEqual(anna.state.asking, [{ name: 'Bob', isYou: false }]);
    assert.deepEqual(bob.state.asking, [{ name: 'Bob', isYou: true }]);
    const old = anna.state.lease;
    anna.handOver();
    assert.equal(harness.wire.of('STOP').length, 1, 'what moves is stopped first');
    assert.ok(bob.state.lease > old);
    assert.deepEqual([anna.state.lease, anna.state.ended?.code], [0, 'PASSED_ON']);
    await harness.run(1000);
    anna.drive(-100, 0, { lease: old });
    await hold(bob, 500, 50);
    assert.equal(
      harness.controller.snapshot().speed,
      50,
      'Bob drives at once, without waiting for her control to lapse',
    );
  }),
);

test(
  'a driver who has not driven for five seconds gives way by the clock; one who drives does not',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    bob.take();
    await hold(anna, 8000, 20);
    assert.equal(bob.state.lease, 0);
    anna.letGo();
    await harness.run(4800);
    assert.equal(bob.state.lease, 0);
    await harness.run(300);
    assert.ok(bob.state.lease > 0);
  }),
);

test(
  'somebody who may only watch is told who drives, and his words move nothing',
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
  'a word that was said upon an old picture stops the cart: it lay in a queue on its way',
  at(async ({ harness, anna, hold }) => {
    anna.take();
    await hold(anna, 500);
    const heard = anna.state.n;
    for (let word = 0; word < 4; word += 1) {
      anna.drive(100, 0, { heard });
      await harness.run(100);
    }
    assert.ok(anna.state.lease > 0, 'up to half a second the network may take');
    await harness.run(50);
    anna.drive(100, 0, { heard });
    await harness.run(100);
    anna.drive(100, 0, { heard });
    assert.equal(anna.state.ended?.code, 'CONNECTION_SLOW');
  }),
);

test(
  'words that come twice or out of order are not taken for new ones',
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
  'faster than may be driven by hand is refused with field, limit and unit, and a running command is not taken over',
  at(async ({ harness, anna }) => {
    anna.take();
    anna.drive(5000);
    assert.equal(anna.state.ended?.code, 'RANGE');
    assert.match(textOf(anna.state.ended?.text ?? ''), /speed is 5000 mm\/s; by hand the limit is 110 mm\/s/);
    harness.move(500);
    await harness.run(200);
    anna.take();
    anna.drive(100);
    assert.ok(['BUSY', 'CONTROL_HELD'].includes(anna.state.ended?.code ?? ''));
    assert.equal(harness.wire.of('JOG').length, 0);
  }),
);

test(
  'the holder is told ten times a second and no oftener; the others only what changes',
  at(async ({ harness, drive, anna, hold }) => {
    const bob = new Driver(drive, 'Bob');
    anna.take();
    await hold(anna, 500);
    const [before, others] = [anna.told.length, bob.told.length];
    await hold(anna, 2000);
    assert.equal(anna.told.length - before, 20);
    assert.equal(bob.told.length, others);
    assert.ok(anna.state.heldMs <= 100);
    assert.equal(harness.wire.of('STOP').length, 0);
  }),
);

test('with the last page the last timer goes', async () => {
  const fixture = await openFixture();
  const { harness, anna, drive } = fixture;
  const before = harness.clock.timers;
  anna.leave();
  assert.equal(harness.clock.timers, before - 1);
  await done({ ...fixture, drive });
});

test('stronger brakes allow to drive faster by hand, up to the top speed of the cart', () => {
  const at = (decelMmps2: number) => handLimits({ maxSpeedMmps: 300, decelMmps2 }, { trackMm: 400 });
  assert.deepEqual(at(500), { speedMmps: 110, turnDegps: 31 });
  assert.deepEqual(at(2000), { speedMmps: 300, turnDegps: 85 });
});

for (const [text, words] of [
  ['', /one JSON object/],
  ['null', /one JSON object/],
  ['{"say":"fly"}', /say must be one of take, hand-over, leave, drive, let-go, stop/],
  ['{"say":"drive","lease":1,"seq":1,"speed":1.5,"turn":0,"heard":1}', /speed must be a whole number/],
  ['{"say":"drive","lease":1,"seq":1,"speed":99999,"turn":0,"heard":1}', /speed must be at most 10000 mm\/s/],
  ['{"say":"drive","lease":1,"seq":1,"speed":0,"heard":1}', /turn is missing/],
  ['{"say":"take","force":true}', /force is not a known field/],
] as const) {
  test(`the word ${text || 'of nothing'} is refused`, () => {
    assert.throws(
      () => parseDriveMessage(text),
      (error) => error instanceof GatewayError && error.code === 'INVALID_INPUT' && words.test(error.message),
    );
  });
}

test.run();
