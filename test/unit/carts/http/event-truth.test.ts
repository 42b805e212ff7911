import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite } from 'uvu';
import { ActiveDrivers } from '../../../../src/carts/command/active-drivers.js';
import type { CartView } from '../../../../src/carts/command/model.js';
import { RemoteCartRegistry } from '../../../../src/carts/fleet/remote-carts.js';
import { type EventDeps, EventFeed } from '../../../../src/carts/http/events.js';
import { MqttAgent } from '../../../../src/carts/mqtt/agent.js';
import { Signal } from '../../../../src/shared/signal.js';
import { FAULT_VERBS } from '../../../../src/simulator/controller/faults.js';
import { CartHarness, OPERATOR, quietLog, settle } from '../../../helpers/cart-harness.js';
import { EventReader } from '../../../helpers/event-reader.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { MemoryBroker } from '../../../helpers/memory-bus.js';
import { rounds, testSeed } from '../../../helpers/random.js';
import { identityOf, LIMITS } from '../mqtt/test-fleet.js';

/** Tests that a cart's latest event equals the response to `GET /carts/:id`. */
const test = suite('GET /events compared with GET /carts/:cartID');

const RUNS = rounds(100, 1000);
const BEHIND_MS = 500;
/** Maximum delay in reporting a fault or rejection: one control-loop cycle plus event batching. */
const URGENT_MS = 100;
const STEP_MS = 10;

/** Returns a view without its constantly increasing values (ages and frame counters). */
function lasting({ ageMs: _age, link, ...view }: CartView): object {
  if (!link) return view;
  const { counters: _counters, ...rest } = link;
  return { ...view, link: rest };
}

const urgent = ({ online, safety, faults }: CartView): object => [
  online,
  safety.mayMove,
  safety.code,
  safety.emergencyStop,
  faults.length,
];

const COMPARISONS = {
  'all of it': { mostMs: BEHIND_MS, part: lasting },
  'whether it may move': { mostMs: URGENT_MS, part: urgent },
};

/** A gateway with its own cart, a remote cart and an open page. All timers run on the fake clock. */
class Fixture {
  readonly clock = new FakeClock();
  readonly own: CartHarness;
  readonly other: CartHarness;
  readonly #settings = new Signal();
  readonly bus;
  readonly #reader = new EventReader();
  readonly #feed: EventFeed;
  readonly #shown = new Map<number, CartView>();
  /** For each comparison, the last time at which each value was current. */
  readonly #currentAt = new Map<string, Map<string, number>>();
  #names = [{ cartID: 2, name: 'Cart 2' }];
  eventCount = 0;

