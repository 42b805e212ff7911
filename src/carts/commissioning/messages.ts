import { declareMessages } from '../../shared/messages/message.js';

export const commissioningMessage = declareMessages('commissioning', {
  whole: 'the value must be a whole number from {min} to {max} {unit}',
  'no-test': 'there is no such brake test',
  'too-many-tests': 'there are already {limit} brake tests',
  'set-aside':
    'the commissioning record could not be read and is kept as {file}: repeat the brake tests, then delete this file',
  'weak-braking': 'the deceleration must be at least {limit} mm/s²',
});
