import { catalogue } from '../shared/messages/message.js';

/** The messages of this module. */
export const shopMessage = catalogue('shop', {
  'not-yours': 'this belongs to somebody else',
  'basket-empty': 'the basket is empty',
  'basket-item-gone': 'a game in the basket is no longer sold',
  'item-gone': 'this game is no longer sold',
  'basket-of-person': 'a basket belongs to a person: log in as one',
  'form-incomplete': 'the form is not complete: load the shop again',
  'nothing-to-pay': 'there is nothing to pay: the payment is {state}',
  'clock-unset': 'no payments: the clock of this gateway is not set',
});
