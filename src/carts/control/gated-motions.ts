import type { Clock } from '../../shared/ports/clock.js';
import { JOG_LEASE_MS, type Order, type Origin, type Reason, type Telemetry } from '../command/model.js';
import { MARGIN_MS } from '../manual-drive/contact-loss.js';
import { type Refusal, refusalError } from '../safety/refusals.js';
import type { ControllerLink } from '../serial/link.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import type { GatedMotion, MotionGate } from './contracts.js';
import { type SpeedLimits, UNLIMITED } from './live-limits.js';
import type { MotionLimits } from './motion-duration.js';

interface GatedMotionsDeps {
  /** Absent for a cart without zones, such as a simulated remote cart. */
  gate: MotionGate | undefined;
  link: Pick<ControllerLink, 'driver'>;
  telemetry: () => Telemetry | undefined;
  kinematics: () => Pick<KinematicsSettings, 'trackMm'>;
  executor: () => { readonly busy: boolean; readonly moving: boolean; readonly limits: MotionLimits };
  /** Stops the cart without latching. */
  protect: (reason: Reason) => void;
  clock: Clock;
}

type Motion = Pick<GatedMotion, 'order' | 'origin'>;

/**
 * A motion that the controller may be executing; a jog ends at `untilMs` unless it is renewed. `limits` are those of the
 * last evaluation after the renewal.
 */
type SentMotion = Motion & { untilMs: number; limits?: SpeedLimits };

/** Number of earlier velocities that are evaluated again, which limits the cost of each iteration of the control loop. */
const MAX_EVALUATED = 3;
const STANDSTILL: SpeedLimits = { speedMmps: 0, turnDegps: 0 };

/** Asks the motion gate about every motion and keeps the speed limits of the running one. */
export class GatedMotions {
  readonly #deps: GatedMotionsDeps;
  #limits = UNLIMITED;
  /** What was sent last: the running motion or, for a jog, its latest renewal. */
  #sent: SentMotion | undefined;
  /**
   * Earlier velocities of the running jog, latest first. The controller does not acknowledge a JOG, so it may have
   * missed the latest ones and still follow an earlier one, until the lease of that one ends. The rate limit for
   * renewals limits their number.
   */
  #earlier: readonly SentMotion[] = [];
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
    this.#sent = this.#sentNow({ order, origin });
    this.#earlier = [];
    return this.#apply(this.#sent, 'send');
  }

  /** Throws the gate's error if the jog must not be renewed. */
  renew(order: Order, origin: Origin): void {
    const renewal = this.#sentNow({ order, origin });
    const others = [...(this.#sent ? [this.#sent] : []), ...this.#earlier].filter(
      (motion) => !isSameVelocity(motion.order, order),
    );
    const refusal = this.#apply(renewal, 'renew', others);
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

  #apply(motion: Motion, phase: GatedMotion['phase'], earlier = this.#earlier): Refusal | undefined {
    const verdict = this.#verdictOn(motion, phase);
    if (verdict?.refusal) return verdict.refusal;
    const nowMs = this.#deps.clock.now();
    this.#earlier = earlier
      .filter(({ untilMs }) => nowMs < untilMs)
      .map((other, i) => {
        const known = i < MAX_EVALUATED ? undefined : other.limits;
        return { ...other, limits: known ?? this.#supersededLimits(other) };
      });
    this.#limits = [verdict, ...this.#earlier].map((one) => one?.limits ?? UNLIMITED).reduce(lower);
    return undefined;
  }

  #supersededLimits(motion: Motion): SpeedLimits {
    const verdict = this.#verdictOn(motion, 'superseded');
    return verdict?.refusal ? STANDSTILL : (verdict?.limits ?? UNLIMITED);
  }

  #sentNow(motion: Motion): SentMotion {
    const { leaseMs = JOG_LEASE_MS } = motion.order;
    return { ...motion, untilMs: this.#deps.clock.now() + leaseMs + MARGIN_MS };
  }

  #verdictOn(motion: Motion, phase: GatedMotion['phase']) {
    const { executor, gate, link, telemetry } = this.#deps;
    return gate?.check({
      order: motion.order,
      origin: motion.origin,
      phase,
      driven: phase === 'running' ? this.#driven() : { distanceMm: 0, angleDeg: 0 },
      telemetry: telemetry(),
      limits: executor().limits,
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

function isSameVelocity(a: Order, b: Order): boolean {
  return a.distanceMm === b.distanceMm && a.angleDdeg === b.angleDdeg;
}

function lower(a: SpeedLimits, b: SpeedLimits): SpeedLimits {
  return {
    speedMmps: Math.min(a.speedMmps, b.speedMmps),
    turnDegps: Math.min(a.turnDegps, b.turnDegps),
  };
}