  private constructor() {
    const { clock } = this;
    const broker = new MemoryBroker();
    this.bus = broker.client();
    const shared = { clock, log: quietLog };
    const remote = new RemoteCartRegistry({
      ...shared,
      bus: this.bus,
      identity: identityOf(1),
      known: () => this.#names,
      allowUnknown: () => false,
    });
    this.own = new CartHarness(undefined, { clock, remote });
    this.other = new CartHarness(undefined, { clock, cartId: 2 });
    const agents = [this.own, this.other].map(
      ({ dispatcher }, at) =>
        new MqttAgent({
          ...shared,
          dispatcher,
          identity: identityOf(at + 1),
          bus: at === 0 ? this.bus : broker.client(),
          factsheet: () => ({}),
          rules: () => ({ limits: LIMITS, kinematics: this.own.settings.kinematics }),
        }),
    );
    remote.start();
    for (const agent of agents) agent.start();
    const never = () => () => undefined;
    const { dispatcher } = this.own;
    const near = dispatcher.near.bind(dispatcher);
    dispatcher.near = () => {
      const views = near();
      for (const view of views) this.#note(view);
      return views;
    };
    this.#feed = new EventFeed({
      dispatcher,
      drivers: new ActiveDrivers(dispatcher),
      layout: () => ({ gateway: {}, links: {}, carts: dispatcher.near() }),
      beaconReports: { positions: () => [], onPosition: never },
      onLinks: never,
      onTrial: never,
      meaning: () => '',
      mayStay: () => true,
      mayReadSettings: () => true,
      clock,
      stopToken: () => undefined,
      firmware: { onChange: never, progress: () => null },
      zoneGate: { onOverride: never },
      sitePlan: { onChange: never },
      onSettings: (listener: () => void) => this.#settings.on(listener),
    } as unknown as EventDeps);
  }

  static async open(): Promise<Fixture> {
    const fixture = new Fixture();
    await Promise.all([fixture.own.cart.start(), fixture.other.cart.start()]);
    fixture.#reader.join(fixture.#feed);
    await fixture.run(300);
    return fixture;
  }

  rename(cartID: number, name: string): void {
    if (cartID === 1) this.own.name = name;
    else this.#names = [{ cartID, name }];
    this.#settings.emit();
  }

  harness(cartID: number): CartHarness {
    return cartID === 1 ? this.own : this.other;
  }

  /** Stalls the process; the stall does not count towards the limits. */
  stall(ms: number): void {
    this.clock.stall(ms);
    for (const times of this.#currentAt.values()) for (const [value, at] of times) times.set(value, at + ms);
  }

  /** Advances the clock. Throws if the page shows outdated data for too long. */
  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.clock.advance(STEP_MS);
      await settle();
      this.#follow();
      for (const cartID of [1, 2]) this.#compare(cartID);
    }
  }

  #follow(): void {
    for (const { name, data } of this.#reader.events.splice(0)) {
      if (name === 'cart') this.eventCount += 1;
      const carts = name === 'cart' ? [data.cart] : name === 'snapshot' ? data.carts : [];
      for (const cart of carts as CartView[]) this.#shown.set(cart.cartID, cart);
    }
  }

  #compare(cartID: number): void {
    const fresh: CartView = JSON.parse(JSON.stringify(this.own.dispatcher.cartView(cartID)));
    this.#note(fresh);
    const shown = this.#shown.get(cartID);
    assert.ok(shown, `cart ${cartID} is shown`);
    for (const [what, { mostMs, part }] of Object.entries(COMPARISONS)) {
      const name = `cart ${cartID}, ${what}`;
      const at: number | undefined = this.#currentAt.get(name)?.get(JSON.stringify(part(shown)));
      const behindMs: number = this.clock.now() - (at ?? Number.NEGATIVE_INFINITY);
      if (behindMs > mostMs) assert.deepEqual(part(shown), part(fresh), `${name}: behind for ${behindMs} ms`);
    }
  }

  /** Records that this view is current now. */
  #note(view: CartView): void {
    for (const [what, { part }] of Object.entries(COMPARISONS)) {
      const name = `cart ${view.cartID}, ${what}`;
      const times = this.#currentAt.get(name) ?? new Map<string, number>();
      this.#currentAt.set(name, times.set(JSON.stringify(part(view)), this.clock.now()));
    }
  }
}

type Act = (fixture: Fixture, harness: CartHarness) => unknown;

const simulator: Record<string, Act> = Object.fromEntries(
  FAULT_VERBS.flatMap((verb) =>
    [true, false].map((on) => [
      `${verb} ${on}`,
      (_site: Fixture, { controller }: CartHarness) => controller.fault(verb, on),
    ]),
  ),
);

