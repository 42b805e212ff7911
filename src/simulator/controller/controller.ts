import type { ResetCause } from '../../carts/index.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { type BoardProgramName, createProgram } from '../boards/programs.js';
import { SimulatedPlan, type Wall } from '../field/plan.js';
import { Chassis, type PhysicsOptions, randomFrom } from '../physics/physics.js';
import { type Snapshot, snapshotOf } from '../snapshot.js';
import type { ControllerContext, ControllerProgram } from './context.js';
import { ControllerFaults, type FaultVerb } from './faults.js';
import { Line } from './line.js';

export type { Snapshot } from '../snapshot.js';

/** Typical time from an Arduino's power-on to its first output. */
const DEFAULT_BOOT_MS = 400;
/** Duration of a simulated press of the reset button; a person holds the button for at least this long. */
const RESET_PRESS_MS = 150;

export interface ControllerOptions {
  clock: Clock;
  dialect: BoardProgramName;
  seed?: number;
  /** Duration of a restart. A new controller is ready immediately. */
  bootMs?: number;
  physics?: Partial<PhysicsOptions>;
  /** Protocol version; the gateway supports only version 1. */
  proto?: number;
  /** True for a controller of version 1.1, with distance sensors. Requires the `cgw1` dialect. */
  protectiveField?: boolean;
}

/** A simulated motor controller and cart with injectable faults; see docs/protocol.md. */
export class SimulatedController {
  readonly #context: ControllerContext;
  readonly #options: ControllerOptions;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #program: BoardProgramName;
  #firmware: ControllerProgram | undefined;
  #powered = true;
  #pressed = false;
  #isResetHeld = false;
  #starts = 0;
  #booting: Cancel = () => undefined;

  constructor(options: ControllerOptions) {
    const random = randomFrom(options.seed ?? 1);
    const faults = new ControllerFaults();
    this.#options = options;
    this.#program = options.dialect;
    this.#context = {
      clock: options.clock,
      random,
      faults,
      chassis: new Chassis(options.physics),
      line: new Line({ clock: options.clock, faults, random }),
      plan: new SimulatedPlan(),
      hasField: options.protectiveField ?? false,
      estopPressed: () => this.#pressed,
      counters: { framesReceived: 0, commandsSeen: 0, motions: 0, contacts: 0 },
      onChange: () => this.#notifyListeners(),
    };
    this.#start('powerOn');
  }

  /** Discards bytes while the controller is off or starting. */
  receive(bytes: Uint8Array): void {
    this.#firmware?.receive(bytes);
  }

  /** Sends a report, like a board that restarts when its port is opened. */
  opened(): void {
    this.#firmware?.report();
  }

  onSend(listener: (bytes: Uint8Array) => void): Cancel {
    return this.#context.line.onSend(listener);
  }

  /** Calls the listener every 100 ms during motion, every 500 ms at rest, and on every change. */
  onReport(listener: (snapshot: Snapshot) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Switching the power off stops the cart immediately; switching it on restarts the controller. */
  power(on: boolean): void {
    if (on === this.#powered) return;
    this.#powered = on;
    this.#stop();
    if (on) this.#boot('powerOn');
    else this.#context.onChange();
  }

  /** Presses the board's reset button, which resets all state except the pose. */
  reset(): void {
    if (!this.#powered) return;
    this.#stop();
    this.#boot('external');
  }

  /** Replaces the program or board and restarts the controller. */
  load(name: BoardProgramName): void {
    if (name === this.#program) return;
    this.#program = name;
    this.reset();
  }

  fault(verb: FaultVerb, on: boolean, argument?: number): void {
    if (verb === 'reset') return on ? this.reset() : undefined;
    this.#context.faults.set(verb, on, argument);
    if (verb === 'noise') this.#context.line.updateNoise();
    // Reports the changed battery voltage or temperature immediately, not with the next periodic status.
    if (verb === 'lowBattery' || verb === 'hot') this.#firmware?.report();
  }

  /** Replaces the walls that the distance sensors detect. */
  setWalls(walls: readonly Wall[]): void {
    this.#context.plan.walls = walls;
    this.#context.onChange();
  }

  /** Replaces the cart's outline; without corners, it is the default. */
  setOutline(corners: readonly { xMm: number; yMm: number }[]): void {
    this.#context.plan.setOutline(corners);
  }

  pressEstop(): void {
    this.#pressed = true;
    this.#firmware?.emergencyStop();
  }

  /** Releases the E-stop button. The latch stays set until it is reset. */
  releaseEstop(): void {
    this.#pressed = false;
    this.#firmware?.report();
  }

  /** Presses or releases the reset button on the cart. A press that was too short has no effect. */
  holdReset(on: boolean): void {
    if (on === this.#isResetHeld) return;
    this.#isResetHeld = on;
    const nowMs = this.#context.clock.now();
    if (on) this.#firmware?.estop.pressReset(nowMs);
    else if (this.#firmware?.estop.releaseReset(nowMs)) this.#firmware.report();
  }

  /** Presses the reset button and releases it after 150 ms. */
  pressReset(): void {
    this.holdReset(true);
    this.#context.clock.after(RESET_PRESS_MS, () => this.holdReset(false));
  }

  snapshot(): Snapshot {
    const board = { powered: this.#powered, pressed: this.#pressed, starts: this.#starts };
    return snapshotOf(this.#context, this.#firmware, board);
  }

  close(): void {
    this.#powered = false;
    this.#stop();
    this.#context.line.close();
  }

  /** Takes no snapshot if there are no listeners, because a thousand controllers may report twice per second. */
  #notifyListeners(): void {
    if (this.#listeners.size === 0) return;
    const snapshot = this.snapshot();
    for (const listener of [...this.#listeners]) listener(snapshot);
  }

  #boot(cause: ResetCause): void {
    this.#context.onChange();
    const bootMs = this.#options.bootMs ?? DEFAULT_BOOT_MS;
    this.#booting = this.#context.clock.after(bootMs, () => this.#start(cause));
  }

  #start(cause: ResetCause): void {
    this.#starts += 1;
    const boot = { count: this.#starts, cause, proto: this.#options.proto ?? 1 };
    this.#firmware = createProgram(this.#program, this.#context, boot);
    this.#firmware.start();
  }

  #stop(): void {
    this.#booting();
    this.#firmware?.kill();
    this.#firmware = undefined;
    this.#context.chassis.odoLeftMm = 0;
    this.#context.chassis.odoRightMm = 0;
    this.#context.line.clear();
  }
}
