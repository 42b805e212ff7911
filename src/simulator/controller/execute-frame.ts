import type { Frame, FrameOf } from '../../carts/serial/codec/codec.js';
import type { FirmwareState } from './firmware-state.js';
import { HARDWARE } from './orders.js';

/**
 * Does what a frame says that was not refused. Answers `emergency` and `report` when the firmware has to act on it:
 * stop everything at once, or tell its new state at once.
 */
export function obey(frame: Frame, parts: FirmwareState): 'emergency' | 'report' | undefined {
  switch (frame.type) {
    case 'HEARTBEAT':
      return heartbeat(frame, parts);
    case 'MOVE':
      return move(frame, parts);
    case 'JOG':
      parts.motors.jog(frame);
      return undefined;
    case 'STOP':
      if (frame.wireId !== 0 && !parts.motors.has(frame.wireId)) return undefined;
      parts.motors.stop(frame.category, { event: 'cancelled', reason: 'stop' });
      return 'report';
    case 'ESTOP':
      return frame.retry && parts.estop.latched ? undefined : 'emergency';
    case 'ESTOP_RESET':
      parts.estop.latched = false;
      return 'report';
    case 'LIMITS':
      limits(frame, parts);
      return undefined;
    default:
      return undefined;
  }
}

function heartbeat(
  { armed, timeoutMs }: FrameOf<'HEARTBEAT'>,
  { session, motors }: FirmwareState,
): undefined {
  if (timeoutMs > 0) session.timeoutMs = timeoutMs;
  if (session.armed && !armed) motors.stop(1, { event: 'cancelled', reason: 'disarmed' });
  session.armed = armed;
}

function move(frame: FrameOf<'MOVE'>, { recent, motors }: FirmwareState): undefined {
  if (recent.has(frame.wireId)) return;
  recent.add(frame.wireId);
  motors.move({ ...frame, maxDurationMs: frame.maxDurationDs * 100 }, frame.ttlMs);
}

function limits(frame: FrameOf<'LIMITS'>, { motors }: FirmwareState): void {
  const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = frame;
  const capped = Math.min(maxSpeedMmps, HARDWARE.maxSpeedMmps);
  motors.limits = { maxSpeedMmps: capped, accelMmps2, decelMmps2, omegaMaxDdegps };
}
