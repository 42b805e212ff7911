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
