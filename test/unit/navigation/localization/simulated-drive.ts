import { Localizer } from '../../../../src/navigation/localization/localizer.js';
import type { Marker, MarkerSighting, Pose } from '../../../../src/navigation/markers/model.js';
import { signedDegrees } from '../../../../src/shared/angles.js';
import type { PlanEllipse } from '../../../../src/shared/ports/navigation/plan-pose.js';
import { normalFrom, randomFrom } from '../../../helpers/random.js';
import { type CameraView, SimulatedCart, sightingOf, withNoise } from '../simulated-cart.js';

const HALL = { widthMm: 10_000, heightMm: 7000 };
const EDGE_MM = 1500;
const STEP_MS = 100;
/** The cart first turns once, so that the sightings replace the pose that the operator entered. */
const SETTLING_MS = 8000;
const SPEED_MMPS = 300;
const TURN_DEGPS = 45;
const CAMERA: Pose = { xMm: 150, yMm: 0, headingDeg: 0 };
/** The field of view of Camera Module 2 is 62.2 degrees. */
export const VIEW: CameraView = { halfAngleDeg: 31, maxRangeMm: 6500, maxYawDeg: 65 };
/** Beyond this range, only this share of the markers is found, as bench/localization.ts measures in rendered images. */
export const FAR = { fromMm: 5000, found: 0.7 };
/** Share of the images that are lost. */
export const LOST = 0.05;
/** The targets for hardware in navigation.md are 95th percentiles: 1 % + 5 mm, 0.3 degrees and 2 degrees. */
const NOISE = { rangeMm: 2.5, rangeShare: 0.005, bearingDeg: 0.15, yawDeg: 1 };
/** At long range, the yaw of a marker that almost faces the camera has two interpretations. */
const AMBIGUOUS = { fromMm: 2500, belowDeg: 15 };

/** Two markers on each wall of the hall, facing inwards. */
export const MARKERS: readonly Marker[] = (
  [
    [2500, 0, 90],
    [7500, 0, 90],
    [10_000, 1750, 180],
    [10_000, 5250, 180],
    [7500, 7000, -90],
    [2500, 7000, -90],
    [0, 5250, 0],
    [0, 1750, 0],
  ] as const
).map(([xMm, yMm, headingDeg], id) => ({
  id,
  sizeMm: 150,
  purpose: 'reference',
  xMm,
  yMm,
  headingDeg,
}));

export function movedAlongWall(marker: Marker, mm: number): Marker {
  const normal = (marker.headingDeg * Math.PI) / 180;
  return {
    ...marker,
    xMm: marker.xMm + mm * Math.sin(normal),
    yMm: marker.yMm - mm * Math.cos(normal),
  };
}

export const LIMITS = {
  goodPositionMm: 100,
  goodHeadingDeg: 5,
  coarsePositionMm: 1000,
  coarseHeadingDeg: 20,
};

export interface DriveOptions {
  seed: number;
  metres: number;
  /** The markers' true poses. */
  real?: readonly Marker[];
  /** The pose that the filter starts with; the true pose by default. */
  placed?: Pose;
}

export interface DriveResult {
  localizer: Localizer;
  /** Errors at each step, in mm and degrees. */
  mm: number[];
  deg: number[];
  odometryMm: number[];
  odometryDeg: number[];
  /** Share of the steps in which the state was GOOD. */
  good: number;
  /** Share of the steps in which the true position was outside the ellipse, which contains it with 95 % probability. */
  outside: number;
}

