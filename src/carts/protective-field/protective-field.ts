import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Order, Reason, Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { END_CODES } from '../serial/codec/event-reasons.js';
import {
  countsFor,
  stopDistanceMm,
  type TravelDirection,
  travelDirection,
  turningMmps,
} from '../serial/codec/field-rules.js';
import type { MotionReport, MotorDriver } from '../serial/driver.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import { fieldMessage } from './messages.js';
import type { FieldReport, FieldView } from './model.js';
import { nearestObstacle, obstacleText } from './obstacle.js';
import type { ProtectiveFieldSettings } from './settings-schema.js';

/** Assumed reaction time in ms; not shorter than the reaction time of the reference firmware. */
export const REACTION_MS = 100;
/** Lowest share that the gateway reduces the speed limit to; only the controller stops the cart. */
export const SLOWEST_SHARE = 0.2;
/** A report older than this is stale. While the cart is stationary, the controller reports every 500 ms. */
const STALE_MS = 1000;
/** Smaller changes to the share are ignored, so that noise does not cause a LIMITS frame for every report. */
const SHARE_STEP = 0.05;

type Motion = Pick<Order, 'kind' | 'distanceMm' | 'angleDdeg'>;

interface FieldDeps {
  link: { readonly driver: Pick<MotorDriver, 'field'> | undefined };
  settings: () => {
    limits: Pick<LimitsSettings, 'maxSpeedMmps' | 'decelMmps2'>;
    kinematics: Pick<KinematicsSettings, 'type' | 'trackMm' | 'footprint'>;
    protectiveField: ProtectiveFieldSettings;
  };
  /** The running motion; undefined if there is none. */
  order: () => Motion | undefined;
  telemetry: () => Pick<Telemetry, 'speedMmps' | 'omegaDdegps'> | undefined;
  clock: Clock;
}

/**
 * Determines the speed near obstacles, rejects commands in a blocked direction and names the obstacle. The
 * controller stops the cart by itself; see docs/protocol.md, section 17.
 */
export class ProtectiveField {
  readonly #deps: FieldDeps;
  #share = 1;

  constructor(deps: FieldDeps) {
    this.#deps = deps;
  }

  /** Returns why the motion is blocked; undefined if it is not. */
  refusal(order: Motion): (Reason & { hint: Reason['text'] }) | undefined {
    const report = this.#fresh();
    const direction = this.#directionOf(order);
    if (!report || !direction || !report.blocked.includes(direction)) return undefined;
    return { code: 'OBSTACLE', text: obstacleText(report, direction), hint: fieldMessage('hint') };
  }

  /** Throws OBSTACLE if the motion is blocked. */
  check(order: Order): void {
    const refusal = this.refusal(order);
    if (refusal) throw new GatewayError(refusal.code, refusal.text, { hint: refusal.hint });
  }

  /** Returns undefined unless the controller stopped the cart because of an obstacle. */
  endReason({ event, code }: Pick<MotionReport, 'event' | 'code'>): Reason | undefined {
    const report = this.#fresh();
    if (!report || event !== 'failed' || code !== END_CODES.obstacle) return undefined;
    const direction = report.blocked.length === 1 ? report.blocked[0] : this.#travel();
    return { code: 'OBSTACLE', text: obstacleText(report, direction) };
  }

  view(): FieldView | undefined {
    const report = this.#deps.link.driver?.field?.latest;
    if (!report) return undefined;
    const { atMs, ...state } = report;
    return { ...state, ageS: Math.floor((this.#deps.clock.now() - atMs) / 1000) };
  }

  /**
   * Returns the share of the highest speeds that the distance from the nearest obstacle permits. Called before every
   * motion, in every iteration of the control loop, and for every report.
   */
  speedShare(phase: 'start' | 'running' = 'running'): number {
    const order = this.#deps.order();
    // At the start of a motion, the telemetry may still contain the previous motion's speed.
    const direction = phase === 'start' && order ? this.#directionOf(order) : this.#travel();
    const share = this.#deps.link.driver?.field ? this.#shareFor(direction) : 1;
    const isEnd = share === 1 || share === SLOWEST_SHARE;
    if (isEnd || Math.abs(share - this.#share) >= SHARE_STEP) this.#share = share;
    return this.#share;
  }

  #shareFor(direction: TravelDirection | undefined): number {
    const { slowDownMm, marginMm } = this.#deps.settings().protectiveField;
    if (!direction || slowDownMm === 0) return 1;
    const report = this.#fresh();
    const isKnown = report?.sensors.every(({ angleDeg, valid }) => valid || !countsFor(direction, angleDeg));
    if (!report || !isKnown) return SLOWEST_SHARE;
    const distanceMm = nearestObstacle(report.sensors, direction)?.rangeMm ?? Number.POSITIVE_INFINITY;
    if (distanceMm >= slowDownMm) return 1;
    const { maxSpeedMmps, decelMmps2 } = this.#deps.settings().limits;
    const wheelMm = stopDistanceMm(maxSpeedMmps, { reactionMs: REACTION_MS, decelMmps2, marginMm: 0 });
    const stopMm = wheelMm * (direction === 'turning' ? this.#cornerShare : 1) + marginMm;
    const part = (distanceMm - stopMm) / Math.max(1, slowDownMm - stopMm);
    return SLOWEST_SHARE + (1 - SLOWEST_SHARE) * Math.max(0, Math.min(1, part));
  }

  /** Direction of the running motion; undefined if there is none. */
  #travel(): TravelDirection | undefined {
    const order = this.#deps.order();
    if (!order) return undefined;
    const { speedMmps = 0, omegaDdegps = 0 } = this.#deps.telemetry() ?? {};
    return this.#directionAt(speedMmps, omegaDdegps) ?? this.#directionOf(order);
  }

  /**
   * Returns the motion's initial direction. A move with an angle starts with the turn, and a jog's distance and
   * angle are speeds.
   */
  #directionOf({ kind, distanceMm, angleDdeg }: Motion) {
    const turnsFirst = kind === 'move' && angleDdeg !== 0 && !this.#steers;
    return this.#directionAt(turnsFirst ? 0 : distanceMm, angleDdeg);
  }

  #directionAt(speedMmps: number, omegaDdegps: number): TravelDirection | undefined {
    const { trackMm } = this.#deps.settings().kinematics;
    return travelDirection(speedMmps, this.#steers ? 0 : turningMmps(omegaDdegps, trackMm));
  }

  /** How much farther than the wheels the outermost corner of the cart moves in a turn in place; at least 1. */
  get #cornerShare(): number {
    const { footprint, trackMm } = this.#deps.settings().kinematics;
    return Math.max(1, ...footprint.map(({ xMm, yMm }) => (2 * Math.hypot(xMm, yMm)) / trackMm));
  }

  /** True for a cart with steering, which cannot turn in place. */
  get #steers(): boolean {
    return this.#deps.settings().kinematics.type === 'ackermann';
  }

  #fresh(): FieldReport | undefined {
    const report = this.#deps.link.driver?.field?.latest;
    return report && this.#deps.clock.now() - report.atMs < STALE_MS ? report : undefined;
  }
}
