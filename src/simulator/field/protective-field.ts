import type { FrameBody, FrameOf, NackCode, TravelDirection } from '../../carts/index.js';
import {
  BLOCKED,
  BUMPERS,
  countsFor,
  FAULTS,
  stopDistanceMm,
  TRAVEL_DIRECTIONS,
  travelDirection,
  turningMmps,
} from '../../carts/pure.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Motors } from '../boards/motors.js';
import type { ControllerFaults } from '../controller/faults.js';
import type { ControllerHealth } from '../controller/health.js';
import type { Chassis } from '../physics/physics.js';
import type { SimulatedPlan } from './plan.js';
import { type DistanceSensors, SENSORS } from './sensors.js';

/** The controller's own values, which a FIELD frame can only increase. */
const OWN = { marginMm: 100, reactionMs: 100 };
const RELEASE_MM = 100;
const SILENT_MS = 200;
const MEASURE_MS = 50;
const ON = 1;
const FRONT = BUMPERS.frontLeft | BUMPERS.frontRight;
const REAR = BUMPERS.rearLeft | BUMPERS.rearRight;
const BUMPERS_OF = { forward: FRONT, backward: REAR, turning: FRONT | REAR };

interface FieldDeps {
  clock: Clock;
  chassis: Chassis;
  faults: ControllerFaults;
  sensors: DistanceSensors;
  motors: Motors;
  health: ControllerHealth;
  plan: SimulatedPlan;
  report: () => void;
  onContact: () => void;
}

/** The protective field of the reference firmware; see docs/protocol.md, section 17. */
export class SimulatedProtectiveField {
  /** True if the session's host has sent a FIELD frame and therefore understands RANGES frames. */
  isReported = false;
  readonly #deps: FieldDeps;
  #cancel: Cancel = () => undefined;
  #marginMm = OWN.marginMm;
  #reactionMs = OWN.reactionMs;
  #bumpers = 0;
  /** Directions in which an obstacle blocks motion. */
  #near = new Set<TravelDirection>();
  #blocked = 0;
  #hasStopped = false;
  #measuredMs = 0;
  #isTouching = false;

  constructor(deps: FieldDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#measure();
    this.#cancel = this.#deps.clock.every(MEASURE_MS, () => this.#measure());
  }

  close(): void {
    this.#cancel();
  }

  /** The controller's own values apply until the new session's host sends a FIELD frame. */
  restart(): void {
    this.isReported = false;
    this.#marginMm = OWN.marginMm;
    this.#reactionMs = OWN.reactionMs;
  }

  /** This controller does not permit switching the field off. */
  validate({ flags }: FrameOf<'FIELD'>): NackCode | undefined {
    if ((flags & ~ON) !== 0) return 'RANGE';
    return flags === ON ? undefined : 'UNSUPPORTED';
  }

  apply({ marginMm, reactionMs }: FrameOf<'FIELD'>): void {
    this.isReported = true;
    this.#marginMm = Math.max(OWN.marginMm, marginMm);
    this.#reactionMs = Math.max(OWN.reactionMs, reactionMs);
  }

