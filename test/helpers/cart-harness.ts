import type { Command } from '../../src/carts/command/command.js';
import { CommandDispatcher } from '../../src/carts/command/dispatcher.js';
import type { Origin } from '../../src/carts/command/model.js';
import { Cart, type CartSettings } from '../../src/carts/control/cart.js';
import type { MotionGate, RemoteCarts } from '../../src/carts/control/contracts.js';
import { UNLIMITED } from '../../src/carts/control/live-limits.js';
import type { LatchStore } from '../../src/carts/safety/latch-store.js';
import { type Latch, UNLATCHED } from '../../src/carts/safety/refusals.js';
import { createDriver } from '../../src/carts/serial/drivers/create-driver.js';
import { ControllerLink } from '../../src/carts/serial/link.js';
import { defaultSettings, type Settings } from '../../src/settings/schema/schema.js';
import { gatewayActor, LAN_ACTOR } from '../../src/shared/actor.js';
import type { Log } from '../../src/shared/ports/log.js';
import { SimulatedController } from '../../src/simulator/controller/controller.js';
import { FakeClock } from './fake-clock.js';
import { FakePins } from './fake-pins.js';
import { MemoryLink } from './memory-link.js';

export const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const OPERATOR: Origin = { source: 'http', gatewayId: 'g1', actor: LAN_ACTOR };
export const PEER: Origin = { source: 'mqtt', gatewayId: 'g2', actor: gatewayActor('g2') };

class FakeLatchStore implements LatchStore {
  latch: Latch = UNLATCHED;
  async load(): Promise<Latch> {
    return this.latch;
  }
  async save(latch: Latch): Promise<void> {
    this.latch = latch;
  }
}

export interface CartHarnessOptions {
  clock?: FakeClock;
  cartId?: number;
  remote?: RemoteCarts;
  /** True for a controller that supports CGW1 1.1. */
  protectiveField?: boolean;
}

/** A complete cart on a fake clock: dispatcher, cart, link, CGW1 driver and simulated controller. */
export class CartHarness {
  readonly clock: FakeClock;
  readonly #cartId: number;
  readonly #remote: RemoteCarts | undefined;
  readonly controller: SimulatedController;
  readonly wire: MemoryLink;
  readonly pins = new FakePins();
  readonly latch = new FakeLatchStore();
  readonly log = { ...quietLog };
  settings: Settings;
  settingsInvalidReason = '';
  firmwareBlock = '';
  softwareBlock = '';
  latchUnsavableReason = '';
  gate: MotionGate = openGate();
  name: string;
  link!: ControllerLink;
  cart!: Cart;
  dispatcher!: CommandDispatcher;

  constructor(
    change: (settings: Settings) => void = () => undefined,
    { clock = new FakeClock(), cartId = 1, remote, protectiveField = false }: CartHarnessOptions = {},
  ) {
    this.clock = clock;
    this.#cartId = cartId;
    this.#remote = remote;
    this.name = `Cart ${cartId}`;
    this.settings = structuredClone(defaultSettings());
    change(this.settings);
    const dialect = this.settings.serial.driver;
    this.controller = new SimulatedController({ clock, dialect, protectiveField });
    this.wire = new MemoryLink(this.controller);
    this.build();
  }

  /** Simulates a gateway restart on the same serial line. Only the E-stop latch survives the restart. */
  build(): void {
    const { clock, log, pins, wire } = this;
    const cartId = this.#cartId;
    const remote = this.#remote;
    const settings = (): CartSettings => this.settings;
    const session = () => ({ ...this.settings, cartId });
    this.link = new ControllerLink({ opener: () => wire, createDriver, session, clock, log });
    const latchStore = this.latch;
    const settingsInvalidReason = () => this.settingsInvalidReason;
    const latchUnsavableReason = () => this.latchUnsavableReason;
    const brokerDown = () => false;
    const base = {
      cartId,
      name: () => this.name,
      link: this.link,
      pins,
      latchStore,
      settings,
      settingsInvalidReason,
      firmwareBlock: () => this.firmwareBlock,
      softwareBlock: () => this.softwareBlock,
      latchUnsavableReason,
      brokerDown,
      gate: this.#currentGate(),
    };
    const duplicate = () => remote?.duplicate(cartId);
    this.cart = new Cart({ ...base, duplicate, clock, log });
    const others = remote ? { remote } : {};
    this.dispatcher = new CommandDispatcher({
      cart: this.cart,
      rules: () => this.settings,
      clock,
      log,
      ...others,
    });
  }

  /**
   * Starts a cart, completes the handshake and waits until the E-stop input has been healthy long enough for
   * a reset.
   */
  static async ready(
    change?: (settings: Settings) => void,
    options?: CartHarnessOptions,
  ): Promise<CartHarness> {
    const harness = new CartHarness(change, options);
    await harness.cart.start();
    await harness.run(1500);
    return harness;
  }

  /** Returns a gate that asks the gate which the test has set last. */
  #currentGate(): MotionGate {
    const gate = () => this.gate;
    return {
      check: (motion) => gate().check(motion),
      get slowest() {
        return gate().slowest;
      },
      warnings: () => gate().warnings(),
    };
  }

  /** Advances the clock in steps of 5 ms; promises settle between the steps. */
  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5) {
      this.clock.advance(Math.min(5, left));
      await settle();
    }
  }

  move(distanceID: number, angleID = 0, more: Record<string, unknown> = {}, origin = OPERATOR): Command {
    return this.dispatcher.submit({ cartID: 1, distanceID, angleID, ...more }, origin);
  }

  async close(): Promise<void> {
    const closed = this.cart.close();
    await this.run(3000);
    await closed;
    this.controller.close();
  }
}

/** @returns a gate that permits everything, except for the changes. */
export function openGate(change: Partial<MotionGate> = {}): MotionGate {
  return {
    check: () => ({ refusal: undefined, limits: UNLIMITED }),
    slowest: UNLIMITED,
    warnings: () => [],
    ...change,
  };
}

export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
