import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Command } from '../../../../src/carts/command/command.js';
import type { Order, Origin } from '../../../../src/carts/command/model.js';
import type { Settings } from '../../../../src/settings/schema/schema.js';
import { gatewayActor, keyActor, userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { LocalizationState, PlanPose } from '../../../../src/shared/ports/navigation/plan-pose.js';
import { Signal } from '../../../../src/shared/signal.js';
import type { ReviewReason } from '../../../../src/site/plan-data/schema.js';
import type { Zone } from '../../../../src/site/zones/zone.js';
import { ZoneGate } from '../../../../src/site/zones/zone-gate.js';
import { CartHarness, OPERATOR, PEER, quietLog } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { FOOTPRINT } from '../site-setup.js';
import { FOOTPRINT as CORNERS, overlap, placed, rectangle, zone } from './drives.js';

const test = suite('zone gate of a cart');

/** The cart starts at the origin, and its front is at x = 400. With the margin, 1500 mm are free. */
const WALL = zone(rectangle(2000, -5000, 3000, 5000));
const JOG = { mode: 'jog', ttlMs: 500 };

class Site {
  zones: readonly Zone[];
  reviewReason: ReviewReason | null = null;
  readonly #changed = new Signal();
  readonly onChange = this.#changed.on.bind(this.#changed);

  constructor(zones: readonly Zone[]) {
    this.zones = zones;
  }

  get current() {
    const { zones, reviewReason } = this;
    const needsReview = reviewReason !== null;
    return {
      version: 1,
      planHash: 'p',
      etag: '"1"',
      zones,
      places: [],
      routes: [],
      needsReview,
      reviewReason,
    };
  }

  change(change: Partial<Pick<Site, 'zones' | 'reviewReason'>>): void {
    Object.assign(this, change);
    this.#changed.emit();
  }
}

interface Pose {
  state: LocalizationState;
  /** Added to the pose from the odometry. */
  xMm: number;
  isKnown: boolean;
}

class ZonedCart {
  readonly pose: Pose = { state: 'GOOD', xMm: 0, isKnown: true };
  readonly harness: CartHarness;
  readonly site: Site;
  readonly gate: ZoneGate;
  readonly records: object[] = [];
  locations = 0;
  #recorded = Promise.resolve();

  private constructor(harness: CartHarness, site: Site, gate: ZoneGate) {
    this.harness = harness;
    this.site = site;
    this.gate = gate;
  }

  static async open(zones: readonly Zone[], change?: (settings: Settings) => void): Promise<ZonedCart> {
    const harness = await CartHarness.ready((settings) => {
      settings.kinematics.footprint = FOOTPRINT;
      change?.(settings);
    });
    const gate = new ZoneGate({
      settings: () => harness.settings,
      location: () => zoned.#location(),
      record: async ({ by: _by, ...override }) => {
        await zoned.#recorded;
        zoned.records.push(override);
      },
      clock: harness.clock,
      log: quietLog,
    });
    const zoned = new ZonedCart(harness, new Site(zones), gate);
    const emergencyStops = () => harness.cart.interlocks.emergencyStops;
    gate.use({ sitePlan: zoned.site, floorPlan: { current: undefined }, emergencyStops });
    harness.gate = gate;
    return zoned;
  }

  #location(): PlanPose | undefined {
    this.locations += 1;
    const { cart, clock } = this.harness;
    const { pose } = cart;
    if (!this.pose.isKnown || !pose) return undefined;
    const covariance = [
      [25, 0, 0],
      [0, 25, 0],
      [0, 0, 0.04],
    ];
    return {
      ...pose,
      xMm: pose.xMm + this.pose.xMm,
      covariance,
      ellipse: { semiMajorMm: 12, semiMinorMm: 12, angleDeg: 0, probability: 0.95 },
      state: this.pose.state,
      ageMs: { odometry: clock.now() - cart.link.lastReportMs, markers: 0, beacons: null },
    };
  }

  /** Delays the records until the returned function is called. */
  record(): () => void {
    let recorded = (): void => undefined;
    this.#recorded = new Promise((resolve) => {
      recorded = resolve;
    });
    return () => recorded();
  }

  get speed(): number {
    return this.harness.controller.snapshot().speed;
  }

  /** The true outline of the cart. */
  get outline() {
    const { x, y, heading } = this.harness.controller.snapshot();
    return placed(CORNERS, { x, y, headingDeg: heading });
  }

  get isInZone(): boolean {
    return this.site.zones.some(({ polygon }) => overlap(this.outline, polygon));
  }

  jog(speedMmps: number, turnDegps = 0, origin: Origin = OPERATOR): Command {
    return this.harness.move(speedMmps, turnDegps, JOG, origin);
  }

  /** Holds the pad in this direction until the cart has been stopped; returns the command. */
  async hold(
    speedMmps: number,
    turnDegps = 0,
    onStep = (): void => undefined,
    origin: Origin = OPERATOR,
  ): Promise<Command> {
    const command = this.jog(speedMmps, turnDegps, origin);
    for (let n = 0; n < 600 && !command.final; n++) {
      await this.harness.run(100);
      onStep();
      try {
        if (!command.final) this.jog(speedMmps, turnDegps, origin);
      } catch (error) {
        assert.ok(error instanceof GatewayError);
      }
    }
    return command;
  }

  async untilStopped(command: Command, onStep = (): void => undefined): Promise<void> {
    while (!command.final || this.speed !== 0) {
      await this.harness.run(10);
      onStep();
    }
  }
}

