/** Where a command is on its way. It only moves to the right; the last five are final. */
export const COMMAND_STATES = [
  'ACCEPTED',
  'QUEUED',
  'SENT',
  'ACKNOWLEDGED',
  'RUNNING',
  'PAUSED',
  'FINISHED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'REJECTED',
] as const;

/** What may stand between an emergency stop and its reset, and at last the reset itself. */
export const RESET_STEPS = [
  'RELEASE_BUTTON',
  'WAIT',
  'PRESS_RESET_ON_CART',
  'ALLOW_REMOTE_RESET',
  'CONNECT_CONTROLLER',
  'REPAIR_INPUT',
  'REPAIR_POWER',
  'HOLD_RESET',
] as const;
