import type { ControllerState } from '../carts/codec.js';
import type { EstopLatch } from './estop-latch.js';
import type { Health } from './health.js';
import type { Motors } from './motors.js';

/** What runs on the board from one start to the next: everything in it is forgotten by a reset. */
export interface Program {
  readonly motors: Motors;
  readonly health: Health;
  readonly estop: Pick<EstopLatch, 'latched' | 'touch' | 'resetHere'>;
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