function withCart(
  zones: readonly Zone[],
  run: (zoned: ZonedCart) => Promise<void>,
  change?: (settings: Settings) => void,
): () => Promise<void> {
  return async () => {
    const zoned = await ZonedCart.open(zones, change);
    await run(zoned);
    await zoned.harness.close();
  };
}

const codeOf = ({ state, reason }: Command) => [state, reason?.code];

test(
  'computes nothing while there are no zones',
  withCart([], async (zoned) => {
    zoned.pose.isKnown = false;
    const command = zoned.harness.move(1000);
    await zoned.untilStopped(command);
    assert.equal(command.state, 'FINISHED');
    assert.equal(zoned.locations, 0);
    assert.deepEqual(zoned.gate.warnings(), []);
  }),
);

async function permitsOnlySlowHandDriving(
  zoned: ZonedCart,
  reviewReason: ReviewReason,
  warning: RegExp,
): Promise<void> {
  const { harness, site } = zoned;
  site.change({ reviewReason });
  assert.throws(() => harness.move(1000), hasCode('POSE_LOST'));
  assert.match(zoned.gate.warnings().map(textOf).join(), warning);
  const held = zoned.jog(300);
  let fastest = 0;
  await zoned.untilStopped(held, () => {
    fastest = Math.max(fastest, zoned.speed);
  });
  assert.ok(fastest > 50 && fastest <= 100, `${fastest} mm/s`);
  site.change({ reviewReason: null });
  const command = harness.move(100);
  await zoned.untilStopped(command);
  assert.equal(command.state, 'FINISHED');
}

// Fault case 81
test(
  'permits only slow hand driving while zones may be missing',
  withCart([], (zoned) =>
    permitsOnlySlowHandDriving(zoned, 'DATA_LOST', /not enforced: the zones and places differ/),
  ),
);

test(
  'permits only slow hand driving until a shared site plan has been received',
  withCart([], (zoned) =>
    permitsOnlySlowHandDriving(zoned, 'NOT_RECEIVED', /not enforced: the site plan has not been received/),
  ),
);

test(
  'permits only slow hand driving while the floor plan differs from that of a shared site plan',
  withCart([], (zoned) =>
    permitsOnlySlowHandDriving(
      zoned,
      'OTHER_FLOOR_PLAN',
      /not enforced: the floor plan differs from the site/,
    ),
  ),
);

