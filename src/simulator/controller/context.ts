import type { Clock } from '../../shared/ports/ports.js';
import type { Body } from '../physics/physics.js';
import type { FaultPanel } from './faults.js';
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
