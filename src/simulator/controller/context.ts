import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Motors } from '../boards/motors.js';
import type { Chassis } from '../physics/physics.js';
import type { FaultPanel } from './faults.js';
import type { ControllerEstopLatch } from './firmware-state.js';
import type { Health } from './health.js';
import type { Line } from './line.js';

/** State that is kept when the firmware restarts. */
export interface ControllerContext {
  clock: Clock;
  chassis: Chassis;
  faults: FaultPanel;
  line: Line;
  random: () => number;
  estopPressed: () => boolean;
  /**
   * `commandsSeen` counts MOVE and JOG frames, including repeated and rejected ones. `motions` counts the
   * motions that started.
   */
  counters: { framesReceived: number; commandsSeen: number; motions: number };
  onChange: () => void;
}

/** The board's program, from one start to the next. A reset discards it. */
export interface Program {
  readonly motors: Motors;
  readonly health: Health;
  readonly estop: Pick<ControllerEstopLatch, 'latched' | 'renewNonce' | 'resetLocally'>;
  readonly state: ControllerState;
  /** Sends the first output after a start. */
  start(): void;
  receive(bytes: Uint8Array): void;
  /** Reports the state after a change. */
  report(): void;
  /** Called when the button at the controller's E-stop input is pressed. */
  emergencyStop(): void;
  /** Called when the power is lost. Stops sending and cancels all timers. */
  kill(): void;
}
