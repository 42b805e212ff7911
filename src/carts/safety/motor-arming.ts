import { Durations } from '../../shared/metric.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { MotorDriver } from '../serial/driver.js';
import type { MotorEnable } from './motor-enable.js';

/** A category 1 stop switches the motors off when the cart is stationary or this time has elapsed. */
const HALT_OFF_MS = 1500;
/** Bucket bounds for heartbeat intervals (nominally 0.1 s; after 0.5 s, the controller stops the cart). */
const GAPS_S = [0.06, 0.11, 0.12, 0.13, 0.14, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5];

interface MotorArmingDeps {
  power: MotorEnable;
  driver: () => MotorDriver | undefined;
  latched: () => boolean;
  broken: (error: unknown) => void;
  clock: Clock;
}

/** Arms and disarms the motors through both the enable output and the controller. */
export class MotorArming {
  #deps: MotorArmingDeps;
  #lastHeartbeatMs = Number.NEGATIVE_INFINITY;
  #halt: Cancel | undefined;
  readonly heartbeatGaps = new Durations(GAPS_S);

  constructor(deps: MotorArmingDeps) {
    this.#deps = deps;
  }

  get on(): boolean {
    return this.#deps.power.on;
  }

  /** The controller is disarmed first, so that the motors do not execute a command from before. */
  arm(): void {
    // A halt may still be in progress, and every motion must start with the motors off.
    if (this.#halt) this.disarm();
    if (this.on) return;
    try {
      this.#deps.driver()?.writeDisarmed();
    } catch (error) {
      return this.#deps.broken(error);
    }
    this.#deps.power.switchOn();
    this.beat();
  }

  disarm(): void {
    this.#endHalt();
    this.#deps.power.switchOff();
    this.beat();
  }

  /** Disarms the motors when the cart is stationary (`onStandstill()`) or 1.5 s have elapsed. */
  disarmAtRest(): void {
    this.#halt?.();
    this.#halt = this.#deps.clock.after(HALT_OFF_MS, () => this.disarm());
  }

  onStandstill(): void {
    if (this.#halt) this.disarm();
  }

  /** The heartbeat permits the motors to turn if they are armed and the E-stop is not latched. */
  beat(): void {
    const driver = this.#deps.driver();
    if (!driver) {
      this.#lastHeartbeatMs = Number.NEGATIVE_INFINITY;
      return;
    }
    if (Number.isFinite(this.#lastHeartbeatMs)) this.heartbeatGaps.record(this.heartbeatAgeMs);
    this.#lastHeartbeatMs = this.#deps.clock.now();
    try {
      driver.heartbeat(this.on && !this.#deps.latched());
    } catch (error) {
      this.#deps.broken(error);
    }
  }

  get heartbeatAgeMs(): number {
    return this.#deps.clock.now() - this.#lastHeartbeatMs;
  }

  #endHalt(): void {
    this.#halt?.();
    this.#halt = undefined;
  }
}
