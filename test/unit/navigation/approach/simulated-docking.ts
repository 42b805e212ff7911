import { startApproach, stepApproach } from '../../../../src/navigation/approach/machine.js';
import type {
  ApproachInput,
  ApproachMotion,
  ApproachState,
  Goal,
  Measured,
} from '../../../../src/navigation/approach/model.js';
import { poseAfter } from '../../../../src/navigation/approach/plan.js';
import type { Marker, Pose } from '../../../../src/navigation/markers/model.js';
import type { PlanarPose } from '../../../../src/navigation/planar.js';
import { signedDegrees } from '../../../../src/shared/angles.js';
import { trapezoid } from '../../../../src/shared/motion-profile.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';
import { type CameraView, SimulatedCart, sightingOf, withNoise } from '../simulated-cart.js';

const STEP_MS = 50;
const IMAGE_MS = 100;
const LATENCY_MS = 100;
/** Images may be older than their capture time indicates, by up to this much. */
const MAX_LAG_MS = 250;
const MAX_MS = 200_000;
/** Pose of the camera in the cart's frame. */
export const CAMERA: Pose = { xMm: 150, yMm: 0, headingDeg: 0 };
const VIEW: CameraView = { halfAngleDeg: 31, maxRangeMm: 5000, maxYawDeg: 65 };
/** The figures for 640x480 in navigation.md are 95th percentiles: range 1 %, yaw 2 degrees. */
const NOISE = { rangeMm: 0, rangeShare: 0.005, bearingDeg: 0.03, yawDeg: 1 };
/** At long range, the yaw of a marker that almost faces the camera has two interpretations. */
const AMBIGUOUS = { fromMm: 2000, belowDeg: 12 };
export const MARKER: Marker = { id: 7, sizeMm: 150, xMm: 0, yMm: 0, headingDeg: 0, purpose: 'dock' };
const GOAL: Goal = { standoffMm: 500, lateralMm: 0, headingDeg: 0 };

export interface DockingOptions {
  seed: number;
  /** Share of the images that are lost. */
  dropped?: number;
  /** Units of a command. */
  resolution?: { mm: number; deg: number };
  /** Returns what the camera measures from a pose; by default, with the errors stated in navigation.md. */
  look?: (cart: Pose) => Measured | undefined;
}

export interface Docking {
  state: ApproachState;
  /** True deviation from the goal. */
  mm: number;
  deg: number;
  seconds: number;
}

/** Docks from a random start within 3 m of the marker and 40 degrees of its normal; the marker is in view. */
export function simulateDocking({
  seed,
  dropped = 0.05,
  resolution = { mm: 1, deg: 0.1 },
  look,
}: DockingOptions): Docking {
  const random = randomFrom(seed);
  const normal = normalFrom(random);
  const see = look ?? ((cart: Pose) => measuredFrom(cart, normal));
  const cart = new SimulatedCart(randomStart(random), random);
  const rules = { camera: CAMERA, resolution };
  let state = startApproach(GOAL, rules, 0);
  let nowMs = 0;
  let command: Command | undefined;
  let track: { atMs: number; pose: PlanarPose }[] = [];
  const images: { atMs: number; capturedMs: number; sighting: Measured | undefined }[] = [];
  const send = (input: ApproachInput): void => {
    const { state: next, effects } = stepApproach(state, input, nowMs);
    state = next;
    for (const effect of effects) {
      if (effect.kind === 'move') {
        command = new Command(cart, effect.motion);
        track = [];
      } else if (command) {
        const { distanceMm, angleDeg } = command.done;
        command = undefined;
        send({ kind: 'ended', outcome: 'stopped', distanceMm, angleDeg });
      }
    }
  };
  while (state.phase !== 'FINISHED' && state.phase !== 'FAILED' && nowMs < MAX_MS) {
    nowMs += STEP_MS;
    command?.run(STEP_MS);
    if (command) track.push({ atMs: nowMs, pose: poseAfter(command.done) });
    if (command?.isDone) {
      const { distanceMm, angleDeg } = command.done;
      command = undefined;
      send({ kind: 'ended', outcome: 'finished', distanceMm, angleDeg });
    }
    if (nowMs % IMAGE_MS === 0 && random() >= dropped) {
      const sighting = see(cart.pose);
      images.push({ atMs: nowMs + LATENCY_MS, capturedMs: nowMs, sighting });
    }
    while ((images[0]?.atMs ?? Infinity) <= nowMs) {
      const image = images.shift();
      if (!image) break;
      const { capturedMs, sighting } = image;
      const possible = track.filter(({ atMs }) => atMs >= capturedMs - MAX_LAG_MS);
      send({ kind: 'image', capturedMs, sighting, track: possible.map(({ pose }) => pose) });
    }
    send({ kind: 'tick' });
  }
  const { xMm, yMm, headingDeg } = cart.pose;
  return {
    state,
    mm: Math.hypot(xMm - GOAL.standoffMm, yMm),
    deg: Math.abs(signedDegrees(headingDeg - 180)),
    seconds: nowMs / 1000,
  };
}

function randomStart(random: () => number): Pose {
  const rangeMm = 1200 + 1800 * random();
  const angle = ((80 * random() - 40) * Math.PI) / 180;
  const start = { xMm: rangeMm * Math.cos(angle), yMm: rangeMm * Math.sin(angle) };
  const towardsDeg = (Math.atan2(-start.yMm, -start.xMm) * 180) / Math.PI;
  return { ...start, headingDeg: towardsDeg + 40 * random() - 20 };
}

function measuredFrom(cart: Pose, normal: () => number): Measured | undefined {
  const ideal = sightingOf(cart, CAMERA, MARKER, VIEW);
  return ideal && withNoise(ambiguous(ideal), NOISE, normal);
}

function ambiguous(sighting: NonNullable<ReturnType<typeof sightingOf>>): typeof sighting {
  const { rangeMm, bearingDeg, yawDeg } = sighting;
  const isAmbiguous = rangeMm > AMBIGUOUS.fromMm && Math.abs((yawDeg ?? 0) - bearingDeg) < AMBIGUOUS.belowDeg;
  return isAmbiguous ? { ...sighting, yawDeg: null } : sighting;
}

/** A turn, then a straight line, with trapezoidal speed profiles. */
class Command {
  readonly #cart: SimulatedCart;
  readonly #turn: ReturnType<typeof trapezoid>;
  readonly #line: ReturnType<typeof trapezoid>;
  readonly done = { distanceMm: 0, angleDeg: 0 };
  #ms = 0;

  constructor(cart: SimulatedCart, { distanceMm, angleDeg, isSlow }: ApproachMotion) {
    this.#cart = cart;
    this.#turn = trapezoid(angleDeg, { max: 45, accel: 60, decel: 60 });
    this.#line = trapezoid(distanceMm, { max: isSlow ? 100 : 300, accel: 500, decel: 500 });
  }

  get isDone(): boolean {
    return this.#ms >= this.#turn.durationMs + this.#line.durationMs;
  }

  run(ms: number): void {
    this.#ms += ms;
    const angleDeg = this.#turn.at(this.#ms);
    const distanceMm = this.#line.at(this.#ms - this.#turn.durationMs);
    this.#cart.move(distanceMm - this.done.distanceMm, angleDeg - this.done.angleDeg);
    Object.assign(this.done, { distanceMm, angleDeg });
  }
}
