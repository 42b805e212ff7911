import { Durations } from '../../shared/metric.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { MotorDriver } from '../serial/driver.js';
import type { MotorEnable } from './motor-enable.js';

/** After a category 1 stop the motors are switched off at standstill, or after this long. */
const HALT_OFF_MS = 1500;
/** Between two heartbeats, s: 0.1 is wanted, after 0.5 the controller stops the cart. */
const GAPS_S = [0.06, 0.11, 0.15, 0.25, 0.35, 0.5];

interface MotorArmingDeps {
  power: MotorEnable;
  driver: () => MotorDriver | undefined;
  latched: () => boolean;
  /** The line refused a heartbeat. */
  broken: (error: unknown) => void;
  clock: Clock;
}

/** Whether the motors may turn, kept alike in both places that decide it: the enable output, and the controller. */
export class MotorArming {
  #deps: MotorArmingDeps;
  #lastHeartbeatMs = Number.NEGATIVE_INFINITY;
  #halt: Cancel | undefined;
  /** The pauses between the heartbeats of one session. */
  readonly heartbeatGaps = new Durations(GAPS_S);

  constructor(deps: MotorArmingDeps) {
    this.#deps = deps;
  }

  get on(): boolean {
    return this.#deps.power.on;
  }

  arm(): void {
    // The next motion may follow a halt at once: it still begins with the motors switched off.
    if (this.#halt) this.disarm();
    if (this.on) return;
    this.#deps.power.switchOn();
    this.beat();
  }

  disarm(): void {
    this.#endHalt();
    this.#deps.power.switchOff();
    this.beat();
  }

  /** The cart was told to ramp down: the motors are switched off as soon as `stands()` is called, or after 1.5 s. */
  disarmAtRest(): void {
    this.#halt?.();
    this.#halt = this.#deps.clock.after(HALT_OFF_MS, () => this.disarm());
  }

  /** The cart stands still. */
  stands(): void {
    if (this.#halt) this.disarm();
  }

  /** Tells the controller that we live, and whether its motors may turn. */
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

  /** ms since the last heartbeat. */
  get heartbeatAgeMs(): number {
    return this.#deps.clock.now() - this.#lastHeartbeatMs;
  }

  #endHalt(): void {
    this.#halt?.();
    this.#halt = undefined;
  }
}
