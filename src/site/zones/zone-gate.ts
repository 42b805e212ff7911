import { isDeepStrictEqual } from 'node:util';
import {
  type GatedMotion,
  type GateVerdict,
  type LimitsSettings,
  MAX_TURN_DEGPS,
  type MotionGate,
  type Refusal,
  type SpeedLimits,
  UNLIMITED,
} from '../../carts/index.js';
import type { PlanView } from '../../plan/index.js';
import { type Actor, actorName, actorText, isSameActor } from '../../shared/actor.js';
import { derived } from '../../shared/derived.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import { Signal } from '../../shared/signal.js';
import { siteMessage } from '../messages.js';
import type { ReviewReason } from '../plan-data/schema.js';
import type { SitePlan } from '../plan-data/site-plan.js';
import type { SiteSettings } from '../settings-schema.js';
import type { Velocity } from './braking-path.js';
import { CartShape } from './cart-shape.js';
import {
  CREEP_MMPS,
  type GateDecision,
  type GateMotion,
  type GateSite,
  gateMotion,
  INITIAL_GATE_STATE,
  turnAt,
} from './motion-gate.js';
import { unsuitability, type ZoneCartSettings } from './suitability.js';
import type { Zone } from './zone.js';
import { type PlanScale, ZoneMap } from './zone-map.js';

/** The ends of the line that sets the plan's scale are assumed to be accurate to one pixel. */
const SCALE_ERROR_PX = 2;
/** A turn ends with an error of less than this, or when the cart has driven this far. */
const TURNED = { deg: 1, mm: 20 };
/** The outline of a cart whose footprint is missing, which only limits the turning speed. */
const ASSUMED_SHAPE = new CartShape([
  { xMm: 1000, yMm: 0 },
  { xMm: -1000, yMm: 1000 },
  { xMm: -1000, yMm: -1000 },
]);

const NOT_LOADED: Refusal = { code: 'SAFETY_UNAVAILABLE', text: siteMessage('not-loaded') };
const NEEDS_REVIEW: Readonly<Record<ReviewReason, Refusal>> = {
  FLOOR_PLAN: {
    code: 'POSE_LOST',
    text: siteMessage('needs-review'),
    hint: siteMessage('needs-review-hint'),
  },
  OTHER_FLOOR_PLAN: {
    code: 'POSE_LOST',
    text: siteMessage('other-floor-plan'),
    hint: siteMessage('other-floor-plan-hint'),
  },
  DATA_LOST: { code: 'POSE_LOST', text: siteMessage('data-lost'), hint: siteMessage('data-lost-hint') },
  NOT_RECEIVED: {
    code: 'POSE_LOST',
    text: siteMessage('not-received'),
    hint: siteMessage('not-received-hint'),
  },
};
const POSE_LOST: Refusal = {
  code: 'POSE_LOST',
  text: siteMessage('pose-lost'),
  hint: siteMessage('pose-lost-hint'),
};
const OVERRIDDEN: Refusal = {
  code: 'SETTINGS_CHANGED',
  text: siteMessage('switched-off'),
  hint: siteMessage('switched-off-hint'),
};
const FREE: GateVerdict = { refusal: undefined, limits: UNLIMITED };

interface ZoneGateDeps {
  settings: () => ZoneCartSettings & { site: Pick<SiteSettings, 'marginMm'> };
  /** The deceleration in mm/s² of the worst brake test. Default: unlimited. */
  brakingMmps2?: () => number;
  /** The cart's pose on the floor plan; undefined if it is unknown. */
  location: () => PlanPose | undefined;
  /** Stores an entry of the history; `version` is that of the site plan. */
  record: (override: OverrideRequest & { version: number }) => Promise<void>;
  clock: Clock;
  log: Log;
}

interface ZoneSource {
  sitePlan: Pick<SitePlan, 'current' | 'onChange'>;
  floorPlan: { readonly current: PlanView | undefined };
  /** Number of latching stops of the cart since startup, including repeats. */
  emergencyStops: () => number;
}

/** What the gate's decisions depend on. */
interface PlanRules {
  zones: readonly Zone[];
  scale: PlanScale | undefined;
  reviewReason: ReviewReason | null;
}

