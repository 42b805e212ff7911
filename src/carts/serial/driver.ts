import type { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ByteLink } from '../../shared/ports/serial.js';
import type { Order, Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import type { FieldPort } from '../protective-field/model.js';
import type { ProtectiveFieldSettings } from '../protective-field/settings-schema.js';
import type { SafetySettings } from '../safety/settings-schema.js';
import type { KinematicsSettings, SerialSettings } from './settings-schema.js';

/** Maximum turn speed of any cart, from the reference firmware. */
export const MAX_TURN_DEGPS = 90;

export interface MoveRequest {
  wireId: number;
  /** The values as received, for controllers that require unconverted values. */
  raw: Order['raw'];
  distanceMm: number;
  angleDdeg: number;
  maxSpeedMmps: number;
  maxDurationMs: number;
  /** Returns the time in ms that is left for the motion to start; called for every attempt. */
  remainingTtlMs: () => number;
}

export interface MotionReport {
  wireId: number;
  event: 'started' | 'finished' | 'failed' | 'cancelled' | 'expired' | 'fault';
  code: number;
  finalMm: number;
  finalDdeg: number;
}

export interface Hello {
  firmware: string;
  simulated: boolean;
  /** Number of times that the controller has started; undefined if not reported. */
  bootCount?: number;
  /** Capabilities (`CAPS`); undefined if not reported. */
  caps?: number;
}

export interface DriverTraits {
  /** `none` means that the controller does not acknowledge commands. */
  ack: 'frame' | 'none';
  /** True if the controller measures distance; otherwise, the driver estimates it from speed and time. */
  feedback: boolean;
  /** Timeout in ms of the controller's watchdog, which stops the cart; null if absent or not verifiable. */
  watchdogMs: number | null;
  /** True if the cart has a reset button that resets the controller's latch. */
  resetButton: boolean;
  /** The protection that this controller lacks, as a warning for operators; empty if none is missing. */
  warning: Text;
}

/** Shares of the highest speeds, 0 to 1. */
export interface SpeedShares {
  speed: number;
  turn: number;
}

export interface DriverCounters {
  sent: number;
  received: number;
  dropped: number;
  retried: number;
}

export interface SessionFault {
  code: 'CONTROLLER_RESET' | 'SERIAL_LOST' | 'LINE_NOISE' | 'STOP_UNCONFIRMED';
  text: Text;
}

/**
 * One session with one controller. The gateway never probes for controllers, because in some protocols any
 * byte sets a speed.
 */
export interface MotorDriver {
  readonly traits: DriverTraits;
  readonly counters: DriverCounters;
  /** Present after the handshake with a controller that has a protective field. */
  readonly field?: FieldPort | undefined;
  /** Performs the handshake and sets the limits. Rejects with HELLO_TIMEOUT, INCOMPATIBLE or SERIAL_DOWN. */
  open(): Promise<Hello>;
  /** Resolves when the motion is accepted; rejects with SERIAL_ACK_TIMEOUT or the controller's NACK. */
  move(request: MoveRequest): Promise<void>;
  /**
   * Drives until the lease expires or the next call is made. The frame is not acknowledged. If the driver rejects
   * the jog, throws the error; if the controller rejects it, calls the listeners of `onJogRejected`.
   */
  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void;
  /**
   * Limits the speeds of all motions, including a running one. Resolves when the controller has acknowledged the
   * limits, even if later ones have been sent in the meantime; rejects if it does not. Absent if the
   * driver cannot change the limits of a running motion.
   */
  limitSpeed?(shares: SpeedShares): Promise<void>;
  /**
   * Category 2 decelerates the cart and leaves the motors enabled. Category 1 decelerates the cart, then
   * disables the motors. Category 0 disables the motors immediately. The frame is written before this method
   * returns and is resent until it is acknowledged. Resolves on the acknowledgement, or immediately if
   * `traits.ack` is `none`; rejects with SERIAL_ACK_TIMEOUT, SERIAL_LOST or SERIAL_DOWN, which callers can
   * ignore.
   */
  stop(category: 0 | 1 | 2): Promise<void>;
  /** Gives the same guarantees as `stop`. */
  estop(source: number): Promise<void>;
  /** Rejects with the controller's NACK. */
  resetEstop(): Promise<void>;
  heartbeat(armed: boolean): void;
  /**
   * Writes, once, a message that keeps the motors from turning: an unarmed heartbeat or, for a controller that cannot
   * be armed, zero speed. Called just before the motors are enabled, so that they do not execute an earlier command.
   * Throws SERIAL_DOWN.
   */
  writeDisarmed(): void;
  onTelemetry(listener: (telemetry: Telemetry) => void): Cancel;
  onMotion(listener: (report: MotionReport) => void): Cancel;
  /**
   * Called when the controller's own E-stop input has been opened while a stop was already latched, so that a
   * reset of the earlier stop does not reset this stop. Absent if the controller has no such input.
   */
  onEstopInput?(listener: () => void): Cancel;
  /** Called when the controller rejects a jog. Absent if `jog` throws an error for every rejection. */
  onJogRejected?(listener: (wireId: number, error: GatewayError) => void): Cancel;
  onSessionFault(listener: (fault: SessionFault) => void): Cancel;
  /** Rejects pending requests and cancels timers. The link stays open. */
  close(): void;
}

/** Settings are fixed for a session; a change starts a new session. */
export interface DriverDeps {
  link: ByteLink;
  serial: SerialSettings;
  limits: Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;
  kinematics: KinematicsSettings;
  safety: Pick<SafetySettings, 'allowNoWatchdog'>;
  protectiveField: Pick<ProtectiveFieldSettings, 'marginMm'>;
  cartId: number;
  clock: Clock;
  log: Log;
}

export type DriverFactory = (deps: DriverDeps) => MotorDriver;
