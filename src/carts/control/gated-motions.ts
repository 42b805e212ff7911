import type { Clock } from '../../shared/ports/clock.js';
import type { Order, Origin, Reason, Telemetry } from '../command/model.js';
import { type Refusal, refusalError } from '../safety/refusals.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { GatedMotion, MotionGate } from './contracts.js';
import { type SpeedLimits, UNLIMITED } from './live-limits.js';

interface GatedMotionsDeps {
  /** Absent for a cart without zones, such as a simulated remote cart. */
  gate: MotionGate | undefined;
  link: Pick<ControllerLink, 'driver' | 'lastReportMs'>;
  telemetry: () => Telemetry | undefined;
  kinematics: () => Pick<KinematicsSettings, 'trackMm'>;
  executor: () => { readonly busy: boolean; readonly moving: boolean };
  /** Stops the cart without latching. */
  protect: (reason: Reason) => void;
  clock: Clock;
}

/** Asks the motion gate about every motion and keeps the speed limits of the running one. */
export class GatedMotions {
  readonly #deps: GatedMotionsDeps;
  #limits = UNLIMITED;
  /** What was sent last: the running motion or, for a jog, its latest renewal. */
  #sent: { order: Order; origin: Origin } | undefined;
  /** The wheels' travel when the running motion was sent. */
  #start: Telemetry | undefined;

  constructor(deps: GatedMotionsDeps) {
    this.#deps = deps;
  }

  get limits(): SpeedLimits {
    return this.#limits;
  }

  get slowest(): SpeedLimits {
    return this.#deps.gate?.slowest ?? UNLIMITED;
  }

  /** Throws the gate's error if the command must not be accepted. */
  checkAccepted(order: Order, origin: Origin): void {
    const refusal = this.#verdictOn({ order, origin }, 'accept')?.refusal;
    if (refusal) throw refusalError(refusal);
  }

  /** Returns why the motion must not be sent; otherwise, applies its limits from now on. */
  send(order: Order, origin: Origin): Refusal | undefined {
    this.#start = this.#deps.telemetry();
    this.#sent = { order, origin };
    return this.#apply(this.#sent, 'send');
  }

  /** Throws the gate's error if the jog must not be renewed. */
  renew(order: Order, origin: Origin): void {
    const renewal = { order, origin };
    const refusal = this.#apply(renewal, 'renew');
    if (refusal) throw refusalError(refusal);
    this.#sent = renewal;
  }

  /** Called in every iteration of the control loop: stops the cart if its motion is no longer permitted. */
  tick(): void {
    const { busy, moving } = this.#deps.executor();
    // While the cart is stopping, the limits of its motion continue to apply.
    if (!busy) this.#limits = UNLIMITED;
    if (!moving || !this.#sent) return;
    const refusal = this.#apply(this.#sent, 'running');
    if (refusal) this.#deps.protect(refusal);
  }

  /** Returns the order with the highest speeds that the limits permit. For drivers that cannot limit a running jog. */
  limitedJog({ distanceMm, angleDdeg }: Order): Pick<Order, 'distanceMm' | 'angleDdeg'> {
    const within = (value: number, most: number) => Math.max(-most, Math.min(most, value));
    if (this.#deps.link.driver?.limitSpeed) return { distanceMm, angleDdeg };
    const { speedMmps, turnDegps } = this.#limits;
    return { distanceMm: within(distanceMm, speedMmps), angleDdeg: within(angleDdeg, turnDegps * 10) };
  }

  #apply(motion: Pick<GatedMotion, 'order' | 'origin'>, phase: GatedMotion['phase']): Refusal | undefined {
    const verdict = this.#verdictOn(motion, phase);
    if (verdict?.refusal) return verdict.refusal;
    this.#limits = verdict?.limits ?? UNLIMITED;
    return undefined;
  }

  #verdictOn(motion: Pick<GatedMotion, 'order' | 'origin'>, phase: GatedMotion['phase']) {
    const { clock, gate, link, telemetry } = this.#deps;
    return gate?.check({
      ...motion,
      phase,
      driven: phase === 'running' ? this.#driven() : { distanceMm: 0, angleDeg: 0 },
      telemetry: telemetry(),
      telemetryAgeMs: clock.now() - link.lastReportMs,
      hasLiveLimits: link.driver?.limitSpeed !== undefined,
    });
  }

  #driven(): GatedMotion['driven'] {
    const [from, to] = [this.#start, this.#deps.telemetry()];
    if (!from || !to) return { distanceMm: 0, angleDeg: 0 };
    const [left, right] = [to.odoLeftMm - from.odoLeftMm, to.odoRightMm - from.odoRightMm];
    const turnRad = (right - left) / this.#deps.kinematics().trackMm;
    return { distanceMm: (left + right) / 2, angleDeg: (turnRad * 180) / Math.PI };
  }
}
