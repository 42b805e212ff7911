import type { Command } from '../../src/carts/command/command.js';
import { CommandDispatcher } from '../../src/carts/command/dispatcher.js';
import type { Origin } from '../../src/carts/command/model.js';
import { Cart, type CartSettings } from '../../src/carts/control/cart.js';
import type { RemoteCarts } from '../../src/carts/control/contracts.js';
import type { LatchStore } from '../../src/carts/safety/latch-store.js';
import { type Latch, UNLATCHED } from '../../src/carts/safety/safety.js';
import { Deframer, encodeFrame, type Frame } from '../../src/carts/serial/codec/codec.js';
import { createDriver } from '../../src/carts/serial/drivers/registry.js';
import { ControllerLink } from '../../src/carts/serial/link.js';
import { defaultSettings, type Settings } from '../../src/settings/schema/schema.js';
import { GatewayError } from '../../src/shared/errors.js';
import type { ByteLink, ByteLinkOpener, Log, SafetyPins } from '../../src/shared/ports/ports.js';
import { Signal } from '../../src/shared/signal.js';
import { SimulatedController } from '../../src/simulator/controller/controller.js';
import { FakeClock } from './fake-clock.js';

export const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export const OPERATOR: Origin = { source: 'http', gatewayId: 'g1', principal: 'the operator' };
export const PEER: Origin = { source: 'mqtt', gatewayId: 'g2', principal: 'gateway g2' };

/** A wire in memory: what the gateway writes reaches the device at once, and its answer comes a moment later. */
export class Wire implements ByteLinkOpener {
  readonly path = 'memory';
  readonly simulated = true;
  /** Why the next `open()` fails; empty = it does not. */
  broken = '';
  opened = 0;
  /** How much older a MOVE is when it arrives than when it was sent, ms. */
  agedMs = 0;
  /** Frames of the controller that get lost on the way. */
  lose: Frame['type'] | undefined;
  /** Every frame the gateway wrote, oldest first. */
  readonly sent: Frame[] = [];
  /** Every byte the gateway wrote. */
  readonly bytes: number[] = [];
  #device: { receive(bytes: Uint8Array): void };
  #replace: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  #bytes = new Signal<[Uint8Array]>();
  #close: ((cause?: Error) => void) | undefined;

  constructor(device: SimulatedController) {
    this.#device = device;
    // A real line never answers before the write has returned.
    device.onSend((bytes) => {
      if (!this.#isLost(bytes)) queueMicrotask(() => this.#bytes.emit(this.#replace(bytes)));
    });
  }

  async open(): Promise<ByteLink> {
    if (this.broken) throw new GatewayError('SERIAL_DOWN', this.broken);
    this.opened += 1;
    const deframer = new Deframer((frame) => this.sent.push(frame));
    const closed = new Signal<[cause?: Error]>();
    let isOpen = true;
    const end = (cause?: Error): void => {
      if (!isOpen) return;
      isOpen = false;
      closed.emit(cause);
    };
    this.#close = end;
    return {
      write: (bytes) => {
        if (!isOpen) throw new GatewayError('SERIAL_DOWN', 'the port is closed');
        this.bytes.push(...bytes);
        deframer.push(bytes);
        this.#device.receive(this.#aged(bytes));
      },
      onBytes: (listener) => this.#bytes.on((bytes) => void (isOpen && listener(bytes))),
      onClose: (listener) => closed.on(listener),
      close: async () => end(),
    };
  }

  /** Pulls the plug, and keeps it out until `plug()`. */
  unplug(): void {
    this.broken = 'no device at memory';
    this.#close?.(new Error('disconnected'));
  }

  plug(): void {
    this.broken = '';
  }

  /** From now on the gateway hears what `replace` makes of the controller's words. */
  replace(replace: (bytes: Uint8Array) => Uint8Array): void {
    this.#replace = replace;
  }

  #aged(bytes: Uint8Array): Uint8Array {
    let aged = bytes;
    new Deframer((frame) => {
      if (this.agedMs === 0 || frame.type !== 'MOVE') return;
      aged = encodeFrame({ ...frame, ttlMs: Math.max(0, frame.ttlMs - this.agedMs) });
    }).push(bytes);
    return aged;
  }

  #isLost(bytes: Uint8Array): boolean {
    if (this.lose === undefined) return false;
    let lost = false;
    new Deframer(({ type }) => {
      lost = type === this.lose;
    }).push(bytes);
    return lost;
  }

  /** The frames of one type that the gateway wrote. */
  of(type: Frame['type']): Frame[] {
    return this.sent.filter((frame) => frame.type === type);
  }
}

