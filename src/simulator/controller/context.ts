import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Motors } from '../boards/motors.js';
import type { Chassis } from '../physics/physics.js';
import type { FaultPanel } from './faults.js';
import type { ControllerEstopLatch } from './firmware-state.js';
import type { Health } from './health.js';
import type { Line } from './line.js';

/** State that survives a firmware restart. */
export interface ControllerContext {
  clock: Clock;
  chassis: Chassis;
  faults: FaultPanel;
  line: Line;
  random: () => number;
  estopPressed: () => boolean;
  /** `commandsSeen` counts all MOVE and JOG frames, even rejected ones; `motions` counts started motions. */
  counters: { framesReceived: number; commandsSeen: number; motions: number };
  onChange: () => void;
}

/** One run of the board's program, from one start to the next. */
export interface Program {
  readonly motors: Motors;
  readonly health: Health;
  readonly estop: Pick<ControllerEstopLatch, 'latched' | 'renewNonce' | 'resetLocally'>;
  readonly state: ControllerState;
  /** Sends the first output after a start. */
  start(): void;
  receive(bytes: Uint8Array): void;
  report(): void;
  /** Called when the controller's E-stop button is pressed. */
  emergencyStop(): void;
  /** Called on power loss. Stops sending and cancels all timers. */
  kill(): void;
}
