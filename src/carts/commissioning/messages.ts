import { declareMessages } from '../../shared/messages/message.js';

export const commissioningMessage = declareMessages('commissioning', {
  whole: 'the value must be a whole number from {min} to {max} {unit}',
  'no-test': 'there is no such brake test',
  'too-many-tests': 'there are already {limit} brake tests',
});