test(
  'keeps the margin in the settings, also after it has been changed',
  withCart([WALL], async ({ harness }) => {
    const freeMm = () => {
      try {
        harness.move(3000);
      } catch (error) {
        return (error as GatewayError).info.freeDistanceMm ?? 0;
      }
      return assert.fail('the move was accepted');
    };
    const before = freeMm();
    harness.settings.site.marginMm += 250;
    assert.ok(Math.abs(before - freeMm() - 250) <= 20, `${before} and ${freeMm()} mm`);
  }),
);

test('refuses every motion until the zones have been loaded', async () => {
  const harness = await CartHarness.ready();
  const { clock } = harness;
  const log = new RecordingLog();
  const record = async () => undefined;
  const gate = new ZoneGate({
    settings: () => harness.settings,
    location: () => undefined,
    record,
    clock,
    log,
  });
  harness.gate = gate;
  assert.throws(() => harness.move(100), hasCode('SAFETY_UNAVAILABLE'));
  const broken = {
    get current(): never {
      throw new Error('the database cannot be read');
    },
    onChange: () => () => undefined,
  };
  gate.use({ sitePlan: broken, floorPlan: { current: undefined }, emergencyStops: () => 0 });
  assert.throws(() => harness.move(100), hasCode('SAFETY_UNAVAILABLE'));
  assert.ok(log.events().includes('site.load_failed'));
  await harness.close();
});

/** Every kind of motion, as it arrives at the receiving gateway. */
const SOURCES: [title: string, send: (zoned: ZonedCart) => Command, isHand: boolean][] = [
  ['a single command', ({ harness }) => harness.move(3000), false],
  ['a turn and a drive', ({ harness }) => harness.move(3000, 10), false],
  ['a command of an API key', ({ harness }) => harness.move(3000, 0, {}, by(keyActor('tablet'))), false],
  ['a command from another gateway', ({ harness }) => harness.move(3000, 0, {}, PEER), false],
  ['a jog of an API key', (zoned) => zoned.jog(300, 0, by(keyActor('tablet'))), false],
  ['a jog from another gateway', (zoned) => zoned.jog(300, 0, by(gatewayActor('g2'))), false],
  ['a jog of an operator', (zoned) => zoned.jog(300, 0, by(userActor('anna'))), true],
  ['hand driving', ({ harness }) => harness.dispatcher.accept(handOrder(), by(userActor('anna'))), true],
];

function by(actor: Origin['actor']): Origin {
  return { ...OPERATOR, actor };
}

function handOrder(): Order {
  return {
    commandId: '0d4d1d5e-6f0a-4f0f-8c7d-0a1d6c1f7c11',
    cartId: 1,
    kind: 'jog',
    raw: { distanceID: 300, angleID: 0 },
    distanceMm: 300,
    angleDdeg: 0,
    maxSpeedMmps: 300,
    ttlMs: 250,
    onBusy: 'reject',
    leaseMs: 250,
  };
}

test(
  'without zones, a replaced floor plan under places and routes forbids nothing',
  withCart([], async (zoned) => {
    zoned.site.change({ reviewReason: 'FLOOR_PLAN' });
    assert.deepEqual(zoned.gate.warnings(), []);
    assert.ok(!zoned.harness.move(1000).final);
  }),
);

