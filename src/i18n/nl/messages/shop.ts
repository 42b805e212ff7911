import type { Vocabulary } from '../../language.js';

export const SHOP_MESSAGES: Vocabulary = {
  'shop.not-yours': 'dit is van een andere gebruiker',
  'shop.basket-empty': 'de winkelwagen is leeg',
  'shop.basket-item-gone': 'een spel in de winkelwagen is niet meer te koop',
  'shop.item-gone': 'dit spel is niet meer te koop',
  'shop.basket-of-person':
    'alleen gebruikersaccounts hebben een winkelwagen: log in met een gebruikersaccount',
  'shop.form-incomplete': 'het formulier is onvolledig: laad de pagina van de winkel opnieuw',
  'shop.nothing-to-pay': 'de betaling kan niet worden betaald: de status is {state}',
  'shop.clock-unset': 'betalingen zijn uitgeschakeld: de klok van de gateway is niet ingesteld',
};