/** An operator's decision to drive by hand through zones. */
export interface OverrideRequest {
  by: Actor;
  reason: string;
  seconds: number;
}

interface Override extends OverrideRequest {
  untilMs: number;
  /** The cart's latching stops at the time of the request; the next one ends the override. */
  emergencyStops: number;
}

/**
 * Enforces the zones of the site plan for all motions of this gateway's cart. Does nothing while there are no zones.
 * `motion-gate.ts` contains the rules.
 */
export class ZoneGate implements MotionGate {
  readonly #deps: ZoneGateDeps;
  /** Undefined until the site plan has been loaded, and if it cannot be read. */
  #plan: { version: number; rules: PlanRules; map: ZoneMap } | undefined;
  readonly #shape: () => CartShape;
  #state = INITIAL_GATE_STATE;
  #override: Override | undefined;
  /** The latest request for an override; an earlier one that has not been recorded yet does not take effect. */
  #requested: OverrideRequest | undefined;
  #emergencyStops = (): number => 0;
  readonly #overrides = new Signal();
  /** True while the running motion has been known to be outside all zones. */
  #isEnforced = true;

  /** Emitted when an override begins, and when an operator ends it. */
  readonly onOverride = this.#overrides.on.bind(this.#overrides);

  constructor(deps: ZoneGateDeps) {
    this.#deps = deps;
    this.#shape = derived(
      () => deps.settings().kinematics.footprint,
      (footprint) => (footprint.length === 0 ? ASSUMED_SHAPE : new CartShape(footprint)),
    );
  }

  /** Enforces the zones of this site plan from now on, and after each of its changes. Until then, motion is refused. */
  use(source: ZoneSource): Cancel {
    this.#emergencyStops = source.emergencyStops;
    this.#load(source);
    return source.sitePlan.onChange(() => this.#load(source));
  }

  get slowest(): SpeedLimits {
    if (!this.#isActive) return UNLIMITED;
    const { zones = [] } = this.#plan?.map ?? {};
    const speedMmps = Math.min(
      CREEP_MMPS,
      ...zones.map(({ maxSpeedMmps = Number.POSITIVE_INFINITY }) => maxSpeedMmps),
    );
    return { speedMmps, turnDegps: turnAt(this.#shape(), speedMmps) };
  }

  check(motion: GatedMotion): GateVerdict {
    const plan = this.#plan;
    if (!plan) return { refusal: NOT_LOADED };
    if (!this.#isActive) {
      this.#isEnforced = true;
      return FREE;
    }
    const fault = this.#fault;
    const isHeld = isByHand(motion);
    const override = this.activeOverride;
    const isOverridden = override !== undefined && isSameActor(override.by, motion.origin.actor);
    const requested = this.#remaining(motion);
    const { decision, state } = gateMotion(
      this.#siteOf(plan.map, motion.limits),
      {
        motion: requested,
        pose: fault ? undefined : this.#deps.location(),
        current: velocityOf(motion),
        needsReview: plan.rules.reviewReason !== null,
        isManual: isHeld,
        isHeld,
        isOverridden,
        hasLiveLimits: motion.hasLiveLimits,
      },
      this.#state,
    );
    const isRunning = motion.phase === 'running' || motion.phase === 'renew';
    const isCurrent = motion.phase !== 'accept' && motion.phase !== 'superseded';
    if (isCurrent) this.#state = state;
    if (!decision.isPermitted) return { refusal: this.#refusalOf(decision, fault) };
    // A held cart does not continue into a zone because the zones have just stopped being enforced.
    if (isRunning && this.#isEnforced && !decision.isEnforced)
      return { refusal: isOverridden ? OVERRIDDEN : (fault ?? POSE_LOST) };
    if (isCurrent) this.#isEnforced = decision.isEnforced;
    return { refusal: undefined, limits: limitsOf(decision, requested) };
  }

  /** The zones and the cart, for the check of a whole route; undefined while no zones apply. */
  siteFor(limits: Pick<LimitsSettings, 'accelMmps2' | 'decelMmps2'>): GateSite | undefined {
    return this.#plan && this.#isActive ? this.#siteOf(this.#plan.map, limits) : undefined;
  }

  #siteOf(map: ZoneMap, limits: Pick<LimitsSettings, 'accelMmps2' | 'decelMmps2'>): GateSite {
    const braking = this.#deps.brakingMmps2?.() ?? Number.POSITIVE_INFINITY;
    // Twice the highest turning speed per second; see docs/protocol.md, section 10.
    const turnDegps2 = 2 * MAX_TURN_DEGPS;
    return {
      map,
      shape: this.#shape(),
      rules: {
        marginMm: this.#deps.settings().site.marginMm,
        accelMmps2: limits.accelMmps2,
        decelMmps2: Math.min(limits.decelMmps2, braking),
        turnAccelDegps2: turnDegps2,
        turnDecelDegps2: turnDegps2,
      },
    };
  }

  warnings(): Text[] {
    if (!this.#isActive) return [];
    const override = this.activeOverride;
    const warning = this.#poseWarning;
    return [
      ...(override
        ? [siteMessage('overridden', { name: actorText(override.by), reason: override.reason })]
        : []),
      ...(warning ? [warning] : []),
    ];
  }

  get #poseWarning(): Text | undefined {
    const fault = this.#fault;
    if (fault) return siteMessage('not-enforced', { reason: fault.text });
    const state = this.#deps.location()?.state ?? 'LOST';
    if (state === 'LOST') return siteMessage('position-lost');
    return state === 'COARSE' ? siteMessage('position-coarse') : undefined;
  }

  /**
   * Lets an operator drive by hand through zones for this time, at most at creeping speed. Takes effect after it has
   * been recorded; rejects with the store's error, or with SUPERSEDED if a later request or a latching stop came first.
   * Ends at a latching stop and at a restart.
   */
  async override(request: OverrideRequest): Promise<void> {
    const { clock, log, record } = this.#deps;
    const { by, reason, seconds } = request;
    const untilMs = clock.now() + seconds * 1000;
    const emergencyStops = this.#emergencyStops();
    this.#requested = request;
    await record({ ...request, version: this.#plan?.version ?? 0 });
    if (this.#requested !== request || this.#emergencyStops() !== emergencyStops)
      throw new GatewayError('SUPERSEDED', siteMessage('not-switched-off'));
    this.#override = { ...request, untilMs, emergencyStops };
    log.warn('site.zones_overridden', { by: actorName(by), reason, seconds });
    this.#overrides.emit();
  }

  endOverride(by: Actor): void {
    this.#requested = undefined;
    if (!this.activeOverride) return;
    this.#override = undefined;
    this.#deps.log.info('site.override_ended', { by: actorName(by) });
    this.#overrides.emit();
  }

  /** `untilMs` is on the gateway's monotonic clock. */
  get activeOverride(): (OverrideRequest & { untilMs: number }) | undefined {
    const override = this.#override;
    if (!override || this.#deps.clock.now() >= override.untilMs) return undefined;
    return override.emergencyStops === this.#emergencyStops() ? override : undefined;
  }

  /** False if there are no zones and none may be missing. */
  get #isActive(): boolean {
    const { map, rules } = this.#plan ?? {};
    // A changed floor plan under places and routes alone forbids nothing.
    const { reviewReason = null } = rules ?? {};
    const mayMissZones = reviewReason !== null && reviewReason !== 'FLOOR_PLAN';
    return mayMissZones || (map?.zones.length ?? 0) > 0;
  }

  /** Why the zones cannot be enforced although the pose may be known; undefined if they can be. */
  get #fault(): Refusal | undefined {
    const { map, rules } = this.#plan ?? {};
    const { reviewReason = null } = rules ?? {};
    const review = reviewReason === null ? undefined : NEEDS_REVIEW[reviewReason];
    return (map && map.zones.length > 0 ? unsuitability(this.#deps.settings()) : undefined) ?? review;
  }

  #load({ sitePlan, floorPlan }: ZoneSource): void {
    const before = this.#plan;
    this.#plan = undefined;
    try {
      const { version, zones, reviewReason } = sitePlan.current;
      const rules: PlanRules = { zones, scale: scaleOf(floorPlan.current), reviewReason };
      if (before && isDeepStrictEqual(rules, before.rules)) {
        this.#plan = { ...before, version };
        return;
      }
      // What was measured at the earlier zones does not apply to changed ones.
      this.#state = INITIAL_GATE_STATE;
      this.#plan = { version, rules, map: new ZoneMap(zones, rules.scale) };
    } catch (error) {
      this.#deps.log.error('site.load_failed', { reason: messageOf(error) });
    }
  }

  /** Returns what the motion still has to do. */
  #remaining({ order, driven, limits: { maxSpeedMmps } }: GatedMotion): GateMotion {
    const [distanceMm, angleDeg] = [order.distanceMm, order.angleDdeg / 10];
    if (order.kind === 'jog') {
      return {
        kind: 'jog',
        speedMmps: within(distanceMm, maxSpeedMmps),
        turnDegps: within(angleDeg, MAX_TURN_DEGPS),
      };
    }
    const turnLeftDeg = left(angleDeg, driven.angleDeg);
    const isTurning = Math.abs(turnLeftDeg) > TURNED.deg && Math.abs(driven.distanceMm) < TURNED.mm;
    return {
      kind: 'move',
      turnDeg: isTurning ? turnLeftDeg : 0,
      distanceMm: left(distanceMm, driven.distanceMm),
      speedMmps: Math.min(order.maxSpeedMmps, maxSpeedMmps),
      turnDegps: MAX_TURN_DEGPS,
    };
  }

  #refusalOf(
    { code, zoneId, freeDistanceMm = 0 }: Extract<GateDecision, { isPermitted: false }>,
    fault: Refusal | undefined,
  ): Refusal {
    if (code === 'POSE_LOST') return fault ?? POSE_LOST;
    const name = this.#plan?.map.zones.find(({ id }) => id === zoneId)?.name || (zoneId ?? '');
    const key = code === 'ZONE_BLOCKED' ? 'blocked' : 'manual-only';
    return {
      code,
      text: siteMessage(key, { name, mm: freeDistanceMm }),
      hint: siteMessage(`${key}-hint`),
      ...(zoneId !== undefined && { zoneId, freeDistanceMm }),
    };
  }
}

/** True if the motion ends when a person releases a control. Anyone can claim a name on some brokers. */
function isByHand({ order, origin }: GatedMotion): boolean {
  return order.kind === 'jog' && origin.actor.kind === 'user' && origin.claimed !== true;
}

/** A move starts at rest, even if the last report is from the end of the previous motion. */
function velocityOf({ order, phase, telemetry }: GatedMotion): Velocity {
  if (!telemetry || (order.kind === 'move' && phase !== 'running')) return { speedMmps: 0, turnDegps: 0 };
  return { speedMmps: telemetry.speedMmps, turnDegps: telemetry.omegaDdegps / 10 };
}

/** A limit that the motion does not reach is no limit, so that no frame is sent for it. */
function limitsOf(
  { maxSpeedMmps, maxTurnDegps }: Extract<GateDecision, { isPermitted: true }>,
  { speedMmps, turnDegps }: GateMotion,
): SpeedLimits {
  return {
    speedMmps: maxSpeedMmps < Math.abs(speedMmps) ? Math.floor(maxSpeedMmps) : Number.POSITIVE_INFINITY,
    turnDegps: maxTurnDegps < Math.abs(turnDegps) ? maxTurnDegps : Number.POSITIVE_INFINITY,
  };
}

/** Returns what is left of a distance or angle; 0 if it has been exceeded. */
function left(whole: number, done: number): number {
  return Math.sign(whole) * Math.max(0, Math.abs(whole) - Math.sign(whole) * done);
}

function within(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

function scaleOf(floor: PlanView | undefined): PlanScale | undefined {
  const { points, placement, height = 0 } = floor ?? {};
  if (!points || !placement) return undefined;
  const mm = placement.metresPerPixel * 1000;
  const [from, to] = points.map(({ x, y }) => [x * mm, (height - y) * mm] as const);
  if (!from || !to) return undefined;
  const lengthPx = Math.hypot(points[1].x - points[0].x, points[1].y - points[0].y);
  return { line: [from, to], errorShare: SCALE_ERROR_PX / lengthPx };
}
