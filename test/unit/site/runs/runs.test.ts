import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { cartSender } from '../../../../src/app/composition/approach.js';
import { runCart } from '../../../../src/app/composition/runs.js';
import { ManualDrive } from '../../../../src/carts/manual-drive/manual-drive.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { PlanPose } from '../../../../src/shared/ports/navigation/plan-pose.js';
import type { ReviewReason } from '../../../../src/site/plan-data/schema.js';
import { type CheckRules, checkRoute } from '../../../../src/site/routes/check.js';
import type { Leg, Route, RouteAction } from '../../../../src/site/routes/route.js';
import type { RunView } from '../../../../src/site/runs/run-view.js';
import { Runs } from '../../../../src/site/runs/runs.js';
import { CartHarness, openGate, quietLog } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';
import { rectangle, siteOf, zone } from '../zones/drives.js';

const test = suite('runs of routes by a cart');

const ANNA = userActor('anna');
const BO = userActor('bo');
const START: Leg = { xMm: 0, yMm: 0, headingDeg: 0 };
const LEGS: readonly Leg[] = [START, { xMm: 1500, yMm: 0 }, { xMm: 1500, yMm: 600 }];
const CERTAIN = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 0.01],
];

/** Stores in memory; a write takes effect when it is resolved. */
class Journal {
  readonly saved: RunView[] = [];
  error: Error | undefined;
  isSlow = false;
  readonly #waiting: (() => void)[] = [];

  load(): RunView[] {
    const newest = new Map<string, RunView>();
    for (const view of this.saved) newest.set(view.runId, structuredClone(view));
    return [...newest.values()].reverse();
  }

