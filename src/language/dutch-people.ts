import type { Vocabulary } from './language.js';

/** Who may come in: login, setup, account, users and keys. */
export const PEOPLE: Vocabulary = {
  'First user': 'Eerste gebruiker',
  Users: 'Gebruikers',
  Account: 'Account',
  'User name': 'Gebruikersnaam',
  Password: 'Wachtwoord',
  'This gateway has no users yet. The first one is its administrator.':
    'Deze gateway heeft nog geen gebruikers. De eerste is de beheerder.',
  'Setup code': 'Instelcode',
  'It is in the log of the gateway, and in the file setup-code of its data directory.':
    'Die staat in het logboek van de gateway, en in het bestand setup-code van de gegevensmap.',
  'At least 8 characters, of any kind. Several words are better than one with signs in it.':
    'Minstens 8 tekens, van welke soort ook. Meerdere woorden zijn beter dan één met leestekens erin.',
  'Make the administrator': 'Beheerder maken',
  'The key of {{name}}': 'De sleutel van {{name}}',
  'It is shown this once. Whoever has it may use it: put it where it is needed and nowhere else.':
    'Hij wordt alleen deze keer getoond. Wie hem heeft mag hem gebruiken: zet hem waar hij nodig is en nergens anders.',
  'Password now': 'Huidig wachtwoord',
  'New password': 'Nieuw wachtwoord',
  'At least 8 characters. It logs you out everywhere else.':
    'Minstens 8 tekens. U wordt overal elders uitgelogd.',
  'Change password': 'Wachtwoord wijzigen',
  'Log out everywhere': 'Overal uitloggen',
  'Who may come in': 'Wie er binnen mag',
  'Add a user': 'Een gebruiker toevoegen',
  Role: 'Rol',
  'A customer buys and may stop carts. An operator drives. An admin decides who may.':
    'Een klant (customer) koopt en mag karren stoppen. Een bediener (operator) rijdt. Een beheerder (admin) beslist wie dat mag.',
  'Add user': 'Gebruiker toevoegen',
  'Keys for machines': 'Sleutels voor machines',
  Name: 'Naam',
  Key: 'Sleutel',
  May: 'Mag',
  Used: 'Gebruikt',
  Revoke: 'Intrekken',
  'No keys yet. A machine that posts beacons, orders or MQTT messages needs one.':
    'Nog geen sleutels. Een machine die bakens, bestellingen of MQTT-berichten stuurt, heeft er een nodig.',
  'Make a key': 'Een sleutel maken',
  'For MQTT it is the user name, and the key is the password.':
    'Voor MQTT is dit de gebruikersnaam, en de sleutel het wachtwoord.',
  'It may': 'Hij mag',
  'Speaks for cart': 'Spreekt voor kar',
  'For MQTT: the cart whose topics it may write. Tick “come into the broker” as well.':
    'Voor MQTT: de kar waarvan hij de topics mag schrijven. Vink ook “op de broker komen” aan.',
  'Make key': 'Sleutel maken',
  '(revoked)': '(ingetrokken)',
  ', disabled': ', uitgeschakeld',
  'Set role': 'Rol instellen',
  'Set password': 'Wachtwoord instellen',
  'Let {{username}} in again': '{{username}} weer binnenlaten',
  'Disable {{username}}': '{{username}} uitschakelen',
  'store and delete beacons': 'bakens bewaren en verwijderen',
  'drive and stop carts': 'karren laten rijden en stoppen',
  'see the camera': 'de camera zien',
  'change the games that are sold': 'de spellen in de winkel wijzigen',
  'read the figures at /metrics': 'de cijfers op /metrics lezen',
  'read the statistics': 'de statistiek lezen',
  'read payments': 'betalingen lezen',
  'make payments and orders': 'betalingen en bestellingen maken',
  'set payments by hand': 'betalingen met de hand zetten',
  'come into the broker': 'op de broker komen',
  'hear every cart on the broker': 'elke kar op de broker horen',
  'command every cart on the broker': 'elke kar op de broker bevelen geven',
};