for (const [title, send, isHand] of SOURCES) {
  const isRefused = (code: 'ZONE_BLOCKED' | 'ZONE_MANUAL_ONLY' | 'POSE_LOST') => (zoned: ZonedCart) => {
    assert.throws(() => send(zoned), hasCode(code));
    assert.equal(zoned.harness.controller.snapshot().motions, 0);
  };

  test(
    `${title} is refused at a BLOCKED zone`,
    // The zone begins 10 mm beyond the pad.
    withCart([zone(rectangle(526, -500, 900, 500))], async (zoned) => isRefused('ZONE_BLOCKED')(zoned)),
  );

  test(
    `${title} is ${isHand ? 'permitted' : 'refused'} in a MANUAL_ONLY zone`,
    withCart([{ ...zone(rectangle(-900, -900, 900, 900)), kind: 'MANUAL_ONLY' }], async (zoned) => {
      if (!isHand) return isRefused('ZONE_MANUAL_ONLY')(zoned);
      assert.ok(!send(zoned).final);
      await zoned.harness.run(1000);
    }),
  );

  for (const [cause, lose] of [
    ['the position is lost', ({ pose }: ZonedCart) => (pose.state = 'LOST')],
    ['the position is unknown', ({ pose }: ZonedCart) => (pose.isKnown = false)],
    [
      'the floor plan has been replaced',
      ({ site }: ZonedCart) => site.change({ reviewReason: 'FLOOR_PLAN' }),
    ],
  ] as const) {
    test(
      `if ${cause}, ${title} is ${isHand ? 'slow' : 'refused'}`,
      withCart([zone(rectangle(9000, 0, 9500, 500))], async (zoned) => {
        lose(zoned);
        if (!isHand) return isRefused('POSE_LOST')(zoned);
        send(zoned);
        await zoned.harness.run(240);
        assert.ok(zoned.speed > 50 && zoned.speed <= 100, `${zoned.speed} mm/s`);
        await zoned.harness.run(1000);
      }),
    );
  }
}

test(
  'a refusal contains the zone and the free distance, in words and for programs',
  withCart([{ ...WALL, name: 'Stairs' }], async ({ harness }) => {
    try {
      harness.move(3000);
      assert.fail('the move is permitted');
    } catch (error) {
      assert.ok(error instanceof GatewayError);
      const { zoneId, freeDistanceMm = 0, hint = '' } = error.info;
      assert.equal(zoneId, 'z1');
      assert.ok(freeDistanceMm > 1400 && freeDistanceMm <= 1500, `${freeDistanceMm} mm`);
      assert.equal(textOf(error.text), `zone "Stairs" blocks the way after ${freeDistanceMm} mm`);
      assert.match(textOf(hint), /another way/);
    }
  }),
);

for (const [title, ended] of [
  ['a queued move', async ({ harness }) => harness.move(3000, 0, { onBusy: 'queue' })],
  ['a held jog', (zoned) => zoned.hold(300)],
] as [string, (zoned: ZonedCart) => Promise<Command>][]) {
  test(
    `the reason why ${title} ends contains the zone and the free distance`,
    withCart([WALL], async (zoned) => {
      const { code, text, zoneId, freeDistanceMm, ...others } = (await ended(zoned)).reason ?? {};
      assert.deepEqual([code, zoneId, others], ['ZONE_BLOCKED', 'z1', {}]);
      assert.match(textOf(text ?? ''), new RegExp(` after ${freeDistanceMm} mm$`));
    }),
  );
}

test(
  'a move that ends before a zone finishes at full speed',
  withCart([WALL], async (zoned) => {
    let fastest = 0;
    const command = zoned.harness.move(1400);
    await zoned.untilStopped(command, () => {
      fastest = Math.max(fastest, zoned.speed);
    });
    assert.deepEqual([command.state, fastest], ['FINISHED', 300]);
  }),
);

test(
  'hand driving with the pad held stops before a zone, does not continue by itself, and can leave',
  withCart([WALL], async (zoned) => {
    const command = await zoned.hold(300);
    assert.deepEqual(codeOf(command), ['FAILED', 'ZONE_BLOCKED']);
    const { x } = zoned.harness.controller.snapshot();
    assert.ok(x > 1400 && x <= 1500, `${x} mm`);
    const { motions } = zoned.harness.controller.snapshot();
    for (let n = 0; n < 20; n++) {
      assert.throws(() => zoned.jog(300));
      await zoned.harness.run(100);
    }
    assert.equal(zoned.harness.controller.snapshot().motions, motions);
    await zoned.harness.run(1000);
    assert.throws(() => zoned.jog(300), hasCode('ZONE_BLOCKED'));
    zoned.jog(-300);
    await zoned.harness.run(400);
    assert.ok(zoned.speed < -50);
    await zoned.harness.run(2000);
  }),
);

