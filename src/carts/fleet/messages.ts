import { declareMessages } from '../../shared/messages/message.js';

export const fleetMessage = declareMessages('fleet', {
  'not-seen': 'no data received yet',
  'not-online': 'the cart has not reported that it is online',
  'switched-off': 'the cart was switched off',
  hibernating: 'the cart is hibernating',
  'connection-broken': 'the cart lost its connection to the MQTT server',
  silent: 'no message received for {limit} s',
  latched: 'a reset is required',
  'broker-down': 'the MQTT server is not connected ({reason})',
  unreachable: 'cart {cartID} cannot be reached: the MQTT server is not connected ({reason})',
  offline: 'cart {cartID} is offline: {reason}',
  unconfirmed: 'the cart has not confirmed the stop',
  'unconfirmed-hint': 'Reset the cart to cancel the unconfirmed stop.',
  'latched-cart': 'cart {cartID} is stopped until it is reset',
  'latched-hint': 'Make sure that the way is clear, then reset the cart.',
  'reset-unanswered': 'cart {cartID} did not respond to the reset within {limit} ms',
  'reset-refused': 'the cart rejected the reset',
  'no-reason': 'the cart gave no reason',
  restarted: "the cart's gateway restarted; the command will not be resumed",
  'result-lost': 'the cart ended the command, but the result was not received',
  unacknowledged: 'cart {cartID} did not acknowledge the command within {time}',
  gone: 'cart {cartID} is offline: {reason}; it is not known whether the cart has stopped',
  'duplicate-own': 'another gateway ({gateways}) also uses cart number {cartID}',
  duplicate: 'several gateways use cart number {cartID}: {gateways}',
  'duplicate-hint':
    'Switch off one of the gateways or change its cart number. After 10 s, confirm on the Fleet page that only one gateway uses the number.',
  superseded: 'gateway {gateway} was restored from a backup of this gateway and uses cart number {cartID}',
  'superseded-hint':
    'Switch this gateway off. To use it again, switch the other gateway off first, then restart this gateway.',
  'duplicate-live':
    'another gateway published as cart {cartID} less than {limit} s ago; this can be confirmed after {limit} s of silence',
  'duplicate-unconfirmed':
    'gateway {gateway}, one of several with this cart number, did not confirm the stop',
});
