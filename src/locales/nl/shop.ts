import type { Translations } from '../../shared/messages/message.js';
import type { shopMessage } from '../../shop/messages.js';

export const SHOP_MESSAGES = {
  'shop.not-yours': 'dit is van een andere gebruiker',
  'shop.game-saved': 'Spel opgeslagen',
  'shop.game-not-saved': 'Spel niet opgeslagen',
  'shop.basket-empty': 'de winkelwagen is leeg',
  'shop.basket-item-gone': 'een spel in de winkelwagen is niet meer te koop',
  'shop.item-gone': 'dit spel is niet meer te koop',
  'shop.basket-of-person':
    'alleen gebruikersaccounts hebben een winkelwagen: log in met een gebruikersaccount',
  'shop.form-incomplete': 'het formulier is onvolledig: laad de pagina van de winkel opnieuw',
  'shop.nothing-to-pay': 'de betaling kan niet worden uitgevoerd: de status is ‘{state}’',
  'shop.state.pending': 'nog niet betaald',
  'shop.state.completed': 'betaald',
  'shop.state.failed': 'mislukt',
  'shop.payment-not-created': 'Betaling niet aangemaakt',
  'shop.provider-unavailable': 'De betaalprovider heeft de betaling niet aangemaakt.',
  'shop.provider-unavailable-hint':
    'Uw winkelwagen is ongewijzigd. Kijk bij Mijn bestellingen voordat u het opnieuw probeert.',
  'shop.amount-not-accepted': 'De betaalprovider accepteert dit bedrag niet.',
  'shop.amount-not-accepted-hint':
    'Uw winkelwagen is ongewijzigd. Pas de winkelwagen aan en probeer het opnieuw.',
  'shop.unpaid-payments': 'deze klant heeft het maximum van {limit} onbetaalde betalingen bereikt',
  'shop.unpaid-lines': 'deze klant heeft het maximum van {limit} onbetaalde bestelregels bereikt',
  'shop.unpaid-hint':
    'Betaal de openstaande bestellingen of wacht: onbetaalde bestellingen worden na 8 dagen verwijderd.',
  'shop.provider-busy': 'er wachten al {limit} betalingen op de betaalprovider',
  'shop.customer-busy': 'van deze klant wachten al {limit} betalingen op de betaalprovider',
  'shop.basket-currency': 'de prijs van een spel in de winkelwagen is in een andere valuta',
  'shop.item-currency': 'de prijs van dit spel is in een andere valuta',
  'shop.basket-amount': 'het totaal van de winkelwagen moet tussen 0,01 en 999999,99 liggen',
  'shop.price-range':
    '{field} moet een bedrag van {min} tot en met 999999,99 zijn met hoogstens twee decimalen',
  'shop.field.price': 'de prijs',
  'shop.field.quantity': 'het aantal',
  'shop.field.title': 'de titel',
  'shop.being-processed': 'deze betaling wordt verwerkt: u hoeft niets meer te doen',
  'shop.off-after-loss': 'betalingen zijn uitgeschakeld: er zijn bevestigde wijzigingen verloren gegaan',
  'shop.off-after-loss-hint':
    'Een beheerder moet de opgeslagen betalingen vergelijken met die bij de betaalprovider en daarna op de systeempagina het verlies bevestigen.',
  'shop.off-after-restore': 'betalingen zijn uitgeschakeld: de database is uit een back-up teruggezet',
  'shop.off-after-restore-hint':
    'Een beheerder moet de opgeslagen betalingen vergelijken met die bij de betaalprovider en ze daarna op de systeempagina bevestigen.',
  'shop.clock-unset': 'betalingen zijn uitgeschakeld: de klok van de gateway is niet ingesteld',
} satisfies Translations<typeof shopMessage>;
