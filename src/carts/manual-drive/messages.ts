import { declareMessages } from '../../shared/messages/message.js';

export const driveMessage = declareMessages('drive', {
  'logged-out': 'the driver has logged out or is no longer allowed to drive',
  slow: "the driver's connection is too slow: the round trip takes more than 0.5 s",
  silent: "no input received from the driver's controls for {time}",
  'operators-only': 'only operators and administrators can drive',
  'handed-over': '{name} handed over control',
  'handed-over-to': 'control handed over to {name}',
  'given-up': '{name} released control',
  'passed-on': '{name} took control',
  disconnected: '{name} disconnected',
  hidden: "the driver's page was hidden",
  blurred: "the driver's window lost focus",
  input: "the input from the driver's controls was lost",
  stale: "the cart data on the driver's page was stale",
  offline: "the driver's device lost its network connection",
  'nothing-to-hold': 'there is no run whose control can be held',
  range: '{field} is {value} {unit}; the limit for manual drive is {limit} {unit}',
});
