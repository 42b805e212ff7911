import { declareMessages } from '../../shared/messages/message.js';

/** Reasons why another cart is offline, and outcomes of its commands and stops. */
export const fleetMessage = declareMessages('fleet', {
  'not-seen': 'no data received yet',
  'not-online': 'the cart has not reported that it is online',
  'switched-off': 'the cart was switched off',
  hibernating: 'the cart is hibernating',
  'connection-broken': 'the cart lost its connection to the broker',
  silent: 'no message received for {limit} s',
  latched: 'the E-stop is latched',
  'broker-down': 'the MQTT broker is not connected ({reason})',
  unreachable: 'cart {cartID} cannot be reached: the MQTT broker is not connected ({reason})',
  offline: 'cart {cartID} is offline: {reason}',
  unconfirmed: 'the cart has not confirmed the E-stop',
  'unconfirmed-hint': 'Reset the E-stop to withdraw it.',
  'latched-cart': 'the E-stop of cart {cartID} is latched',
  'latched-hint': 'Make sure that the way is clear, then reset the E-stop.',
  'reset-unanswered': 'cart {cartID} did not answer the reset within {limit} ms',
  'reset-refused': 'the cart rejected the reset',
  'no-reason': 'the cart gave no reason',
  restarted: 'the gateway of the cart was restarted; the command is not resumed',
  'result-lost': 'the cart ended the command, but the result was not received',
  unacknowledged: 'cart {cartID} did not acknowledge the command within {time}',
  gone: 'cart {cartID} is offline: {reason}; it is not known whether it has stopped',
});
