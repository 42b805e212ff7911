import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { ByteLink } from '../../shared/ports/serial.js';
import type { Order, Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import type { SafetySettings } from '../safety/settings-schema.js';
import type { KinematicsSettings, SerialSettings } from './settings-schema.js';

/** A bounded motion, ready for the wire. */
export interface MoveRequest {
  wireId: number;
  /** What the customer sent, for controllers that take it as it is. */
  raw: Order['raw'];
  distanceMm: number;
  angleDdeg: number;
  maxSpeedMmps: number;
  /** The motion ends by itself after this long, whatever else happens. */
  maxDurationMs: number;
  /** ms that the motion may still wait to start; asked again for every retry. */
  remainingTtlMs: () => number;
}

/** What a controller tells of a motion. */
export interface MotionReport {
  wireId: number;
  event: 'started' | 'finished' | 'failed' | 'cancelled' | 'expired' | 'fault';
  code: number;
  finalMm: number;
  finalDdeg: number;
}

/** What the controller said of itself in the handshake. */
export interface Hello {
  firmware: string;
  simulated: boolean;
  /** Counts the controller's starts; undefined when it does not tell. */
  bootCount?: number;
}

export interface DriverTraits {
  /** `none`: a command handed to the line is all that is known. */
  ack: 'frame' | 'none';
  /** Whether the controller tells how far it went, or the driver estimates it by time. */
  feedback: boolean;
  /** The controller stops by itself after this much silence; null = it never does, or nobody knows whether it would. */
  watchdogMs: number | null;
  /** The cart has a reset button that ends the controller's emergency stop. */
  resetButton: boolean;
  /** What this controller does not protect from, a sentence for people; empty = nothing is missing. */
  warning: Text;
}

export interface DriverCounters {
  sent: number;
  received: number;
  dropped: number;
  retried: number;
}

/** Why a session with the controller cannot go on, and what that means for the link. */
export interface SessionFault {
  code: 'CONTROLLER_RESET' | 'SERIAL_LOST' | 'LINE_NOISE' | 'STOP_UNCONFIRMED';
  text: Text;
}

/**
 * One session with one controller over one open link. The driver is chosen in the settings and never probed: in some
 * protocols any byte is a speed.
 */
export interface MotorDriver {
  readonly traits: DriverTraits;
  readonly counters: DriverCounters;
  /** Shakes hands and sets the limits. Rejects HELLO_TIMEOUT, INCOMPATIBLE or SERIAL_DOWN. */
  open(): Promise<Hello>;
  /** Resolves when the controller has taken the motion; rejects SERIAL_ACK_TIMEOUT or the controller's refusal. */
  move(request: MoveRequest): Promise<void>;
  /** Sets a speed for as long as the lease lasts; the newest wins; not acknowledged. */
  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void;
  /**
   * Category 2: ramp and stay powered; 1: ramp and switch off; 0: off at once. The frame is on the line before this
   * returns, and is repeated until acknowledged. Resolves with the acknowledgement, or at once when `traits.ack` is
   * `none`; rejects SERIAL_ACK_TIMEOUT, SERIAL_LOST or SERIAL_DOWN. A caller may ignore the rejection.
   */
  stop(category: 0 | 1 | 2): Promise<void>;
  /** As `stop`. */
  estop(source: number): Promise<void>;
  /** Asks the controller to end its own latch; rejects with its refusal. */
  resetEstop(): Promise<void>;
  heartbeat(armed: boolean): void;
  onTelemetry(listener: (telemetry: Telemetry) => void): Cancel;
  onMotion(listener: (report: MotionReport) => void): Cancel;
  onSessionFault(listener: (fault: SessionFault) => void): Cancel;
  /** Ends the session: pending requests are rejected, no timer is left. The link stays open. */
  close(): void;
}

/** What a session is made with and keeps: when one of the settings in it changes, another session takes its place. */
export interface DriverDeps {
  link: ByteLink;
  serial: SerialSettings;
  limits: Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;
  kinematics: KinematicsSettings;
  safety: Pick<SafetySettings, 'allowNoWatchdog'>;
  /** The cart that the controller moves. */
  cartId: number;
  clock: Clock;
  log: Log;
}

export type DriverFactory = (deps: DriverDeps) => MotorDriver;
