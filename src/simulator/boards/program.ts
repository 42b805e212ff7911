import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { ControllerEstopLatch } from '../controller/estop-latch.js';
import type { Health } from '../controller/health.js';
import type { Motors } from './motors.js';

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