test(
  'a change of the site plan that leaves the zones as they are does not let a stopped cart drive closer',
  withCart([WALL], async (zoned) => {
    await zoned.hold(300);
    await zoned.harness.run(2000);
    // Less than the hysteresis of 30 mm.
    zoned.pose.xMm = -20;
    const isRefused = () => assert.throws(() => zoned.jog(300), hasCode('ZONE_BLOCKED'));
    isRefused();
    zoned.site.change({ zones: structuredClone(zoned.site.zones) });
    isRefused();
    zoned.site.change({ zones: [WALL, zone(rectangle(9000, 0, 9500, 500), { id: 'z2' })] });
    assert.ok(!zoned.jog(300).final);
    await zoned.harness.run(1000);
  }),
);

test(
  'hand driving into a corner with the pad held stays outside both zones',
  withCart(
    [zone(rectangle(1500, -5000, 2500, 5000)), zone(rectangle(-5000, 900, 5000, 1900), { id: 'z2' })],
    async (zoned) => {
      for (const [speed, turn] of [
        [300, 12],
        [300, 25],
        [300, -20],
        [250, 0],
        [0, 40],
        [300, 8],
      ] as const) {
        await zoned.harness.run(1000);
        try {
          await zoned.hold(speed, turn, () => assert.ok(!zoned.isInZone));
        } catch (error) {
          assert.ok(error instanceof GatewayError && error.code === 'ZONE_BLOCKED', String(error));
        }
        await zoned.harness.run(1000);
        assert.ok(!zoned.isInZone);
      }
    },
  ),
);

for (const [title, command] of [
  ['a move', (zoned: ZonedCart) => zoned.harness.move(4000)],
  ['a turn and a drive', (zoned: ZonedCart) => zoned.harness.move(4000, 20)],
] as const) {
  test(
    `a zone that is drawn while ${title} leads towards it stops the cart before it`,
    withCart([zone(rectangle(-9000, 4000, -8000, 5000))], async (zoned) => {
      const running = command(zoned);
      await zoned.harness.run(3000);
      assert.equal(zoned.speed, 300);
      const { x } = zoned.harness.controller.snapshot();
      zoned.site.change({ zones: [zone(rectangle(x + 1000, -5000, x + 2000, 5000))] });
      await zoned.untilStopped(running, () => assert.ok(!zoned.isInZone));
      assert.deepEqual(codeOf(running), ['FAILED', 'ZONE_BLOCKED']);
      await zoned.harness.run(3000);
      assert.equal(zoned.speed, 0);
    }),
  );
}

for (const [title, change, code] of [
  ['the position is lost', ({ pose }: ZonedCart) => (pose.state = 'LOST'), 'POSE_LOST'],
  [
    'the floor plan is re-scaled',
    ({ site }: ZonedCart) => site.change({ reviewReason: 'FLOOR_PLAN' }),
    'POSE_LOST',
  ],
  // The markers now place the cart 600 mm further ahead.
  ['a moved marker shifts the position', ({ pose }: ZonedCart) => (pose.xMm = 600), 'ZONE_BLOCKED'],
] as const) {
  test(
    `if ${title} during a move, the cart stops`,
    withCart([WALL], async (zoned) => {
      const command = zoned.harness.move(1400);
      await zoned.harness.run(2000);
      assert.equal(zoned.speed, 300);
      change(zoned);
      await zoned.untilStopped(command);
      assert.deepEqual(codeOf(command), ['FAILED', code]);
      assert.ok(zoned.harness.controller.snapshot().x < 1400);
    }),
  );
}

