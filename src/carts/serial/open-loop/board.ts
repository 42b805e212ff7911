import { GatewayError } from '../../../shared/errors.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import type { DriverCounters, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { Steps } from './wheels.js';

/** What a board says of itself, as far as it can. */
export interface BoardVitals {
  /** Its own emergency-stop input. */
  estop: boolean;
  /** Names of faults: with an error the motors are off. */
  errors: readonly string[];
  warnings: readonly string[];
  batteryMv: number | null;
  tempBoardC: number | null;
}

/** A motor controller that is told speeds and knows no distance: RoboClaw and Sabertooth, each in its own words. */
export interface OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters: DriverCounters;
  readonly vitals: BoardVitals;
  /** Stops the wheels and sets the board's own watchdog. Rejects HELLO_TIMEOUT or INCOMPATIBLE. */
  open(): Promise<Hello>;
  /** Both speeds, on the wire before this returns. Resolves when they are taken, as far as the board tells. */
  set(steps: Steps): Promise<void>;
  /** Both speeds zero, again and again until it is confirmed. Rejects SERIAL_ACK_TIMEOUT when nobody does. */
  rest(): Promise<void>;
  /** Asks how the board is. Resolves when `vitals` are fresh, as far as the board tells. */
  look(): Promise<void>;
  /** Called as often as the heartbeat: looks, and keeps what the board may have forgotten. Throws SERIAL_DOWN. */
  beat(): void;
  /** The board has spoken; for one that never does, we have. */
  onHeard(listener: () => void): Cancel;
  onFault(listener: (fault: SessionFault) => void): Cancel;
  /** What is pending is rejected, no timer is left. */
  close(): void;
}

/** Throws INCOMPATIBLE for a speed that the board does not know. */
export function checkBaud({ baudRate, driver }: SerialSettings, known: readonly number[]): void {
  if (known.includes(baudRate)) return;
  throw new GatewayError('INCOMPATIBLE', serialMessage('baud-unsupported', { driver, baud: baudRate }), {
    field: 'serial.baudRate',
    hint: serialMessage('baud-hint', { bauds: known.join(', ') }),
  });
}
