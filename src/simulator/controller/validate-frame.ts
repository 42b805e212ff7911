import type { Frame, FrameOf, NackCode } from '../../carts/serial/codec/codec.js';
import type { FirmwareState } from './firmware-state.js';

const MAX_DISTANCE_MM = 100_000;
const MAX_ANGLE_DDEG = 3600;

/**
 * Whether a frame is refused, and with which code; undefined = taken. Changes nothing.
 * `ours`: it belongs to the running session. Stops are taken from anybody: a stop too many hurts nobody.
 */
export function judge(frame: Frame, ours: boolean, parts: FirmwareState): NackCode | undefined {
  if (frame.type === 'STOP' || frame.type === 'ESTOP') return undefined;
  if (!ours) return 'BAD_SESSION';
  switch (frame.type) {
    case 'HEARTBEAT':
      return undefined;
    case 'MOVE':
      // Taken before, so acknowledged again; whether anything stands against it now does not matter.
      return parts.recent.has(frame.wireId) ? undefined : judgeMove(frame, parts);
    case 'JOG':
      return judgeJog(frame, parts);
    case 'ESTOP_RESET':
      return parts.estop.judgeReset(frame.nonce);
    case 'LIMITS':
      return judgeLimits(frame);
    default:
      return 'UNSUPPORTED';
  }
}

function judgeMove(frame: FrameOf<'MOVE'>, parts: FirmwareState): NackCode | undefined {
  const tooFar = Math.abs(frame.distanceMm) > MAX_DISTANCE_MM || Math.abs(frame.angleDdeg) > MAX_ANGLE_DDEG;
  if (tooFar || frame.maxSpeedMmps === 0 || frame.wireId === 0) return 'RANGE';
  if (frame.ttlMs === 0) return 'EXPIRED';
  return mayNotMove(parts) ?? (parts.motors.busyFor('move') ? 'BUSY' : undefined);
}

function judgeJog(frame: FrameOf<'JOG'>, parts: FirmwareState): NackCode | undefined {
  if (frame.leaseMs === 0 || frame.wireId === 0) return 'RANGE';
  // A jog that was ended stays ended, or a late frame would start it again after a stop.
  if (parts.recent.has(frame.wireId)) return 'EXPIRED';
  return mayNotMove(parts) ?? (parts.motors.busyFor('jog') ? 'BUSY' : undefined);
}

function judgeLimits(frame: FrameOf<'LIMITS'>): NackCode | undefined {
  const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = frame;
  return Math.min(maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps) > 0 ? undefined : 'RANGE';
}

function mayNotMove({ estop, health, session }: FirmwareState): NackCode | undefined {
  if (estop.latched) return 'ESTOP_ACTIVE';
  if (health.critical) return 'FAULT';
  return session.armed ? undefined : 'DISARMED';
}