test(
  'a position that becomes uncertain during a move slows the cart down to 100 mm/s',
  withCart([WALL], async (zoned) => {
    const command = zoned.harness.move(1400);
    await zoned.harness.run(2000);
    zoned.pose.state = 'COARSE';
    await zoned.harness.run(1000);
    assert.equal(zoned.speed, 100);
    await zoned.untilStopped(command);
    assert.equal(command.state, 'FINISHED', 'the time limit of the move allows for it');
    assert.match(String(zoned.gate.warnings()[0]), /coarse/);
  }),
);

test(
  'a cart that a new zone covers can be driven out by hand, slowly, but not deeper',
  withCart([zone(rectangle(9000, 0, 9500, 500))], async (zoned) => {
    zoned.site.change({ zones: [zone(rectangle(-300, -1000, 2000, 1000))] });
    assert.throws(() => zoned.harness.move(-1500), hasCode('ZONE_BLOCKED'));
    assert.throws(() => zoned.jog(300), hasCode('ZONE_BLOCKED'));
    let fastest = 0;
    const command = zoned.jog(-300);
    for (let n = 0; n < 200 && zoned.isInZone; n++) {
      await zoned.harness.run(100);
      fastest = Math.max(fastest, Math.abs(zoned.speed));
      zoned.jog(-300);
    }
    assert.ok(!command.final && !zoned.isInZone);
    assert.ok(fastest > 90 && fastest <= 100, `${fastest} mm/s`);
    await zoned.harness.run(2000);
  }),
);

test(
  'the cart meets the limit of a SPEED_LIMIT zone at its edge and drives faster behind it',
  withCart(
    [zone(rectangle(1500, -500, 2000, 500), { kind: 'SPEED_LIMIT', maxSpeedMmps: 120 })],
    async (zoned) => {
      let [before, behind] = [0, 0];
      const command = zoned.harness.move(4000);
      await zoned.untilStopped(command, () => {
        const { x } = zoned.harness.controller.snapshot();
        if (zoned.isInZone) assert.ok(zoned.speed <= 121, `${zoned.speed} mm/s at ${x} mm`);
        else if (x < 1100) before = Math.max(before, zoned.speed);
        else behind = Math.max(behind, zoned.speed);
      });
      assert.deepEqual([command.state, before, behind], ['FINISHED', 300, 300]);
    },
  ),
);

const CRAWL = { kind: 'SPEED_LIMIT', maxSpeedMmps: 20 } as const;

test(
  'a move through a slow zone has enough time',
  withCart([zone(rectangle(1500, -500, 1900, 500), CRAWL)], async (zoned) => {
    const command = zoned.harness.move(4000);
    await zoned.untilStopped(command);
    assert.equal(command.state, 'FINISHED');
  }),
);

test(
  'a slow zone elsewhere does not increase the time limit of a move',
  withCart([zone(rectangle(9000, 0, 9500, 500), CRAWL)], async (zoned) => {
    const { clock, wire } = zoned.harness;
    const startMs = clock.now();
    // The report that the move has finished is lost.
    wire.lost = 'EVENT';
    const command = zoned.harness.move(1000);
    while (!command.final) await zoned.harness.run(50);
    assert.equal(command.reason?.code, 'TIMEOUT');
    // 1.5 × 3.9 s + 2 s.
    assert.ok(Math.abs(clock.now() - startMs - 7900) <= 50, `${clock.now() - startMs} ms`);
    await zoned.harness.run(2000);
  }),
);

for (const [title, change, text] of [
  ['a steered cart', ({ kinematics }: Settings) => (kinematics.type = 'ackermann'), /differential/],
  ['a cart without a footprint', ({ kinematics }: Settings) => (kinematics.footprint = []), /footprint/],
  ['a driver without odometry', ({ serial }: Settings) => (serial.driver = 'roboclaw'), /distance driven/],
] as const) {
  test(
    `with zones, ${title} moves only by hand, slowly, and shows why`,
    withCart([WALL], async (zoned) => {
      // The settings were changed after the zones had been stored.
      const settings = structuredClone(zoned.harness.settings);
      change(settings);
      zoned.harness.settings = settings;
      assert.throws(() => zoned.harness.move(100), hasCode('CONFIG_INVALID'));
      zoned.jog(300);
      await zoned.harness.run(400);
      assert.equal(zoned.speed, 100);
      assert.match(textOf(zoned.gate.warnings()[0] ?? ''), text);
      await zoned.harness.run(2000);
    }),
  );
}

