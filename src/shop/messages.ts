import { declareMessages } from '../shared/messages/message.js';

export const shopMessage = declareMessages('shop', {
  'not-yours': 'this data belongs to another user',
  'game-saved': 'Game saved',
  'game-not-saved': 'Game not saved',
  'basket-empty': 'the basket is empty',
  'basket-item-gone': 'a game in the basket is no longer for sale',
  'item-gone': 'this game is no longer for sale',
  'basket-of-person': 'only user accounts have a basket: log in with a user account',
  'form-incomplete': 'the form is incomplete: reload the shop page',
  'nothing-to-pay': 'the payment cannot be made: its status is {state}',
  'being-processed': 'this payment is being processed: there is nothing left to do',
  'off-after-loss': 'payments are disabled: acknowledged writes were lost',
  'off-after-loss-hint':
    "An administrator must compare the stored payments with the provider's records, then acknowledge the loss on the System page.",
  'off-after-restore': 'payments are disabled: the database was restored from a backup',
  'off-after-restore-hint':
    "An administrator must compare the stored payments with the provider's records, then confirm them on the System page.",
  'clock-unset': "payments are disabled: the gateway's clock is not set",
});
