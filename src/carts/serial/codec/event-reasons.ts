/** Values of `EVENT.code`; the firmware may send other codes. */
export const END_CODES = {
  none: 0,
  stop: 1,
  /** A HEARTBEAT with armed = 0 was received. */
  disarmed: 2,
  /** A JOG's lease has expired. */
  lease: 3,
  /** A newer JOG was received, or a HELLO started a new session. */
  superseded: 4,
  /** `maxDurationDs` elapsed. */
  tooLong: 5,
  /** No valid frame was received within the heartbeat timeout. */
  linkLost: 6,
  /** Emergency stop, triggered by a frame or by the controller's own input. */
  estop: 7,
  /** A fault bit that forbids motion was set. */
  fault: 8,
  /** The protective field detected an obstacle, or a bumper was pressed. */
  obstacle: 9,
  /** A distance sensor of the protective field did not respond. */
  sensorSilent: 10,
} as const;

export type EndReason = keyof typeof END_CODES;

export const RESET_CAUSES = { powerOn: 0, external: 1, watchdog: 2, brownout: 3 } as const;

export type ResetCause = keyof typeof RESET_CAUSES;
