import { declareMessages } from '../../shared/messages/message.js';

/** Serial port errors, with hints. */
export const portMessage = declareMessages('port', {
  busy: '{path} is in use by another program',
  'busy-hint': 'Stop the other program (fuser shows it). A serial console on this line must be disabled.',
  missing: 'no device at {path}',
  'missing-hint': 'Check the cable and the path (ls -l /dev/serial/by-id/).',
  unplugged: '{path} was unplugged',
  forbidden: 'no permission to open {path} (group dialout)',
  'forbidden-hint': 'Add the user to the group dialout, then log in again or restart the service.',
  unusable: '{path} cannot be opened: {reason}',
  closed: '{path} is not open',
  stuck: 'the line is stuck: {path} accepts no bytes',
  'stuck-hint': 'Check the cable. Flow control must be off.',
});