/** The shop. */
export const SHOP: Vocabulary = {
  'No money moves: payments here are for trying out.':
    'Er gaat geen geld om: betalingen zijn hier om te proberen.',
  'Payments, orders and statistics': 'Betalingen, bestellingen en statistiek',
  Games: 'Spellen',
  'No games yet. An operator adds them with POST /games.':
    'Nog geen spellen. Een bediener voegt ze toe met POST /games.',
  Title: 'Titel',
  Price: 'Prijs',
  Buy: 'Kopen',
  Basket: 'Winkelmand',
  'Nothing in it yet. Add a game above.': 'Er zit nog niets in. Voeg hierboven een spel toe.',
  Number: 'Aantal',
  Each: 'Per stuk',
  Together: 'Samen',
  'Take out': 'Eruit halen',
  Total: 'Totaal',
  'Check out {{total}}': '{{total}} afrekenen',
  'My orders': 'Mijn bestellingen',
  'No orders yet. What you check out appears here, with its payment.':
    'Nog geen bestellingen. Wat u afrekent verschijnt hier, met de betaling.',
  'A basket belongs to a person: log in as one to buy.':
    'Een winkelmand hoort bij een persoon: log in om te kopen.',
  'no longer sold: take it out': 'niet meer te koop: haal het eruit',
  'Number of {{title}}': 'Aantal van {{title}}',
  Set: 'Instellen',
  '{{titles}}. Order {{orderId}}': '{{titles}}. Bestelling {{orderId}}',
  'Pay {{amount}}': '{{amount}} betalen',
  'Not paid yet': 'Nog niet betaald',
  Paid: 'Betaald',
  Failed: 'Mislukt',
  'Payment without games': 'Betaling zonder spellen',
  '{0} for order {1}.': '{0} voor bestelling {1}.',
  'Not paid': 'Niet betaald',
  'The payment of {0} was given up. Order again to pay.':
    'De betaling van {0} is opgegeven. Bestel opnieuw om te betalen.',
  '{0} is still open: pay it under My orders.': '{0} staat nog open: betaal het bij Mijn bestellingen.',
  'Given up': 'Opgegeven',
  yes: 'ja',
  no: 'nee',
  'Shop records': 'Boeken van de winkel',
  'Orders by title': 'Bestellingen per titel',
  Bar: 'Balk',
  Orders: 'Bestellingen',
  Sku: 'Sku',
  Sold: 'Te koop',
  Payments: 'Betalingen',
  'No payments yet. Each one appears here with all that happens to it.':
    'Nog geen betalingen. Elke verschijnt hier, met alles wat ermee gebeurt.',
  'No orders yet. They come from the shop and from POST /payments/order.':
    'Nog geen bestellingen. Ze komen uit de winkel en van POST /payments/order.',
  Order: 'Bestelling',
  User: 'Gebruiker',
  ', set by hand': ', met de hand gezet',
  'order {{orderId}}': 'bestelling {{orderId}}',
  'Transaction {{transactionId}}, user {{user}}, {{provider}}':
    'Transactie {{transactionId}}, gebruiker {{user}}, {{provider}}',
  'Last trouble: {{lastError}}': 'Laatste probleem: {{lastError}}',
  ', by {{actor}}': ', door {{actor}}',
  'contradicts the provider': 'in tegenspraak met de betaaldienst',
  Pay: 'Betalen',
  SANDBOX: 'PROEF',
  'SANDBOX, no money moves.': 'PROEF, er gaat geen geld om.',
  'Order {{orderId}}': 'Bestelling {{orderId}}',
  'The card was declined. Pay with another one, or cancel.':
    'De kaart is geweigerd. Betaal met een andere, of annuleer.',
  Decline: 'Weigeren',
  '{{words}}. There is nothing to do here.': '{{words}}. Hier is niets te doen.',
  'Back to the shop': 'Terug naar de winkel',
};