const ACTS: Record<string, Act> = {
  ...simulator,
  'a flat battery': (_site, { controller }) => controller.fault('lowBattery', true, 19_000),
  'a burning motor': (_site, { controller }) => controller.fault('hot', true, 115),
  'button pressed': (_site, { pins }) => pins.press(),
  'button released': (_site, { pins }) => pins.release(),
  'input broken': (_site, { pins }) => {
    pins.fault = new Error('no such chip');
  },
  'input repaired': (_site, { pins }) => {
    pins.fault = undefined;
  },
  'motor power read wrongly': (_site, { pins }) => {
    pins.powered = true;
  },
  'motor power not read': (_site, { pins }) => {
    pins.powered = undefined;
  },
  'controller button pressed': (_site, { controller }) => controller.pressEstop(),
  'controller button released': (_site, { controller }) => controller.releaseEstop(),
  'reset button on the cart': (_site, { controller }) => controller.pressReset(),
  'plug pulled': (_site, { wire }) => wire.unplug(),
  'plug put back': (_site, { wire }) => wire.plug(),
  'supply off': (_site, { controller }) => controller.power(false),
  'supply on': (_site, { controller }) => controller.power(true),
  'E-stop on a page': (_site, { dispatcher }) => dispatcher.stopOwn('estop', OPERATOR),
  'reset on a page': (_site, { dispatcher }) => dispatcher.resetOwn(OPERATOR).catch(() => undefined),
  stop: (_site, { dispatcher }) => dispatcher.stopOwn('stop', OPERATOR),
  move: (_site, harness) => {
    try {
      harness.dispatcher.submit({ cartID: harness.cart.cartId, distanceID: 300, angleID: 20 }, OPERATOR);
    } catch {
      // The error is ignored, because motion may currently be blocked.
    }
  },
  'control given up': (_site, { dispatcher }) => dispatcher.lease.release(OPERATOR.actor),
  'settings not valid': (_site, harness) => {
    harness.settingsInvalidReason = 'the settings are not valid';
  },
  'settings valid': (_site, harness) => {
    harness.settingsInvalidReason = '';
  },
  'disk full': (_site, harness) => {
    harness.latchUnsavableReason = 'the disk is full';
  },
  'disk not full': (_site, harness) => {
    harness.latchUnsavableReason = '';
  },
  'a stricter limit': (_site, { settings }) => {
    settings.limits.maxMotorC = 15;
  },
  'the usual limit': (_site, { settings }) => {
    settings.limits.maxMotorC = 80;
  },
  renamed: (fixture, { cart }) =>
    fixture.rename(cart.cartId, `Cart ${cart.cartId} ${fixture.clock.now() % 7}`),
  'loop late': (fixture) => fixture.stall(400),
  'broker lost': (fixture) => fixture.bus.setOutage('the connection was refused'),
  'broker back': (fixture) => fixture.bus.setOutage(''),
};

const step = fc.record({
  cartID: fc.constantFrom(1, 2),
  act: fc.constantFrom(...Object.keys(ACTS)),
  ms: fc.constantFrom(20, 120, 600, 1300),
});

/** A view that was current earlier is current again for less than one step. */
const CURRENT_TWICE = [
  { cartID: 1, act: 'noise false', ms: 600 },
  { cartID: 1, act: 'loop late', ms: 600 },
  { cartID: 2, act: 'mute true', ms: 600 },
  { cartID: 1, act: 'loop late', ms: 20 },
  { cartID: 1, act: 'mute true', ms: 20 },
];

test(`each cart's last event matches the response to a new GET within ${BEHIND_MS} ms after any sequence of faults`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const fixture = await Fixture.open();
      for (const { cartID, act, ms } of steps) {
        // Not awaited, because a reset completes only after the clock has advanced.
        void ACTS[act]?.(fixture, fixture.harness(cartID));
        await fixture.run(ms);
      }
      await fixture.run(BEHIND_MS + STEP_MS);
    }),
    { numRuns: RUNS, seed: testSeed(), examples: [[CURRENT_TWICE]] },
  );
});

test("publishes a stationary cart's state at most three times a second while its voltage fluctuates", async () => {
  const fixture = await Fixture.open();
  fixture.eventCount = 0;
  for (let report = 0; report < 100; report += 1) {
    for (const { controller } of [fixture.own, fixture.other])
      controller.fault('lowBattery', true, 24_000 + (report % 7));
    await fixture.run(100);
  }
  // Each of the two carts may cause three events a second for 10 s.
  assert.ok(fixture.eventCount <= 60, `${fixture.eventCount} events`);
});

test.run();
