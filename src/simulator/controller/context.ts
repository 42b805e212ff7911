import type { ControllerState } from '../../carts/index.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Motors } from '../boards/motors.js';
import type { SimulatedPlan } from '../field/plan.js';
import type { Chassis } from '../physics/physics.js';
import type { ControllerFaults } from './faults.js';
import type { ControllerEstopLatch } from './firmware-state.js';
import type { ControllerHealth } from './health.js';
import type { Line } from './line.js';

/** State that survives a firmware restart. */
export interface ControllerContext {
  clock: Clock;
  chassis: Chassis;
  faults: ControllerFaults;
  line: Line;
  plan: SimulatedPlan;
  /** True if the controller has distance sensors and a protective field. */
  hasField: boolean;
  random: () => number;
  estopPressed: () => boolean;
  /** `commandsSeen` counts all MOVE and JOG frames, even rejected ones; `motions` counts started motions. */
  counters: { framesReceived: number; commandsSeen: number; motions: number; contacts: number };
  onChange: () => void;
}

/** The board's program, from one start of the board to the next. */
export interface ControllerProgram {
  readonly motors: Motors;
  readonly health: ControllerHealth;
  readonly estop: Pick<ControllerEstopLatch, 'latched' | 'pressReset' | 'releaseReset'>;
  readonly state: ControllerState;
  start(): void;
  receive(bytes: Uint8Array): void;
  report(): void;
  /** Called when the controller's E-stop button is pressed. */
  emergencyStop(): void;
  /** Called on power loss. Stops sending and cancels all timers. */
  kill(): void;
}
