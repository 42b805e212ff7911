import type { ControllerState } from '../carts/index.js';
import type { ControllerContext, ControllerProgram } from './controller/context.js';
import type { FaultVerb } from './controller/faults.js';
import type { Wall } from './field/plan.js';

/** The cart's true state, independent of the serial line. */
export interface Snapshot {
  /** Position in mm from the initial position; x points along the initial heading. */
  x: number;
  y: number;
  /** Degrees in the range (-180, 180]; positive is left. */
  heading: number;
  /** Signed speed in mm/s. */
  speed: number;
  /** Turn rate in degrees per second; positive is left. */
  turnRate: number;
  state: ControllerState | 'OFF';
  enable: boolean;
  wireId: number;
  estop: { pressed: boolean; latched: boolean };
  batteryMv: number;
  socPercent: number;
  faults: FaultVerb[];
  starts: number;
  framesReceived: number;
  /** Number of MOVE and JOG frames, including repeated and rejected ones. */
  commandsSeen: number;
  motions: number;
  walls: readonly Wall[];
  contacts: number;
}

/** Board state that does not depend on running firmware. */
interface BoardState {
  powered: boolean;
  pressed: boolean;
  starts: number;
}

/** @param firmware undefined while the controller is off or starting. */
export function snapshotOf(
  context: ControllerContext,
  firmware: ControllerProgram | undefined,
  board: BoardState,
): Snapshot {
  const { chassis, faults, counters, plan } = context;
  const { powered, pressed, starts } = board;
  const motors = firmware?.motors;
  return {
    x: chassis.xMm,
    y: chassis.yMm,
    heading: chassis.headingDeg,
    speed: motors?.progress.speedMmps ?? 0,
    turnRate: (motors?.progress.omegaDdegps ?? 0) / 10,
    state: firmware?.state ?? (powered ? 'BOOT' : 'OFF'),
    enable: motors?.enable ?? false,
    wireId: motors?.wireId ?? 0,
    estop: { pressed, latched: firmware?.estop.latched ?? pressed },
    batteryMv: firmware?.health.batteryMv ?? chassis.batteryMv,
    socPercent: chassis.socPercent,
    faults: faults.list(),
    starts,
    walls: plan.walls,
    ...counters,
  };
}
