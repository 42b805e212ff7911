import type { ControllerState } from '../carts/serial/codec/codec.js';
import type { ControllerContext, Program } from './controller/context.js';
import type { FaultVerb } from './controller/faults.js';

/** The cart as a bystander sees it. */
export interface Snapshot {
  /** mm from the start, x along the first heading. */
  x: number;
  y: number;
  /** Degrees, (-180, 180], + = left. */
  heading: number;
  /** mm/s, signed. */
  speed: number;
  /** Degrees a second, + = left. */
  turnRate: number;
  state: ControllerState | 'OFF';
  /** The controller's own motor-enable output. */
  enable: boolean;
  /** The motion that runs; 0 = none. */
  wireId: number;
  estop: { pressed: boolean; latched: boolean };
  batteryMv: number;
  socPercent: number;
  /** The faults that were asked for. */
  faults: FaultVerb[];
  starts: number;
  framesReceived: number;
  /** MOVE and JOG frames, repeated and refused ones included. */
  commandsSeen: number;
  /** Motions that really began. */
  motions: number;
}

/** What is known even while no firmware runs. */
interface Casing {
  powered: boolean;
  pressed: boolean;
  starts: number;
}

/** Reads the state of everything; without a firmware the controller is off, or on its way to start. */
export function snapshotOf(
  world: ControllerContext,
  firmware: Program | undefined,
  casing: Casing,
): Snapshot {
  const { body, faults, counters } = world;
  const { powered, pressed, starts } = casing;
  const motors = firmware?.motors;
  return {
    x: body.xMm,
    y: body.yMm,
    heading: body.headingDeg,
    speed: motors?.progress.speedMmps ?? 0,
    turnRate: (motors?.progress.omegaDdegps ?? 0) / 10,
    state: firmware?.state ?? (powered ? 'BOOT' : 'OFF'),
    enable: motors?.enable ?? false,
    wireId: motors?.wireId ?? 0,
    estop: { pressed, latched: firmware?.estop.latched ?? pressed },
    batteryMv: firmware?.health.batteryMv ?? body.batteryMv,
    socPercent: body.socPercent,
    faults: faults.list(),
    starts,
    ...counters,
  };
}