/** Pins in memory that a test presses, cuts and watches. */
class TestPins implements SafetyPins {
  kind: SafetyPins['kind'] = 'simulated';
  healthy = true;
  fault: Error | undefined;
  /** What the read-back input tells; undefined = there is none. */
  powered: boolean | undefined;
  enable = false;
  /** Every level written to the enable output. */
  readonly levels: boolean[] = [];
  #edge = new Signal();

  readEstopHealthy(): boolean {
    if (this.fault) throw this.fault;
    return this.healthy;
  }
  readonly onEstopEdge = this.#edge.on.bind(this.#edge);
  writeEnable(on: boolean): void {
    this.enable = on;
    this.levels.push(on);
  }
  readPowered(): boolean | undefined {
    return this.powered;
  }
  writeLed(): void {}
  async close(): Promise<void> {}

  press(): void {
    this.healthy = false;
    this.#edge.emit();
  }
  release(): void {
    this.healthy = true;
    this.#edge.emit();
  }
  /** An edge whose level has gone back before anyone could read it. */
  glitch(): void {
    this.#edge.emit();
  }
}

/** A latch whose saves a test can watch and refuse. */
class TestLatch implements LatchStore {
  latch: Latch = UNLATCHED;
  async load(): Promise<Latch> {
    return this.latch;
  }
  async save(latch: Latch): Promise<void> {
    this.latch = latch;
  }
}

export interface RigOptions {
  /** A clock that several carts share. */
  clock?: FakeClock;
  cartId?: number;
  /** The other carts that the dispatcher knows. */
  remote?: RemoteCarts;
}

/** A whole cart on a clock that a test cranks: dispatcher, cart, link, CGW1 driver, simulated controller. */
export class Rig {
  readonly clock: FakeClock;
  readonly #cartId: number;
  readonly #remote: RemoteCarts | undefined;
  readonly controller: SimulatedController;
  readonly wire: Wire;
  readonly pins = new TestPins();
  readonly latch = new TestLatch();
  readonly log = { ...quietLog };
  settings: Settings;
  blocked = '';
  unkept = '';
  name: string;
  link!: ControllerLink;
  cart!: Cart;
  dispatcher!: CommandDispatcher;

  constructor(
    change: (settings: Settings) => void = () => undefined,
    { clock = new FakeClock(), cartId = 1, remote }: RigOptions = {},
  ) {
    this.clock = clock;
    this.#cartId = cartId;
    this.#remote = remote;
    this.name = `Cart ${cartId}`;
    this.settings = structuredClone(defaultSettings());
    change(this.settings);
    this.controller = new SimulatedController({ clock: this.clock, dialect: this.settings.serial.driver });
    this.wire = new Wire(this.controller);
    this.build();
  }

  /** Another gateway process on the same wire: nothing but the latch is remembered. */
  build(): void {
    const { clock, log, pins, wire } = this;
    const cartId = this.#cartId;
    const remote = this.#remote;
    const settings = (): CartSettings => this.settings;
    const session = () => ({ ...this.settings, cartId });
    this.link = new ControllerLink({ opener: () => wire, createDriver, session, clock, log });
    const latchStore = this.latch;
    const blocked = () => this.blocked;
    const unkept = () => this.unkept;
    const brokerDown = () => false;
    const base = {
      cartId,
      name: () => this.name,
      link: this.link,
      pins,
      latchStore,
      settings,
      blocked,
      unkept,
      brokerDown,
    };
    this.cart = new Cart({ ...base, clock, log });
    const others = remote ? { remote } : {};
    this.dispatcher = new CommandDispatcher({
      cart: this.cart,
      rules: () => this.settings,
      clock,
      log,
      ...others,
    });
  }

  /** Started and shaken hands; the E-stop input has been healthy for longer than a reset wants. */
  static async ready(change?: (settings: Settings) => void): Promise<Rig> {
    const rig = new Rig(change);
    await rig.cart.start();
    await rig.run(1500);
    return rig;
  }

  /** Cranks the clock in small steps, letting promises settle between them. */
  async run(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5) {
      this.clock.advance(Math.min(5, left));
      await settle();
    }
  }

  /** Submits a command for cart 1. */
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

/** Lets everything that is already resolved run to its end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
