import type { Vocabulary } from '../language.js';

export const CARTS: Vocabulary = {
  Idle: 'In rust',
  Command: 'Opdracht',
  'Manual drive': 'Handbediening',
  '{0} left': '{0} links',
  '{0} right': '{0} rechts',
  '{0} h': '{0} uur',
  stop: 'stop',
  'manual drive': 'handbediening',
  '{0} back': '{0} achteruit',
  '{0} forward': '{0} vooruit',
  'turn {0}': 'draai {0}',
  'turn {0}, then {1}': 'draai {0}, dan {1}',
  '{0}, {1} in {2}': '{0}, {1} in {2}',
  '{0}, {1}: {2} in {3}': '{0}, {1}: {2} in {3}',
  '{0}, {1} after {2}{3}': '{0}, {1} na {2}{3}',
  '{0}, {1} after {2} in {3}{4}': '{0}, {1} na {2} in {3}{4}',
  '{0}, {1}': '{0}, {1}',
  '{0} ({1} in total)': '{0} (in totaal {1})',
  'at {0}/s': 'met {0}/s',
  '{0} (not verified)': '{0} (niet geverifieerd)',
  'about {0}': 'ongeveer {0}',
  'Movement: {0}': 'Beweging: {0}',

  'make sure that the way is clear, then hold Reset': 'zorg dat de weg vrij is en houd dan Reset ingedrukt',
  'an operator must reset the cart when the way is clear':
    'een bediener moet de kar resetten zodra de weg vrij is',
  'release the E-stop button on the cart, then hold Reset':
    'ontgrendel de noodstopknop op de kar en houd dan Reset ingedrukt',
  'release the E-stop button on the cart; an operator must reset the cart':
    'ontgrendel de noodstopknop op de kar; een bediener moet de kar resetten',
  'release the E-stop button on the cart, then press the reset button':
    'ontgrendel de noodstopknop op de kar en druk dan op de resetknop',
  'wait until the E-stop input has been healthy for {0} s':
    'wacht tot de noodstopingang {0} s lang in orde is',
  'press the reset button on the cart': 'druk op de resetknop op de kar',
  'this cart has no reset button: allow remote reset in the settings (gpio.estop.allowRemoteReset), then restart the gateway':
    'deze kar heeft geen resetknop: sta in de instellingen resetten op afstand toe (gpio.estop.allowRemoteReset) en herstart daarna de gateway',
  'connect the motor controller first': 'verbind eerst de motorcontroller',
  'E-stop active': 'Noodstop actief',
  'E-stop button pressed at {0}': 'Noodstopknop ingedrukt om {0}',
  'E-stop button pressed': 'Noodstopknop ingedrukt',
  Stopped: 'Gestopt',
  'Stopped by {0} at {1}': 'Gestopt door {0} om {1}',
  'Stopped by {0}': 'Gestopt door {0}',
  'E-stop triggered by {0} at {1}': 'Noodstop geactiveerd door {0} om {1}',
  'E-stop triggered by {0}': 'Noodstop geactiveerd door {0}',
  'Stopped: {0}': 'Gestopt: {0}',
  'Not reachable: {0}': 'Niet bereikbaar: {0}',
  'no data received yet': 'nog geen gegevens ontvangen',
  'Cannot move: {0}': 'Kan niet rijden: {0}',
  Ready: 'Gereed',
  'Moving: {0} of {1}': 'Rijdt: {0} van {1}',
  'Moving: turning {0}': 'Rijdt: draait {0}',
  'Moving at {0}/s': 'Rijdt met {0}/s',
  Moving: 'Rijdt',
  'No data received from cart {0} yet': 'Nog geen gegevens ontvangen van kar {0}',
  'No update from cart {0} for {1}': 'Al {1} geen bericht van kar {0}',

  'not connected': 'niet verbonden',
  connecting: 'maakt verbinding',
  connected: 'verbonden',
  'poor connection': 'slechte verbinding',
  'connection lost': 'verbinding verbroken',
  'incompatible protocol': 'incompatibel protocol',
  none: 'geen',
  confirmed: 'bevestigd',
  unconfirmed: 'onbevestigd',
  'remote cart (MQTT)': 'andere kar (MQTT)',
  'no one': 'niemand',
  unknown: 'onbekend',
  never: 'nooit',

  'line {0}: {1}': 'regel {0}: {1}',
  '{0} changed by {1}.': '{0}: gewijzigd door {1}.',
  'The change was not confirmed in time and will be rolled back as soon as the cart is stationary.':
    'De wijziging is niet op tijd bevestigd en wordt teruggedraaid zodra de kar stilstaat.',
  'The change will be rolled back in {0} s unless it is confirmed.':
    'Zonder bevestiging wordt de wijziging over {0} s teruggedraaid.',
};

/** Command states. */
export const STATES: Vocabulary = {
  accepted: 'aangenomen',
  queued: 'in de wachtrij',
  sent: 'verzonden',
  acknowledged: 'bevestigd',
  running: 'in uitvoering',
  paused: 'gepauzeerd',
  finished: 'voltooid',
  failed: 'mislukt',
  expired: 'verlopen',
  cancelled: 'geannuleerd',
  rejected: 'geweigerd',
};