  async save(view: RunView): Promise<void> {
    if (this.isSlow) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.error) throw this.error;
    this.saved.push(view);
  }

  finish(): void {
    this.isSlow = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

class Site {
  readonly journal: Journal;
  readonly published: RunView[] = [];
  readonly acted: RouteAction[] = [];
  isWarning = false;
  reviewReason: ReviewReason | null = null;
  pose: Partial<PlanPose> | undefined = {};
  actions: (action: RouteAction, signal: AbortSignal) => Promise<void> = async () => undefined;
  route: Route;
  checkRules: Pick<CheckRules, 'site'> = { site: undefined };
  runs!: Runs;
  readonly drive: ManualDrive;
  readonly harness: CartHarness;
  readonly #sessions = new Map<string, ReturnType<ManualDrive['join']>>();
  #lease = 0;
  #n = 0;
  #seq = 0;

  constructor(harness: CartHarness, legs: readonly Leg[], journal = new Journal()) {
    this.harness = harness;
    this.journal = journal;
    this.route = { id: 'round', name: 'Round', legs };
    this.drive = new ManualDrive({
      cart: harness.cart,
      gatewayId: 'g1',
      dispatcher: harness.dispatcher,
      rules: () => harness.settings,
      clock: harness.clock,
      log: quietLog,
    });
    this.open();
  }

  static async open(legs: readonly Leg[] = LEGS): Promise<Site> {
    const site = new Site(await CartHarness.ready(), legs);
    await settled();
    return site;
  }

  /** Also simulates the next start of the gateway. */
  open(): void {
    const { cart, clock, dispatcher, link, settings } = this.harness;
    const ownIds = new Set<string>();
    this.runs = new Runs({
      cart: runCart({ cart, dispatcher }, this.drive, {
        ownIds,
        isDocking: () => false,
        startRefusal: () => undefined,
      }),
      senderOf: (holder) =>
        cartSender({ cart, dispatcher, link }, { ...holder, settings: () => settings, ownIds }),
      maxSpeedMmps: () => settings.limits.maxSpeedMmps,
      location: () => this.#location(),
      sitePlan: this,
      check: (route) =>
        checkRoute(route, { ...this.checkRules, covariance: CERTAIN, limits: settings.limits }),
      act: (action, _sender, signal) => {
        this.acted.push(action);
        return this.actions(action, signal);
      },
      warn: (isOn) => {
        this.isWarning = isOn;
      },
      journal: this.journal,
      clock,
      log: quietLog,
    });
    this.runs.onChange((view) => this.published.push(view));
    this.drive.serve(this.runs);
  }

  get current() {
    return { routes: [this.route], reviewReason: this.reviewReason };
  }

  #location(): PlanPose | undefined {
    const { cart, clock } = this.harness;
    if (!cart.pose || !this.pose) return undefined;
    return {
      ...cart.pose,
      covariance: CERTAIN,
      ellipse: { semiMajorMm: 3, semiMinorMm: 3, angleDeg: 0, probability: 0.95 },
      state: 'GOOD',
      ageMs: { odometry: clock.now() - cart.link.lastReportMs, markers: 0, beacons: null },
      ...this.pose,
    };
  }

  start(more: Partial<Parameters<Runs['start']>[0]> = {}): Promise<RunView> {
    return this.runs.start({ routeId: 'round', cartID: 1, ...more }, ANNA);
  }

  /** Takes control, if necessary, and holds the run's control for this time. */
  async hold({ runId }: RunView, ms: number, who = ANNA): Promise<void> {
    const session = this.#session(who);
    for (let heldMs = 0; heldMs < ms; heldMs += 100) {
      this.#seq += 1;
      session.receive({ say: 'hold', lease: this.#lease, seq: this.#seq, runId, heard: this.#n });
      await this.pass(100);
    }
  }

  #session(who: typeof ANNA) {
    const known = this.#sessions.get(who.id);
    if (known) return known;
    const session = this.drive.join({
      actor: who,
      mayDrive: true,
      mayStay: () => true,
      send: ({ n, lease }) => {
        if (lease > 0) [this.#lease, this.#n] = [lease, n];
      },
    });
    this.#sessions.set(who.id, session);
    session.receive({ say: 'take' });
    return session;
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      await this.harness.run(50);
      await settled();
    }
  }

  async untilEnd(run: RunView): Promise<RunView> {
    for (let n = 0; n < 600 && this.runs.open; n++) await this.hold(run, 100);
    return this.runs.require(run.runId);
  }

  async untilActed(run: RunView, count: number): Promise<void> {
    for (let n = 0; n < 200 && this.acted.length < count; n++) await this.hold(run, 100);
    assert.equal(this.acted.length, count);
  }

  get speed(): number {
    return this.harness.controller.snapshot().speed;
  }
  get motions(): number {
    return this.harness.controller.snapshot().motions;
  }

  async close(): Promise<void> {
    await this.runs.close();
    this.drive.close();
    await this.harness.close();
  }
}

/** Lets promises of writes and their effects continue. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

function withSite(run: (site: Site) => Promise<void>, legs?: readonly Leg[]): () => Promise<void> {
  return async () => {
    const site = await Site.open(legs);
    await run(site);
    await site.close();
  };
}

const outcome = ({ state, reason }: RunView) => [state, reason?.code];

test(
  'drives the route while the control is held, and completes once',
  withSite(async (site) => {
    const run = await site.start();
    assert.deepEqual([run.state, run.legs, run.lengthMm], ['READY', 3, 2100]);
    await site.hold(run, 1900);
    assert.deepEqual([site.isWarning, site.motions], [true, 0]);
    const ended = await site.untilEnd(run);
    assert.deepEqual([...outcome(ended), ended.progressMm], ['COMPLETED', undefined, 2100]);
    const { x, y } = site.harness.controller.snapshot();
    assert.ok(Math.hypot(x - 1500, y - 600) < 30, `${x} ${y}`);
    assert.equal(site.isWarning, false);
    assert.deepEqual(textOf(ended.holder ?? ''), 'anna');
    const { motions } = site;
    await site.hold(run, 3000);
    assert.equal(site.motions, motions);
  }),
);

test(
  'stops within 0.5 s plus braking when the page is silent, and does not continue by itself',
  withSite(async (site) => {
    const run = await site.start();
    await site.hold(run, 4000);
    assert.ok(site.speed > 100);
    await site.pass(1100);
    assert.equal(site.speed, 0);
    assert.deepEqual(outcome(site.runs.require(run.runId)), ['PAUSED', 'HOLD_RELEASED']);
    const { motions } = site;
    await site.pass(3000);
    assert.equal(site.motions, motions);
    assert.equal((await site.untilEnd(run)).state, 'COMPLETED');
  }),
);

test(
  'fails after 10 s without a hold',
  withSite(async (site) => {
    const run = await site.start();
    await site.hold(run, 4000);
    await site.pass(11_000);
    assert.deepEqual(outcome(site.runs.require(run.runId)), ['FAILED', 'HOLD_LOST']);
  }),
);

for (const [title, code, interrupt] of [
  ['an emergency stop', 'ESTOP_ACTIVE', ({ harness }) => harness.dispatcher.stop(null, 'estop', origin(BO))],
  ['a stop', 'STOPPED', ({ harness }) => harness.dispatcher.stop(null, 'stop', origin(BO))],
  ['a broken serial line', 'SERIAL_DOWN', ({ harness }) => harness.wire.unplug()],
  [
    'another command',
    'SUPERSEDED',
    ({ harness }) => harness.move(100, 0, { onBusy: 'replace' }, origin(ANNA)),
  ],
  [
    'a zone that is drawn in front of the cart',
    'ZONE_BLOCKED',
    ({ harness }) => {
      harness.gate = openGate({ check: () => ({ refusal: { code: 'ZONE_BLOCKED', text: 'stairs' } }) });
    },
  ],
  [
    'a lost position',
    'POSE_LOST',
    (site) => {
      site.pose = { state: 'LOST' };
    },
  ],
  [
    'an unknown position',
    'POSE_LOST',
    (site) => {
      site.pose = undefined;
    },
  ],
  [
    'a cart beside the route',
    'OFF_ROUTE',
    (site) => {
      site.pose = { yMm: 160 };
    },
  ],
] as [string, string, (site: Site) => unknown][]) {
  test(
    `${title} ends a run, which never continues`,
    withSite(async (site) => {
      const run = await site.start();
      await site.hold(run, 4000);
      assert.ok(site.speed > 100);
      await interrupt(site);
      await site.hold(run, 300);
      assert.deepEqual(outcome(site.runs.require(run.runId)), ['FAILED', code]);
      assert.equal(site.isWarning, false);
      const { motions } = site;
      await site.hold(run, 5000);
      if (code !== 'SUPERSEDED') assert.deepEqual([site.speed, site.motions], [0, motions]);
      assert.equal(site.published.filter(({ state }) => state === 'FAILED').length, 1);
    }),
  );
}

test(
  'another operator who takes control ends the run',
  withSite(async (site) => {
    const run = await site.start();
    await site.hold(run, 4000);
    await site.pass(6000);
    await site.hold(run, 300, BO);
    assert.deepEqual(outcome(site.runs.require(run.runId)), ['FAILED', 'HANDED_OVER']);
    assert.match(textOf(site.runs.require(run.runId).reason?.text ?? ''), /^bo /);
  }),
);

test(
  'a run can be paused, resumed and cancelled, and names the operator',
  withSite(async (site) => {
    const run = await site.start();
    await site.hold(run, 4000);
    const paused = await site.runs.pause(run.runId, BO);
    assert.deepEqual(
      [...outcome(paused), textOf(paused.reason?.text ?? '')],
      ['PAUSED', 'PAUSED', 'paused by bo'],
    );
    await site.hold(run, 2000);
    assert.equal(site.speed, 0);
    await site.runs.resume(run.runId);
    await site.hold(run, 3000);
    assert.ok(site.speed > 0);
    const cancelled = await site.runs.cancel(run.runId, BO);
    assert.deepEqual(
      [cancelled.state, textOf(cancelled.reason?.text ?? '')],
      ['CANCELLED', 'cancelled by bo'],
    );
    await site.pass(2000);
    assert.equal(site.speed, 0);
    for (const act of [
      site.runs.pause(run.runId, BO),
      site.runs.resume(run.runId),
      site.runs.cancel(run.runId, BO),
    ])
      await assert.rejects(act, hasCode('CONFLICT'));
    await assert.rejects(site.runs.cancel('other', BO), hasCode('NOT_FOUND'));
  }),
);

test(
  'a run is durable before it is published and before the cart moves',
  withSite(async (site) => {
    site.journal.isSlow = true;
    const started = site.start();
    await settled();
    assert.deepEqual([site.runs.list, site.published], [[], []]);
    site.journal.finish();
    const run = await started;
    site.journal.isSlow = true;
    await site.hold(run, 4000);
    assert.deepEqual([site.motions, site.runs.require(run.runId).state], [0, 'READY']);
    site.journal.finish();
    await site.hold(run, 400);
    assert.equal(site.runs.require(run.runId).state, 'RUNNING');
    assert.equal(site.motions, 1);
  }),
);

test(
  'a run that cannot be stored does not begin, and one that can no longer be stored ends',
  withSite(async (site) => {
    site.journal.error = new Error('disk full');
    await assert.rejects(site.start(), /disk full/);
    assert.equal(site.runs.open, undefined);
    site.journal.error = undefined;
    const run = await site.start();
    await site.hold(run, 4000);
    site.journal.error = new Error('disk full');
    await site.pass(1500);
    assert.deepEqual([site.speed, ...outcome(site.runs.require(run.runId))], [0, 'FAILED', 'WRITE_FAILED']);
  }),
);

test(
  'after a restart, an open run has failed and nothing moves',
  withSite(async (site) => {
    const run = await site.start();
    await site.hold(run, 4000);
    const { journal } = site;
    site.open();
    await site.pass(3000);
    const view = site.runs.require(run.runId);
    assert.deepEqual(outcome(view), ['FAILED', 'GATEWAY_RESTART']);
    assert.deepEqual(outcome(journal.saved.at(-1) ?? view), ['FAILED', 'GATEWAY_RESTART']);
    assert.equal(site.runs.open, undefined);
  }),
);

test(
  'is refused unless the cart is at the start, with both numbers',
  withSite(async (site) => {
    site.pose = { xMm: 480, yMm: 200 };
    await assert.rejects(
      site.start(),
      /520 mm and 0 degrees from the start; the maximum is 500 mm and 30 degrees/,
    );
    site.pose = { headingDeg: 31 };
    await assert.rejects(site.start(), hasCode('OFF_ROUTE'));
    site.pose = { state: 'LOST' };
    await assert.rejects(site.start(), hasCode('POSE_LOST'));
    site.pose = { xMm: 1450, yMm: 100, headingDeg: 80 };
    await assert.rejects(site.start({ fromLeg: 1 }), hasCode('OFF_ROUTE'));
    assert.equal((await site.start({ fromLeg: 2 })).state, 'READY');
  }),
);

test(
  'only one run can be open, with this cart, a known route and an existing leg',
  withSite(async (site) => {
    await assert.rejects(site.start({ routeId: 'other' }), hasCode('NOT_FOUND'));
    site.reviewReason = 'FLOOR_PLAN';
    await assert.rejects(site.start(), hasCode('CONFLICT'));
    site.reviewReason = null;
    await assert.rejects(site.start({ cartID: 2 }), hasCode('INVALID_INPUT'));
    await assert.rejects(site.start({ fromLeg: 3 }), /the last leg is 2/);
    await assert.rejects(site.start({ loops: 2 }), /ends 1616 mm from its start/);
    site.route = { ...site.route, cartID: 2 };
    await assert.rejects(site.start(), hasCode('CONFLICT'));
    site.route = { ...site.route, cartID: 1 };
    const run = await site.start();
    await assert.rejects(site.start(), hasCode('ROUTE_BUSY'));
    await site.runs.cancel(run.runId, ANNA);
    assert.equal((await site.start()).state, 'READY');
    assert.equal(site.runs.list.length, 2);
  }),
);

test(
  'a zone in the way forbids a run, unless the run begins behind it',
  withSite(
    async (site) => {
      const wall = zone(rectangle(1000, -900, 1100, 900), { id: 'wall' });
      site.checkRules = { site: siteOf([wall]) };
      await assert.rejects(site.start(), (error) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.code, error.info.zoneId], ['ZONE_BLOCKED', 'wall']);
        return true;
      });
      site.pose = { xMm: 3000, headingDeg: 90 };
      await assert.rejects(site.start({ fromLeg: 2, loops: 2 }), hasCode('ZONE_BLOCKED'));
      assert.equal((await site.start({ fromLeg: 2 })).state, 'READY');
    },
    [START, { xMm: 3000, yMm: 0 }, { xMm: 3000, yMm: 2000 }, { xMm: 0, yMm: 2000 }, { xMm: 0, yMm: 300 }],
  ),
);

test(
  'a cart that must not move starts no run',
  withSite(async (site) => {
    await site.harness.dispatcher.stop(null, 'estop', origin(BO));
    await assert.rejects(site.start(), hasCode('ESTOP_ACTIVE'));
  }),
);

const PHOTO: Leg = { xMm: 600, yMm: 0, action: { kind: 'PHOTO' } };
const DOCK: Leg = { xMm: 600, yMm: 0, action: { kind: 'DOCK', markerId: 12 } };

test(
  'performs actions, and a failed action ends the run',
  withSite(
    async (site) => {
      const run = await site.start();
      assert.equal((await site.untilEnd(run)).state, 'COMPLETED');
      assert.deepEqual(site.acted, [{ kind: 'PHOTO' }]);
      site.actions = async () => {
        throw new Error('no camera');
      };
      const second = await site.start({ fromLeg: 1 }).catch(() => undefined);
      assert.equal(second, undefined);
    },
    [START, PHOTO],
  ),
);

test(
  'a released control ends docking, which begins again',
  withSite(
    async (site) => {
      let aborted = 0;
      let finish = (): void => undefined;
      site.actions = (_action, signal) =>
        new Promise((resolve) => {
          finish = resolve;
          signal.addEventListener('abort', () => {
            aborted += 1;
            resolve();
          });
        });
      const run = await site.start();
      await site.untilActed(run, 1);
      await site.pass(500);
      assert.deepEqual([aborted, ...outcome(site.runs.require(run.runId))], [1, 'PAUSED', 'HOLD_RELEASED']);
      await site.untilActed(run, 2);
      finish();
      await site.hold(run, 100);
      assert.equal(site.runs.require(run.runId).state, 'COMPLETED');
    },
    [START, DOCK],
  ),
);

test(
  'the late end of an action does not end the docking that follows',
  withSite(
    async (site) => {
      const ends: (() => void)[] = [];
      let aborted = 0;
      site.actions = (_action, signal) =>
        new Promise((resolve) => {
          ends.push(resolve);
          signal.addEventListener('abort', () => {
            aborted += 1;
            resolve();
          });
        });
      const run = await site.start();
      await site.untilActed(run, 1);
      await site.runs.pause(run.runId, BO);
      await site.runs.resume(run.runId);
      await site.untilActed(run, 2);
      ends[0]?.();
      await site.hold(run, 300);
      assert.equal(site.runs.require(run.runId).state, 'RUNNING');
      await site.pass(500);
      assert.equal(aborted, 1);
    },
    [START, PHOTO, { xMm: 900, yMm: 0, action: { kind: 'DOCK', markerId: 12 } }],
  ),
);

test(
  'a hold for another run stops the cart',
  withSite(async (site) => {
    const first = await site.start();
    await site.runs.cancel(first.runId, ANNA);
    const run = await site.start();
    await site.hold(run, 4000);
    assert.ok(site.speed > 100);
    await site.hold(first, 100);
    await site.pass(1000);
    assert.deepEqual([site.speed, ...outcome(site.runs.require(run.runId))], [0, 'PAUSED', 'HOLD_RELEASED']);
  }),
);

test(
  'a cart that has been moved since the run was prepared does not drive to the start',
  withSite(async (site) => {
    const run = await site.start();
    site.pose = { xMm: -2000 };
    await site.hold(run, 3000);
    assert.deepEqual([site.motions, ...outcome(site.runs.require(run.runId))], [0, 'FAILED', 'OFF_ROUTE']);
    assert.match(
      textOf(site.runs.require(run.runId).reason?.text ?? ''),
      /2000 mm and 0 degrees from the start/,
    );
  }),
);

test(
  'a plan that needs a review since the run was prepared ends it',
  withSite(async (site) => {
    const run = await site.start();
    site.reviewReason = 'FLOOR_PLAN';
    await site.hold(run, 3000);
    assert.deepEqual([site.motions, ...outcome(site.runs.require(run.runId))], [0, 'FAILED', 'CONFLICT']);
  }),
);

test(
  'a cart that is away from the first point does not move before the run is durable, and the warning is on',
  withSite(async (site) => {
    const run = await site.start();
    site.pose = { xMm: -300 };
    site.journal.isSlow = true;
    await site.hold(run, 4000);
    assert.deepEqual([site.motions, site.isWarning], [0, true]);
    site.journal.finish();
    await site.hold(run, 300);
    assert.equal(site.motions, 1);
  }),
);

test(
  'a pause before the start is stored, and a run that is paused already keeps its reason',
  withSite(async (site) => {
    const run = await site.start();
    assert.deepEqual(outcome(await site.runs.pause(run.runId, BO)), ['PAUSED', 'PAUSED']);
    assert.deepEqual(outcome(site.journal.saved.at(-1) ?? run), ['PAUSED', 'PAUSED']);
    await site.hold(run, 3000);
    assert.equal(site.motions, 0);
    const again = await site.runs.pause(run.runId, ANNA);
    assert.equal(textOf(again.reason?.text ?? ''), 'paused by bo');
  }),
);

test(
  'the ticks of a run continue when an earlier run could not be stored',
  withSite(async (site) => {
    site.journal.isSlow = true;
    const lost = site.start().catch(() => undefined);
    await settled();
    await site.harness.dispatcher.stop(null, 'stop', origin(BO));
    const error = new Error('disk full');
    site.journal.error = error;
    site.journal.finish();
    await lost;
    site.journal.error = undefined;
    const run = await site.start();
    await site.pass(15 * 60_000 + 100);
    assert.deepEqual(outcome(site.runs.require(run.runId)), ['FAILED', 'TIMEOUT']);
  }),
);

function origin(actor: typeof ANNA) {
  return { source: 'http', gatewayId: 'g1', actor } as const;
}

test.run();
