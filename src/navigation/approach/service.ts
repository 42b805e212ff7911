import { randomUUID } from 'node:crypto';
import { errorText, GatewayError } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type {
  CartSender,
  MotionEnd,
  MotionRules,
  MovingCart,
} from '../../shared/ports/navigation/cart-motions.js';
import type { Detection, DetectorService } from '../markers/detector-service.js';
import type { Marker, Pose, Sighting } from '../markers/model.js';
import type { Markers } from '../markers/registry.js';
import { navigationMessage } from '../messages.js';
import { type PlanarPose, planar, RAD } from '../planar.js';
import { startApproach, stepApproach } from './machine.js';
import type { ApproachInput, ApproachMotion, ApproachState } from './model.js';
import type { ApproachRequest } from './schema.js';
import { OdometryTrack } from './track.js';
import type { ApproachView } from './view.js';

/**
 * Returns the marker in an image; undefined if the image does not show it, shows it more than once, or shows
 * it rotated by more than 45 degrees, because such a marker is not mounted as intended.
 */
function clearSighting(sightings: readonly Sighting[], id: number): Sighting | undefined {
  const [sighting, ...others] = sightings.filter((each) => each.id === id);
  return sighting && others.length === 0 && isUpright(sighting) ? sighting : undefined;
}

function isUpright({ corners: [lowerLeft, lowerRight, upperRight, upperLeft] }: Sighting): boolean {
  const upX = upperLeft.x + upperRight.x - lowerLeft.x - lowerRight.x;
  // In images, y points down.
  const upY = lowerLeft.y + lowerRight.y - upperLeft.y - upperRight.y;
  return upY > Math.abs(upX);
}

const TICK_MS = 25;
const SPEEDS_MMPS = { slow: 100, normal: 300 };
/** The coarsest command units that allow the goal to be reached. */
const MAX_RESOLUTION = { mm: 10, deg: 1 };

/** Returns why positions cannot be reached with these commands; empty if they can. */
export function motionFault({ fault, resolution }: Pick<MotionRules, 'fault' | 'resolution'>): Text {
  const isCoarse = resolution.mm > MAX_RESOLUTION.mm || resolution.deg > MAX_RESOLUTION.deg;
  return fault || (isCoarse ? navigationMessage('approach.coarse-units', MAX_RESOLUTION) : '');
}

interface ApproachDeps {
  cart: MovingCart;
  markers: Pick<Markers, 'require'>;
  detector: Pick<DetectorService, 'acquire' | 'onDetection'>;
  /** Pose of the camera in the cart's frame. */
  camera: () => Pose;
  /** Why the images do not show the current scene; empty if they do. */
  imageFault: () => Text;
  clock: Clock;
  log: Log;
}

interface Run {
  readonly id: string;
  readonly marker: Marker;
  readonly goal: { standoffMm: number; lateralMm: number; headingDeg: number };
  readonly sender: CartSender;
  readonly startedAt: string;
  readonly cancels: Cancel[];
  state: ApproachState;
  commands: number;
  /** Why the last command or the run itself ended. */
  reason: Text;
  /** Odometer pose at the start of the current command. */
  origin: PlanarPose | undefined;
  stopMotion: Cancel | undefined;
  isOver: boolean;
  readonly waiting: ((view: ApproachView) => void)[];
}

/** Drives this gateway's cart to markers, one drive at a time. A drive never resumes. */
export class Approach {
  readonly #deps: ApproachDeps;
  #odometry = new OdometryTrack();
  #run: Run | undefined;

