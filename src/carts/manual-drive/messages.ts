import { declareMessages } from '../../shared/messages/message.js';

/** Why driving by hand ended or was refused. */
export const driveMessage = declareMessages('drive', {
  'logged-out': 'the driver has logged out or may no longer drive',
  slow: "the driver's connection is too slow: the round trip takes more than 0.5 s",
  silent: "nothing received from the driver's controls for {time}",
  'operators-only': 'only operators may drive',
  'handed-over': '{name} handed over the controls',
  'given-up': '{name} released the controls',
  'passed-on': '{name} has the controls now',
  disconnected: 'the connection of {name} ended',
  hidden: "the driver's page was hidden",
  blurred: "the driver's window lost the focus",
  input: "the driver's controls were lost",
  stale: 'the driver had no fresh position of the cart',
  offline: "the driver's device lost its network",
  range: '{field} is {value} {unit}; by hand the limit is {limit} {unit}',
});
