import { declareMessages } from '../../shared/messages/message.js';

export const portMessage = declareMessages('port', {
  busy: '{path} is in use by another program',
  'busy-hint': 'Stop the other program (find it with fuser). If a serial console uses this line, disable it.',
  missing: 'no device at {path}',
  'missing-hint': 'Check the cable and the path (ls -l /dev/serial/by-id/).',
  unplugged: '{path} was unplugged',
  forbidden: 'no permission to open {path} (requires the dialout group)',
  'forbidden-hint': "Add the gateway's user to the dialout group, then log in again or restart the service.",
  unusable: '{path} cannot be opened: {reason}',
  closed: '{path} is not open',
  stuck: 'the serial line is blocked: {path} is not accepting any bytes',
  'stuck-hint': 'Check the cable, and make sure that flow control is off.',
});
