import type { Vocabulary } from '../language.js';

/** Labels of carts, links and commands. */
export const CARTS: Vocabulary = {
  '{0} left': '{0} links',
  '{0} right': '{0} rechts',
  '{0} h': '{0} uur',
  stop: 'stop',
  'drive by hand': 'met de hand rijden',
  '{0} back': '{0} achteruit',
  '{0} forward': '{0} vooruit',
  'turn {0}': 'draai {0}',
  'turn {0}, then {1}': 'draai {0}, dan {1}',
  'at {0}/s': 'met {0}/s',
  '{0}, not verified': '{0}, niet geverifieerd',
  'Went about {0}': 'Reed ongeveer {0}',
  'Went {0}': 'Reed {0}',

  'the emergency stop': 'de noodstop',
  'make sure that the way is clear, then hold Reset': 'zorg dat de weg vrij is en houd dan Reset ingedrukt',
  'an operator resets it when the way is clear': 'een bediener heft hem op zodra de weg vrij is',
  'release the button on the cart, then hold Reset': 'laat de knop op de kar los en houd dan Reset ingedrukt',
  'release the button on the cart; an operator resets it':
    'laat de knop op de kar los; een bediener heft de noodstop op',
  'release the button on the cart, then press the reset button on the cart':
    'laat de knop op de kar los en druk dan op de resetknop op de kar',
  'wait until the E-stop input has been healthy for {0} s': 'wacht tot de noodstopingang {0} s gezond is',
  'press the reset button on the cart': 'druk op de resetknop op de kar',
  'this cart has no reset button: allow the reset from a page (gpio.estop.allowRemoteReset) in the settings and restart the gateway':
    'deze kar heeft geen resetknop: sta in de instellingen de reset vanaf een pagina toe (gpio.estop.allowRemoteReset) en herstart de gateway',
  'connect the motor controller first': 'verbind eerst de motorsturing',
  'Stopped by {0} at {1}: {2}': 'Gestopt door {0} om {1}: {2}',
  'Stopped by {0}: {1}': 'Gestopt door {0}: {1}',
  'Stopped: {0}': 'Gestopt: {0}',
  'Not reachable: {0}': 'Niet bereikbaar: {0}',
  'nothing heard from it yet': 'er is nog niets van gehoord',
  'Cannot move: {0}': 'Kan niet rijden: {0}',
  Ready: 'Klaar',
  'Moving: {0} of {1}': 'Rijdt: {0} van {1}',
  'Moving: turning {0}': 'Rijdt: draait {0}',
  'Moving at {0}/s': 'Rijdt met {0}/s',
  Moving: 'Rijdt',
  'Nothing heard from cart {0} yet': 'Nog niets gehoord van kar {0}',
  'No fresh position from cart {0} for {1}': 'Al {1} geen verse positie van kar {0}',

  'not connected': 'niet verbonden',
  connecting: 'maakt verbinding',
  connected: 'verbonden',
  'bad connection': 'slechte verbinding',
  'connection lost': 'verbinding weg',
  'wrong protocol': 'verkeerd protocol',
  none: 'geen',
  confirmed: 'bevestigd',
  unconfirmed: 'onbevestigd',
  'over MQTT': 'via MQTT',
  nobody: 'niemand',
  somebody: 'iemand',
  never: 'nooit',

  '{0} changed by {1}.': '{0}: gewijzigd door {1}.',
  'Not confirmed in time: rolled back as soon as the cart stands still.':
    'Niet op tijd bevestigd: wordt teruggedraaid zodra de kar stilstaat.',
  'Rolled back in {0} s unless it is confirmed.':
    'Wordt over {0} s teruggedraaid, tenzij iemand het bevestigt.',
};

/** The states of a command. */
export const STATES: Vocabulary = {
  accepted: 'aangenomen',
  queued: 'in de rij',
  sent: 'verzonden',
  acknowledged: 'bevestigd',
  running: 'bezig',
  paused: 'gepauzeerd',
  finished: 'klaar',
  failed: 'mislukt',
  expired: 'verlopen',
  cancelled: 'afgebroken',
  rejected: 'geweigerd',
};
