import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { Clock } from '../../shared/ports/ports.js';
import type { Motors } from '../boards/motors.js';
import type { Body } from '../physics/physics.js';
import type { FaultPanel } from './faults.js';
import type { ControllerEstopLatch } from './firmware-state.js';
import type { Health } from './health.js';
import type { Line } from './line.js';

/** What outlives a restart of the firmware. */
export interface ControllerContext {
  clock: Clock;
  body: Body;
  faults: FaultPanel;
  line: Line;
  random: () => number;
  estopPressed: () => boolean;
  /** `commandsSeen`: MOVE and JOG frames, repeated and refused ones included. `motions`: those that really began. */
  counters: { framesReceived: number; commandsSeen: number; motions: number };
  onChange: () => void;
}

/** What runs on the board from one start to the next: everything in it is forgotten by a reset. */
export interface Program {
  readonly motors: Motors;
  readonly health: Health;
  readonly estop: Pick<ControllerEstopLatch, 'latched' | 'touch' | 'resetHere'>;
  readonly state: ControllerState;
  /** Its first words. */
  start(): void;
  receive(bytes: Uint8Array): void;
  /** Something that a status tells has changed. */
  report(): void;
  /** Its own emergency-stop input was pressed. */
  emergencyStop(): void;
  /** The power is gone: nothing more is sent, no timer is left. */
  kill(): void;
}