  /** Returns true if the field rejects the motion. If one speed is 0, only the sign of the other speed matters. */
  blocks(speedMmps: number, omegaDdegps: number): boolean {
    const direction = travelDirection(speedMmps, turningMmps(omegaDdegps, this.#deps.chassis.trackMm));
    return direction !== undefined && (this.#blocked & BLOCKED[direction]) !== 0;
  }

  /** Called every 10 ms during a motion and after each measurement. */
  check(nowMs: number): void {
    const { faults, health, motors, report } = this.#deps;
    // After this process was paused, the motion's timer may run before the sensors' timer. The sensors are then read
    // here, so that they do not count as silent.
    if (nowMs - this.#measuredMs > SILENT_MS) this.#read(nowMs);
    const { speedMmps, omegaDdegps } = motors.progress;
    const turnMmps = turningMmps(omegaDdegps, this.#deps.chassis.trackMm);
    const travel = travelDirection(speedMmps, turnMmps);
    const before = [this.#bumpers, this.#blocked];
    const pressed = (faults.argument('bumper') ?? 0) & ~this.#bumpers;
    this.#bumpers = faults.argument('bumper') ?? 0;
    this.#blocked = this.#blockedAt(nowMs, travel, Math.abs(speedMmps) + Math.abs(turnMmps));
    const isSilent = (this.#blocked & BLOCKED.sensorSilent) !== 0;
    const isObstructed = travel !== undefined && (this.#blocked & BLOCKED[travel]) !== 0;
    const isHit = pressed !== 0 && motors.phase !== 'idle';
    const isRunning = motors.phase === 'running';
    if (isHit || (isRunning && isObstructed)) this.#hasStopped = true;
    if ((this.#blocked & ~BLOCKED.sensorSilent) === 0) this.#hasStopped = false;
    health.fieldFaults = (this.#hasStopped ? FAULTS.obstacle : 0) | (isSilent ? FAULTS.sensorSilent : 0);
    if (isHit) motors.stop(0, { event: 'failed', reason: 'obstacle' });
    else if (isRunning && isObstructed) motors.stop(1, { event: 'failed', reason: 'obstacle' });
    else if (isRunning && isSilent) motors.stop(1, { event: 'failed', reason: 'sensorSilent' });
    this.#watchContact();
    if (before[0] !== this.#bumpers || before[1] !== this.#blocked) report();
  }

  ranges(nowMs: number): Extract<FrameBody, { type: 'RANGES' }> {
    return {
      type: 'RANGES',
      bumpers: this.#bumpers,
      blocked: this.#blocked,
      ranges: this.#deps.sensors.readings.map(({ rangeMm, atMs }, sensor) => {
        const ageCs = Math.round((nowMs - atMs) / 10);
        return {
          sensor,
          rangeMm,
          ageCs: ageCs < 255 ? ageCs : null,
          flags: nowMs - atMs > SILENT_MS ? 0 : 1,
        };
      }),
    };
  }

  sensors(): Extract<FrameBody, { type: 'SENSORS_R' }> {
    return {
      type: 'SENSORS_R',
      sensors: SENSORS.map(({ angleDeg, fieldOfViewDeg, maxRangeMm }) => ({
        angleDdeg: angleDeg * 10,
        fieldOfViewDeg,
        maxRangeCm: maxRangeMm / 10,
      })),
    };
  }

  #watchContact(): void {
    const { chassis, plan, onContact } = this.#deps;
    const isTouching = plan.touches(chassis);
    if (isTouching && !this.#isTouching) onContact();
    this.#isTouching = isTouching;
  }

  #measure(): void {
    const nowMs = this.#deps.clock.now();
    this.#read(nowMs);
    this.check(nowMs);
  }

  #read(nowMs: number): void {
    this.#measuredMs = nowMs;
    this.#deps.sensors.measure(nowMs);
  }

  #blockedAt(nowMs: number, travel: TravelDirection | undefined, wheelMmps: number): number {
    const { readings } = this.#deps.sensors;
    let blocked = readings.some(({ atMs }) => nowMs - atMs > SILENT_MS) ? BLOCKED.sensorSilent : 0;
    for (const direction of TRAVEL_DIRECTIONS) {
      const spaceMm = this.#spaceMm(nowMs, direction, direction === travel ? wheelMmps : 0);
      if (spaceMm < 0) this.#near.add(direction);
      else if (spaceMm >= RELEASE_MM) this.#near.delete(direction);
      const isPressed = (this.#bumpers & BUMPERS_OF[direction]) !== 0;
      if (isPressed || this.#near.has(direction)) blocked |= BLOCKED[direction];
    }
    return blocked;
  }

  /** Smallest difference between a range and the stop distance; negative if an obstacle is too near. */
  #spaceMm(nowMs: number, direction: TravelDirection, wheelMmps: number): number {
    const { decelMmps2 } = this.#deps.motors;
    const marginMm = this.#marginMm;
    let spaceMm = Number.POSITIVE_INFINITY;
    for (const [index, { rangeMm, atMs }] of this.#deps.sensors.readings.entries()) {
      if (rangeMm === null || !countsFor(direction, SENSORS[index]?.angleDeg ?? 0)) continue;
      const reactionMs = this.#reactionMs + nowMs - atMs;
      spaceMm = Math.min(spaceMm, rangeMm - stopDistanceMm(wheelMmps, { reactionMs, decelMmps2, marginMm }));
    }
    return spaceMm;
  }
}
