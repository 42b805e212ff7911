import { declareMessages } from '../../shared/messages/message.js';

/** Why another cart cannot be reached, and how its commands and stops ended. */
export const fleetMessage = declareMessages('fleet', {
  'not-seen': 'no message received from it yet',
  'not-online': 'it has not reported that it is online',
  'switched-off': 'it was switched off',
  hibernating: 'it is hibernating',
  'connection-broken': 'it lost its connection to the broker',
  silent: 'no message received from it for {limit} s',
  latched: 'the emergency stop is latched',
  'broker-down': 'the MQTT broker is not connected ({reason})',
  unreachable: 'cart {cartID} cannot be reached: the MQTT broker is not connected ({reason})',
  offline: 'cart {cartID} is offline: {reason}',
  unconfirmed: 'the cart has not confirmed the emergency stop',
  'unconfirmed-hint': 'Reset it to withdraw the stop.',
  'latched-cart': 'the emergency stop of cart {cartID} is latched',
  'latched-hint': 'Make sure that the way is clear, then reset it.',
  'reset-unanswered': 'cart {cartID} did not answer the reset within {limit} ms',
  'reset-refused': 'the cart rejected the reset',
  'no-reason': 'the cart gave no reason',
  restarted: 'the gateway of the cart was restarted; the command is not resumed',
  'result-lost': 'the cart ended the command, but its result was lost',
  unacknowledged: 'cart {cartID} did not acknowledge the command within {time}',
  gone: 'cart {cartID} is offline: {reason}; whether it has stopped is not known',
});
