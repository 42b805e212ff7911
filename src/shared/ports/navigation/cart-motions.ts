import type { ErrorCode } from '../../errors.js';
import type { Text } from '../../messages/message.js';
import type { Cancel } from '../clock.js';

/** A turn in place, then a straight line; positive values are to the left and forward. */
export interface CartMotion {
  distanceMm: number;
  angleDeg: number;
  maxSpeedMmps: number;
}

/** The end of a motion. The distance and the angle are from the odometry; 0 if unknown. */
export interface MotionEnd {
  /**
   * `stopped`: by the motion's sender, through the function that `move` returned. `interrupted`: by any other
   * stop, by another command, or because the sender's session has ended. `blocked`: by an obstacle.
   */
  outcome: 'finished' | 'stopped' | 'interrupted' | 'blocked' | 'failed';
  distanceMm: number;
  angleDeg: number;
  /** Empty if the motion has finished. */
  reason: Text;
  /** Absent if the motion has finished, or if it was rejected. */
  code?: ErrorCode;
}

/** A user or program that moves the gateway's cart. */
export interface CartSender {
  readonly name: string;
  /** If any motion would now be rejected, throws the same error. */
  check(): void;
  /**
   * Sends an ordinary command. Throws if it is rejected.
   * @param onEnd called once, when the travelled distance is known.
   * @returns a function that stops the motion.
   */
  move(motion: CartMotion, onEnd: (end: MotionEnd) => void): Cancel;
}

export interface MotionRules {
  /** Units of a command's distance and angle. */
  resolution: { mm: number; deg: number };
  maxMm: number;
  maxDeg: number;
  /** Corners of the cart's outline, from the midpoint between its driven wheels; empty if they are unknown. */
  footprint: readonly { xMm: number; yMm: number }[];
  /** Why commands cannot have computed distances and angles; empty if they can. */
  fault: Text;
}

/** This gateway's cart. */
export interface MovingCart {
  readonly cartID: number;
  rules(): MotionRules;
  /** Returns undefined while the wheel travel is not measured. */
  odometer(): { xMm: number; yMm: number; headingDeg: number } | undefined;
  /** Returns why the cart must not move; empty if it may move. */
  refusal(): Text;
  /** Called after every stop, handover of control, and command that was not sent for a drive to a marker. */
  onInterruption(listener: () => void): Cancel;
}
