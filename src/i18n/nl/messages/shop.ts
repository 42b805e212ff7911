import type { Vocabulary } from '../../language.js';

/** The messages of shop. */
export const SHOP_MESSAGES: Vocabulary = {
  'shop.not-yours': 'dit is van iemand anders',
  'shop.basket-empty': 'de winkelmand is leeg',
  'shop.basket-item-gone': 'een spel in de winkelmand is niet meer te koop',
  'shop.item-gone': 'dit spel is niet meer te koop',
  'shop.basket-of-person': 'een winkelmand hoort bij een persoon: log als persoon in',
  'shop.form-incomplete': 'het formulier is niet volledig: laad de winkel opnieuw',
  'shop.nothing-to-pay': 'er valt niets te betalen: de betaling is {state}',
  'shop.clock-unset': 'geen betalingen: de klok van deze gateway is niet gezet',
};
