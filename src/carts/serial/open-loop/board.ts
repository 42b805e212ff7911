import { GatewayError } from '../../../shared/errors.js';
import type { Cancel } from '../../../shared/ports/clock.js';
import type { DriverCounters, DriverTraits, Hello, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { Steps } from './wheels.js';

/** Values that the board does not report are null. */
export interface BoardStatus {
  estop: boolean;
  errors: readonly string[];
  warnings: readonly string[];
  batteryMv: number | null;
  tempBoardC: number | null;
}

/** A motor controller that accepts speed commands but does not measure distance: RoboClaw or Sabertooth. */
export interface OpenLoopBoard {
  readonly traits: DriverTraits;
  readonly counters: DriverCounters;
  readonly status: BoardStatus;
  /** Stops the motors and sets the board's watchdog. Rejects with HELLO_TIMEOUT or INCOMPATIBLE. */
  open(): Promise<Hello>;
  /** Writes both speeds before returning. Resolves on the acknowledgement, or immediately if the board sends none. */
  set(steps: Steps): Promise<void>;
  /** Repeats the command until the board acknowledges it. Rejects with SERIAL_ACK_TIMEOUT. */
  stop(): Promise<void>;
  /** Writes zero speed once before returning, and ignores whether the board acknowledges it. Throws SERIAL_DOWN. */
  writeZeroSpeed(): void;
  poll(): Promise<void>;
  /** Polls the board and restores settings that the board has lost. Throws SERIAL_DOWN. */
  heartbeat(): void;
  /** Called for every report, or after every heartbeat if the board sends no reports. */
  onReport(listener: () => void): Cancel;
  onFault(listener: (fault: SessionFault) => void): Cancel;
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
