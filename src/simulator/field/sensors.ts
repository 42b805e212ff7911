import type { ControllerFaults } from '../controller/faults.js';
import type { Chassis } from '../physics/physics.js';
import { BODY, type SimulatedPlan } from './plan.js';

export interface MountedSensor {
  /** Position on the cart in mm: ahead and to the left of its centre. */
  xMm: number;
  yMm: number;
  /** 0 = straight ahead, positive = to the left. */
  angleDeg: number;
  fieldOfViewDeg: number;
  maxRangeMm: number;
}

const { halfLengthMm: front, halfWidthMm: side } = BODY;
const INSET_MM = 20;
const TYPE = { fieldOfViewDeg: 27, maxRangeMm: 3000 };

/**
 * Seven sensors similar to the VL53L1X: three at the front, two at the rear and one on each side. They cannot
 * detect narrow obstacles between two sensors, or anything beside the front or rear third of the cart. They are mounted
 * on the sides of the cart; the positions are those on the default outline.
 */
export const SENSORS: readonly MountedSensor[] = [
  { xMm: front, yMm: side - INSET_MM, angleDeg: 0, ...TYPE },
  { xMm: front, yMm: 0, angleDeg: 0, ...TYPE },
  { xMm: front, yMm: INSET_MM - side, angleDeg: 0, ...TYPE },
  { xMm: -front, yMm: side - INSET_MM, angleDeg: 180, ...TYPE },
  { xMm: -front, yMm: INSET_MM - side, angleDeg: 180, ...TYPE },
  { xMm: 0, yMm: side, angleDeg: 90, ...TYPE },
  { xMm: 0, yMm: -side, angleDeg: -90, ...TYPE },
];

/** Standard deviation of a measurement, as a constant part plus a share of the distance. */
const NOISE_MM = 3;
const NOISE_SHARE = 0.01;

export interface SensorReading {
  /** Null if nothing is within range. */
  rangeMm: number | null;
  /** Time of the measurement; -Infinity before the first measurement. */
  atMs: number;
}

interface SensorsDeps {
  plan: SimulatedPlan;
  chassis: Chassis;
  faults: ControllerFaults;
  random: () => number;
}

export class DistanceSensors {
  readonly readings: SensorReading[] = SENSORS.map(() => ({ rangeMm: null, atMs: Number.NEGATIVE_INFINITY }));
  readonly #deps: SensorsDeps;

  constructor(deps: SensorsDeps) {
    this.#deps = deps;
  }

  /** Takes one measurement with each sensor, except for injected drop-outs. */
  measure(nowMs: number): void {
    const { faults, random } = this.#deps;
    const dropOuts = faults.argument('sensorDropouts') ?? 0;
    for (const [index, sensor] of SENSORS.entries()) {
      if (faults.argument('sensorSilent') === index) continue;
      if (dropOuts > 0 && random() < dropOuts) continue;
      this.readings[index] = { rangeMm: this.#measured(sensor), atMs: nowMs };
    }
  }

  /** Returns the distance in mm without noise; Infinity if nothing is in the sensor's field of view. */
  trueDistance(mounted: MountedSensor): number {
    const { plan, chassis } = this.#deps;
    const { angleDeg, fieldOfViewDeg } = mounted;
    const { frontMm, rearMm, leftMm, rightMm } = plan.extent;
    const xMm = moved(mounted.xMm, { by: front, above: frontMm, below: rearMm });
    const yMm = moved(mounted.yMm, { by: side, above: leftMm, below: rightMm });
    const [cos, sin] = [Math.cos(chassis.headingRad), Math.sin(chassis.headingRad)];
    const sensor = {
      xMm: chassis.xMm + xMm * cos - yMm * sin,
      yMm: chassis.yMm + xMm * sin + yMm * cos,
      headingRad: chassis.headingRad + radians(angleDeg),
    };
    return plan.distance(sensor, radians(fieldOfViewDeg));
  }

  #measured(sensor: MountedSensor): number | null {
    if (this.#deps.plan.walls.length === 0) return null;
    const distance = this.trueDistance(sensor);
    if (distance > sensor.maxRangeMm) return null;
    const noisy = distance + this.#gaussian() * (NOISE_MM + NOISE_SHARE * distance);
    return Math.max(0, Math.round(noisy));
  }

  /** Standard normal distribution (Box–Muller). */
  #gaussian(): number {
    const { random } = this.#deps;
    return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  }
}

/** Moves a position on the default outline, whose sides are at ±`by`, by as much as these sides have moved. */
function moved(position: number, { by, above, below }: { by: number; above: number; below: number }): number {
  if (position === 0) return 0;
  return position > 0 ? position + above - by : position - below + by;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
