import { Durations } from '../../shared/metric.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { ControllerLink } from '../serial/link.js';
import type { Interlocks } from './interlocks.js';

/** A category 1 stop switches the motors off when the cart is stationary or this time has elapsed. */
const HALT_OFF_MS = 1500;
/** Bucket bounds for heartbeat intervals (nominally 0.1 s; after 0.5 s, the controller stops the cart). */
const GAPS_S = [0.06, 0.11, 0.12, 0.13, 0.14, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5];

interface MotorArmingDeps {
  interlocks: Pick<Interlocks, 'latched' | 'power'>;
  link: Pick<ControllerLink, 'driver' | 'fail'>;
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
    return this.#deps.interlocks.power.on;
  }

  /**
   * Switches the motors on and writes an armed heartbeat. Does nothing if the motors are on. The controller is
   * disarmed first, so that the motors do not execute an earlier command. A failed write can latch the E-stop or end
   * the session before this method returns; the motors are then off, and all commands have ended.
   */
  arm(): void {
    const { interlocks, link } = this.#deps;
    // Every motion must start with the motors off, so a halt in progress is ended first.
    if (this.#halt) this.disarm();
    if (this.on) return;
    try {
      link.driver?.writeDisarmed();
    } catch (error) {
      return link.fail(error);
    }
    // Ending the halt may have latched a stop.
    if (interlocks.latched) return;
    interlocks.power.switchOn();
    this.writeHeartbeat();
  }

  disarm(): void {
    this.#endHalt();
    this.#deps.interlocks.power.switchOff();
    this.writeHeartbeat();
  }

  /** Disarms the motors when the cart is stationary (`onStandstill()`) or 1.5 s have elapsed. */
  disarmAtRest(): void {
    this.#halt?.();
    this.#halt = this.#deps.clock.after(HALT_OFF_MS, () => this.disarm());
  }

  onStandstill(): void {
    if (this.#halt) this.disarm();
  }

  /** The heartbeat permits the motors to turn if they are armed and no stop is latched. */
  writeHeartbeat(): void {
    const { interlocks, link } = this.#deps;
    if (!link.driver) {
      this.#lastHeartbeatMs = Number.NEGATIVE_INFINITY;
      return;
    }
    if (Number.isFinite(this.#lastHeartbeatMs)) this.heartbeatGaps.record(this.heartbeatAgeMs);
    this.#lastHeartbeatMs = this.#deps.clock.now();
    try {
      link.driver.heartbeat(this.on && !interlocks.latched);
    } catch (error) {
      link.fail(error);
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