test(
  'the view of the cart warns that zones are not enforced while the position is lost',
  withCart([WALL], async (zoned) => {
    const warnings = () => zoned.harness.dispatcher.ownCart().faults.map(({ message }) => textOf(message));
    assert.deepEqual(warnings(), []);
    zoned.pose.isKnown = false;
    assert.deepEqual(warnings(), ['position lost: zones are not enforced']);
  }),
);

test(
  'an override permits slow driving by hand for its time and no other motion',
  withCart([zone(rectangle(526, -500, 2000, 500))], async (zoned) => {
    await zoned.gate.override({ by: userActor('anna'), reason: 'pallet in the way', seconds: 3 });
    assert.deepEqual(zoned.records, [{ reason: 'pallet in the way', seconds: 3, version: 1 }]);
    assert.deepEqual(zoned.gate.warnings().map(textOf), [
      'zones are switched off by anna: pallet in the way',
    ]);
    assert.throws(() => zoned.harness.move(500), hasCode('ZONE_BLOCKED'));
    assert.throws(() => zoned.jog(300, 0, by(userActor('bob'))), hasCode('ZONE_BLOCKED'));
    const isSlow = () => assert.ok(zoned.speed <= 100);
    const command = await zoned.hold(300, 0, isSlow, by(userActor('anna')));
    assert.deepEqual(codeOf(command), ['FAILED', 'ZONE_BLOCKED']);
    assert.ok(zoned.isInZone);
    assert.deepEqual(zoned.gate.warnings(), []);
    await zoned.gate.override({ by: userActor('anna'), reason: 'pallet in the way', seconds: 60 });
    zoned.gate.endOverride(userActor('anna'));
    await zoned.harness.run(1000);
    assert.throws(() => zoned.jog(300, 0, by(userActor('anna'))), hasCode('ZONE_BLOCKED'));
  }),
);

test(
  'an override does not hide the other warnings about the zones',
  withCart([WALL], async ({ gate, pose, site }) => {
    await gate.override({ by: userActor('anna'), reason: 'pallet in the way', seconds: 3 });
    const warnings = () => gate.warnings().map(textOf);
    const overridden = 'zones are switched off by anna: pallet in the way';
    pose.state = 'LOST';
    assert.deepEqual(warnings(), [overridden, 'position lost: zones are not enforced']);
    site.change({ reviewReason: 'FLOOR_PLAN' });
    assert.match(warnings().join(), /pallet in the way,zones are not enforced: the floor plan was changed/);
  }),
);

test(
  'an override that is cancelled while it is being recorded does not take effect, and its time counts from the request',
  withCart([zone(rectangle(526, -500, 2000, 500))], async (zoned) => {
    const anna = userActor('anna');
    const request = { by: anna, reason: 'pallet in the way', seconds: 60 };
    const cancelled = zoned.record();
    const first = zoned.gate.override(request);
    zoned.gate.endOverride(anna);
    cancelled();
    await assert.rejects(first, hasCode('SUPERSEDED'));
    assert.deepEqual(zoned.gate.warnings(), []);
    const late = zoned.record();
    const second = zoned.gate.override({ ...request });
    await zoned.harness.run(60_000);
    late();
    await second;
    assert.deepEqual(zoned.gate.warnings(), []);
    assert.throws(() => zoned.jog(300, 0, by(anna)), hasCode('ZONE_BLOCKED'));
  }),
);