  constructor(deps: ApproachDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a drive, and ends an earlier one. Throws INVALID_INPUT, CART_UNKNOWN, NOT_FOUND for an unknown marker,
   * and the errors of an ordinary command.
   */
  start(request: ApproachRequest, sender: CartSender): ApproachView {
    const { cart, markers, clock, log, detector, camera } = this.#deps;
    const { markerId, standoffMm, lateralMm = 0, headingDeg = 0, cartID = cart.cartID } = request;
    if (cartID !== cart.cartID) {
      const text = navigationMessage('approach.other-cart', { cartID: cart.cartID });
      throw new GatewayError('INVALID_INPUT', text, { field: 'cartID' });
    }
    const marker = markers.require(String(markerId));
    const { resolution, footprint } = this.#checkedRules();
    const goal = { standoffMm, lateralMm, headingDeg };
    requireClearance(goal, footprint);
    sender.check();
    this.#feed({ kind: 'interrupted' });
    const state = startApproach(goal, { camera: camera(), resolution }, clock.now());
    const run: Run = {
      id: randomUUID(),
      marker,
      goal,
      sender,
      state,
      commands: 0,
      reason: '',
      startedAt: new Date(clock.wallTime()).toISOString(),
      cancels: [],
      waiting: [],
      origin: undefined,
      stopMotion: undefined,
      isOver: false,
    };
    this.#run = run;
    this.#odometry = new OdometryTrack();
    log.info('approach.started', { runId: run.id, markerId, ...goal, by: sender.name });
    run.cancels.push(cart.onInterruption(() => this.#feed({ kind: 'interrupted' })));
    run.cancels.push(detector.onDetection((detection) => this.#see(detection)));
    run.cancels.push(clock.every(TICK_MS, () => this.#tick()));
    try {
      run.cancels.push(detector.acquire('approach'));
    } catch (error) {
      this.#feed({ kind: 'interrupted' });
      throw error;
    }
    this.#tick();
    return viewOf(run);
  }

  /** Returns the current or the last drive; undefined if there has been none since the gateway started. */
  view(): ApproachView | undefined {
    return this.#run && viewOf(this.#run);
  }

  /** True while the cart drives to a marker, including between two commands. */
  get isRunning(): boolean {
    return this.#run !== undefined && !isEnded(this.#run.state);
  }

  /** Resolves when the current drive has ended, or with undefined if there has been no drive. */
  async whenEnded(): Promise<ApproachView | undefined> {
    const run = this.#run;
    if (!run || run.isOver) return run && viewOf(run);
    return await new Promise((resolve) => run.waiting.push(resolve));
  }

  close(): void {
    this.#feed({ kind: 'interrupted' });
  }

  #checkedRules() {
    const { cart } = this.#deps;
    const rules = cart.rules();
    const fault = motionFault(rules);
    if (fault) throw new GatewayError('CONFLICT', fault);
    if (!cart.odometer()) throw new GatewayError('CONFLICT', navigationMessage('approach.no-odometry'));
    return rules;
  }

  #tick(): void {
    const { cart, clock, imageFault } = this.#deps;
    const odometer = cart.odometer();
    if (odometer) this.#odometry.add(clock.now(), planar(odometer));
    const refusal = cart.refusal() || (odometer ? '' : navigationMessage('approach.no-odometry'));
    const fault = imageFault();
    if (refusal) this.#abort({ kind: 'interrupted' }, refusal);
    else if (fault) this.#abort({ kind: 'unusable-images' }, fault);
    else this.#feed({ kind: 'tick' });
  }

  #abort(input: ApproachInput, reason: Text): void {
    if (this.#run && !isEnded(this.#run.state)) this.#run.reason = reason;
    this.#feed(input);
  }

  #see({ atMs, sightings }: Detection): void {
    const run = this.#run;
    if (!run) return;
    const track = run.origin ? this.#odometry.around(atMs, run.origin) : [];
    const sighting = clearSighting(sightings, run.marker.id);
    this.#feed({ kind: 'image', capturedMs: atMs, sighting, track });
  }

  #feed(input: ApproachInput): void {
    const run = this.#run;
    if (!run || isEnded(run.state)) return;
    const { state, effects } = stepApproach(run.state, input, this.#deps.clock.now());
    run.state = state;
    for (const effect of effects) {
      if (effect.kind === 'stop') run.stopMotion?.();
      else this.#move(run, effect.motion);
    }
    if (isEnded(run.state)) this.#end(run);
  }

  #move(run: Run, { distanceMm, angleDeg, isSlow }: ApproachMotion): void {
    const { maxMm, maxDeg, resolution } = this.#deps.cart.rules();
    const isTurnLimited = Math.abs(angleDeg) > maxDeg;
    const motion = {
      // After the first part of a turn that exceeds the limit, the run measures again.
      distanceMm: isTurnLimited ? 0 : within(distanceMm, maxMm, resolution.mm),
      angleDeg: within(angleDeg, maxDeg, resolution.deg),
      maxSpeedMmps: isSlow ? SPEEDS_MMPS.slow : SPEEDS_MMPS.normal,
    };
    run.origin = this.#odometry.pose;
    run.commands += 1;
    try {
      const stopMotion = run.sender.move(motion, (end) => this.#moved(run, end));
      run.stopMotion = stopMotion;
      // Accepting the command can itself interrupt the run.
      if (isEnded(run.state)) stopMotion();
    } catch (error) {
      const isBlocked = error instanceof GatewayError && error.code === 'OBSTACLE';
      const outcome = isBlocked ? 'blocked' : 'failed';
      this.#moved(run, { outcome, distanceMm: 0, angleDeg: 0, reason: errorText(error) });
    }
  }

  #moved(run: Run, { reason, outcome, ...travel }: MotionEnd): void {
    run.stopMotion = undefined;
    if (run !== this.#run || isEnded(run.state)) return;
    run.reason = outcome === 'finished' || outcome === 'stopped' ? '' : reason;
    this.#feed(outcome === 'interrupted' ? { kind: 'interrupted' } : { kind: 'ended', outcome, ...travel });
  }

  #end(run: Run): void {
    if (run.isOver) return;
    run.isOver = true;
    for (const cancel of run.cancels.splice(0)) cancel();
    const { code, residual, reason = '' } = viewOf(run);
    this.#deps.log.info('approach.ended', {
      runId: run.id,
      phase: run.state.phase,
      commands: run.commands,
      reason: textOf(reason),
      ...(code ? { code } : {}),
      ...(residual ? { residual } : {}),
    });
    for (const resolve of run.waiting.splice(0)) resolve(viewOf(run));
  }
}

function isEnded({ phase }: ApproachState): boolean {
  return phase === 'FINISHED' || phase === 'FAILED';
}

function viewOf({ id, marker, goal, sender, startedAt, state, commands, reason }: Run): ApproachView {
  const { phase } = state;
  const view = {
    runId: id,
    phase,
    markerId: marker.id,
    ...goal,
    by: sender.name,
    startedAt,
    commands,
  };
  if (phase === 'FINISHED') return { ...view, residual: state.residual };
  if (phase !== 'FAILED') return view;
  const text = reason || navigationMessage(`approach.${state.reason}`, { id: marker.id });
  return { ...view, code: state.reason, reason: text };
}

function within(value: number, limit: number, unit: number): number {
  const most = Math.floor(limit / unit + 1e-9) * unit;
  return Math.max(-most, Math.min(most, value));
}

/** Throws `INVALID_INPUT` if the outline of the cart would be beyond the plane of the marker at the goal. */
function requireClearance(
  { standoffMm, headingDeg }: Run['goal'],
  footprint: MotionRules['footprint'],
): void {
  const [cos, sin] = [Math.cos(headingDeg * RAD), Math.sin(headingDeg * RAD)];
  const reachMm = Math.ceil(Math.max(0, ...footprint.map(({ xMm, yMm }) => xMm * cos - yMm * sin)));
  if (standoffMm >= reachMm) return;
  throw new GatewayError('INVALID_INPUT', navigationMessage('approach.too-close', { mm: reachMm }), {
    field: 'standoffMm',
    limit: reachMm,
    unit: 'mm',
  });
}