/** Drives to random points in the hall. */
export function simulateDrive({ seed, metres, real = MARKERS, placed }: DriveOptions): DriveResult {
  const random = randomFrom(seed);
  const normal = normalFrom(random);
  const start = { xMm: HALL.widthMm / 2, yMm: HALL.heightMm / 2, headingDeg: 360 * random() - 180 };
  const cart = new SimulatedCart(start, random);
  const localizer = new Localizer({
    rules: () => ({ limits: LIMITS, camera: CAMERA }),
    marker: (id) => MARKERS[id],
  });
  const result: DriveResult = {
    localizer,
    mm: [],
    deg: [],
    odometryMm: [],
    odometryDeg: [],
    good: 0,
    outside: 0,
  };
  const reports: { atMs: number; capturedMs: number; sightings: MarkerSighting[] }[] = [];
  let [nowMs, drivenMm] = [0, 0];
  localizer.addOdometry(cart.odometer, nowMs);
  localizer.place(placed ?? start);

  const step = (distanceMm: number, angleDeg: number): void => {
    nowMs += STEP_MS;
    cart.move(distanceMm, angleDeg);
    drivenMm += Math.abs(distanceMm);
    localizer.addOdometry(cart.odometer, nowMs);
    if (random() >= LOST) {
      const sightings = real.flatMap((marker) => {
        const ideal = sightingOf(cart.pose, CAMERA, marker, VIEW);
        const isFound = ideal && (ideal.rangeMm < FAR.fromMm || random() < FAR.found);
        return isFound ? [withNoise(ambiguous(ideal), NOISE, normal)] : [];
      });
      reports.push({ atMs: nowMs + 50 + 150 * random(), capturedMs: nowMs, sightings });
    }
    while ((reports[0]?.atMs ?? Infinity) <= nowMs) {
      const report = reports.shift();
      if (report) localizer.addSightings(report);
    }
    if (nowMs > SETTLING_MS) record(result, localizer, cart, start, nowMs);
  };

  while (nowMs < SETTLING_MS) step(0, (TURN_DEGPS * STEP_MS) / 1000);
  while (drivenMm < metres * 1000) {
    const target = {
      x: EDGE_MM + random() * (HALL.widthMm - 2 * EDGE_MM),
      y: EDGE_MM + random() * (HALL.heightMm - 2 * EDGE_MM),
    };
    const [dx, dy] = [target.x - cart.pose.xMm, target.y - cart.pose.yMm];
    const turn = signedDegrees((Math.atan2(dy, dx) * 180) / Math.PI - cart.pose.headingDeg);
    const turns = Math.ceil(Math.abs(turn) / ((TURN_DEGPS * STEP_MS) / 1000));
    for (let i = 0; i < turns; i += 1) step(0, turn / turns);
    const steps = Math.ceil(Math.hypot(dx, dy) / ((SPEED_MMPS * STEP_MS) / 1000));
    for (let i = 0; i < steps; i += 1) step(Math.hypot(dx, dy) / steps, 0);
  }
  result.good /= result.mm.length;
  result.outside /= result.mm.length;
  return result;
}

function ambiguous(sighting: MarkerSighting): MarkerSighting {
  const { rangeMm, bearingDeg, yawDeg } = sighting;
  const isAmbiguous = rangeMm > AMBIGUOUS.fromMm && Math.abs((yawDeg ?? 0) - bearingDeg) < AMBIGUOUS.belowDeg;
  return isAmbiguous ? { ...sighting, yawDeg: null } : sighting;
}

function record(
  result: DriveResult,
  localizer: Localizer,
  { pose, odometer }: SimulatedCart,
  start: Pose,
  nowMs: number,
): void {
  const found = localizer.pose(nowMs);
  result.mm.push(found ? Math.hypot(found.xMm - pose.xMm, found.yMm - pose.yMm) : Infinity);
  result.deg.push(found ? Math.abs(signedDegrees(found.headingDeg - pose.headingDeg)) : 180);
  if (found?.state === 'GOOD') result.good += 1;
  if (!found || !isInside(found.ellipse, pose.xMm - found.xMm, pose.yMm - found.yMm)) result.outside += 1;
  const rad = (start.headingDeg * Math.PI) / 180;
  const x = start.xMm + odometer.xMm * Math.cos(rad) - odometer.yMm * Math.sin(rad);
  const y = start.yMm + odometer.xMm * Math.sin(rad) + odometer.yMm * Math.cos(rad);
  result.odometryMm.push(Math.hypot(x - pose.xMm, y - pose.yMm));
  result.odometryDeg.push(Math.abs(signedDegrees(start.headingDeg + odometer.headingDeg - pose.headingDeg)));
}

function isInside({ semiMajorMm, semiMinorMm, angleDeg }: PlanEllipse, x: number, y: number): boolean {
  const angle = (angleDeg * Math.PI) / 180;
  const along = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  return (along / semiMajorMm) ** 2 + (across / semiMinorMm) ** 2 <= 1;
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}
