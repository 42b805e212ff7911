/** `EVENT.code`: why a motion ended as it did. A firmware may send others; 0 means that there is nothing to add. */
export const END_CODES = {
  none: 0,
  /** A STOP frame. */
  stop: 1,
  /** A HEARTBEAT with armed = 0. */
  disarmed: 2,
  /** The lease of a JOG ran out. */
  lease: 3,
  /** A newer JOG took over, or a new HELLO began another session. */
  superseded: 4,
  /** `maxDurationDs` was not enough. */
  tooLong: 5,
  /** No valid frame for the heartbeat timeout. */
  linkLost: 6,
  /** The emergency stop: by frame or by the controller's own input. */
  estop: 7,
  /** A fault bit that forbids motion. */
  fault: 8,
} as const;

export type EndReason = keyof typeof END_CODES;

/** `HELLO_R.resetCause`: why the controller last started. */
export const RESET_CAUSES = { powerOn: 0, external: 1, watchdog: 2, brownout: 3 } as const;

export type ResetCause = keyof typeof RESET_CAUSES;
