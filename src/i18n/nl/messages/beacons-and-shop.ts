import type { Vocabulary } from '../../language.js';

export const BEACONS_AND_SHOP_MESSAGES: Vocabulary = {
  'beacons.saved': '{id} opgeslagen',
  'beacons.no-power':
    'Het vermogen op 1 m is niet ingevuld: de gateway kan de afstand tot dit baken niet schatten.',
  'beacons.deleted': '{id} verwijderd',
  'beacons.not-saved': 'Niet opgeslagen. Er is niets gewijzigd.',
  'beacons.id-taken-hint': 'Zoek het in de tabel en bewerk het.',
  'beacons.id-taken': 'er bestaat al een baken met het ID "{id}"',
  'beacons.unknown-id': 'er is geen baken met het ID "{id}"',
  'beacons.metres': 'moet een aantal meters zijn',
  'beacons.id-characters': 'mag geen spaties of besturingstekens bevatten',
  'beacons.half-position': 'ontbreekt; lat en long moeten allebei worden opgegeven',
  'beacons.line-end': 'punt {point}: {axis} moet tussen 0 en {limit} px liggen',
  'beacons.line-short': 'de lijn is {pixels} px lang; minstens {limit} px is vereist',
  'beacons.line-short-hint': 'Teken een langere lijn, bijvoorbeeld langs de langste muur.',
  'beacons.line-length': 'de lengte moet tussen {min} en {max} m liggen',
  'beacons.plan-scaled': 'Schaal ingesteld',
  'beacons.plan-not-scaled': 'Schaal niet ingesteld. Er is niets gewijzigd.',
  'beacons.object': 'moet een object zijn',
  'beacons.fault.tile-url': 'moet een http- of https-adres met {z}, {x} en {y} zijn, of leeg',

  'shop.not-yours': 'dit is van een andere gebruiker',
  'shop.game-saved': 'Spel opgeslagen',
  'shop.game-not-saved': 'Spel niet opgeslagen',
  'shop.basket-empty': 'de winkelwagen is leeg',
  'shop.basket-item-gone': 'een spel in de winkelwagen is niet meer te koop',
  'shop.item-gone': 'dit spel is niet meer te koop',
  'shop.basket-of-person':
    'alleen gebruikersaccounts hebben een winkelwagen: log in met een gebruikersaccount',
  'shop.form-incomplete': 'het formulier is onvolledig: laad de pagina van de winkel opnieuw',
  'shop.nothing-to-pay': 'de betaling kan niet worden uitgevoerd: de status is {state}',
  'shop.clock-unset': 'betalingen zijn uitgeschakeld: de klok van de gateway is niet ingesteld',
};