for (const [name, stop] of [
  ['an emergency stop', ({ harness }) => harness.cart.stop('estop', OPERATOR.actor)],
  ['the E-stop button', ({ harness }) => harness.pins.press()],
] as [string, (zoned: ZonedCart) => void][]) {
  test(
    `${name} ends an override, also one that is requested or being recorded while the cart is stopped`,
    withCart([zone(rectangle(526, -500, 2000, 500))], async (zoned) => {
      const request = { by: userActor('anna'), reason: 'pallet in the way', seconds: 60 };
      for (let round = 0; round < 2; round += 1) {
        await zoned.gate.override(request);
        assert.ok(zoned.gate.activeOverride);
        stop(zoned);
        assert.equal(zoned.gate.activeOverride, undefined);
        assert.deepEqual(zoned.gate.warnings(), []);
        zoned.harness.pins.release();
        await zoned.harness.run(500);
      }
      const recorded = zoned.record();
      const late = zoned.gate.override(request);
      stop(zoned);
      recorded();
      await assert.rejects(late, hasCode('SUPERSEDED'));
      assert.equal(zoned.gate.activeOverride, undefined);
    }),
  );
}

test(
  'each renewal of an override is recorded with its own reason and lasts no longer than its own time',
  withCart([WALL], async (zoned) => {
    const by = userActor('anna');
    await zoned.gate.override({ by, reason: 'pallet in the way', seconds: 60 });
    await zoned.harness.run(30_000);
    await zoned.gate.override({ by, reason: 'second pallet', seconds: 20 });
    assert.deepEqual(zoned.records, [
      { reason: 'pallet in the way', seconds: 60, version: 1 },
      { reason: 'second pallet', seconds: 20, version: 1 },
    ]);
    await zoned.harness.run(19_900);
    assert.equal(zoned.gate.activeOverride?.reason, 'second pallet');
    await zoned.harness.run(200);
    assert.equal(zoned.gate.activeOverride, undefined);
  }),
);

for (const [first, then] of [
  [-20, 300],
  [20, 300],
  [300, 300],
] as const) {
  test(
    `hand driving that starts at ${first} mm/s and continues at ${then} mm/s stops before a zone`,
    withCart([WALL], async (zoned) => {
      zoned.jog(first);
      await zoned.harness.run(200);
      const command = await zoned.hold(then, 0, () => assert.ok(!zoned.isInZone));
      assert.deepEqual(codeOf(command), ['FAILED', 'ZONE_BLOCKED']);
      await zoned.harness.run(1000);
      assert.ok(!zoned.isInZone);
    }),
  );
}

for (const [title, end, code] of [
  ['the position is lost', ({ pose }: ZonedCart) => (pose.state = 'LOST'), 'POSE_LOST'],
  [
    'the floor plan is replaced',
    ({ site }: ZonedCart) => site.change({ reviewReason: 'FLOOR_PLAN' }),
    'POSE_LOST',
  ],
  [
    'the zones are switched off',
    ({ gate }: ZonedCart) => gate.override({ by: OPERATOR.actor, reason: 'pallet in the way', seconds: 60 }),
    'SETTINGS_CHANGED',
  ],
] as const) {
  test(
    `if ${title} while the pad is held, the cart stops, and a new press drives slowly`,
    withCart([WALL], async (zoned) => {
      const command = zoned.jog(300);
      await zoned.harness.run(400);
      await end(zoned);
      while (!command.final) await zoned.harness.run(50);
      assert.deepEqual(codeOf(command), ['FAILED', code]);
      await zoned.harness.run(2000);
      assert.equal(zoned.speed, 0);
      zoned.jog(300);
      await zoned.harness.run(400);
      assert.equal(zoned.speed, 100);
      await zoned.harness.run(2000);
    }),
  );
}

test(
  'a name that a sender on the broker only claims is not driving by hand',
  withCart([{ ...zone(rectangle(-900, -900, 900, 900)), kind: 'MANUAL_ONLY' }], async (zoned) => {
    const claimed: Origin = { ...by(userActor('anna')), source: 'mqtt', claimed: true };
    assert.throws(() => zoned.jog(300, 0, claimed), hasCode('ZONE_MANUAL_ONLY'));
  }),
);

test.run();
