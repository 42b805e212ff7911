import { GatewayError } from '../../../shared/errors.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import type { DriverCounters, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { Steps } from './wheels.js';

/** A board's last known status; null if not reported. */
export interface BoardStatus {
  estop: boolean;
  errors: readonly string[];
  warnings: readonly string[];
  batteryMv: number | null;
  tempBoardC: number | null;
}

/** A motor controller that accepts speeds and measures no distance: RoboClaw or Sabertooth. */
export interface OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters: DriverCounters;
  readonly status: BoardStatus;
  /** Stops the motors and sets the board's own watchdog. Rejects with HELLO_TIMEOUT or INCOMPATIBLE. */
  open(): Promise<Hello>;
  /** Writes both speeds before this returns. Resolves on the acknowledgement, or at once if the board sends none. */
  set(steps: Steps): Promise<void>;
  /** Sets both speeds to zero, repeated until acknowledged. Rejects with SERIAL_ACK_TIMEOUT. */
  stop(): Promise<void>;
  /** Updates `status`, if the board can report it. */
  poll(): Promise<void>;
  /** Called for every heartbeat: polls the board and restores lost settings. Throws SERIAL_DOWN. */
  heartbeat(): void;
  /** The listener is called for every report or, if the board never reports, after every heartbeat. */
  onReport(listener: () => void): Cancel;
  onFault(listener: (fault: SessionFault) => void): Cancel;
  /** Rejects pending requests and cancels timers. */
  close(): void;
}

/** Throws INCOMPATIBLE if the board does not support the baud rate. */
export function checkBaud({ baudRate, driver }: SerialSettings, supported: readonly number[]): void {
  if (supported.includes(baudRate)) return;
  throw new GatewayError('INCOMPATIBLE', serialMessage('baud-unsupported', { driver, baud: baudRate }), {
    field: 'serial.baudRate',
    hint: serialMessage('baud-hint', { bauds: supported.join(', ') }),
  });
}
