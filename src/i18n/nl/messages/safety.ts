import type { Vocabulary } from '../../language.js';

/** Why a cart may not move, what a reset needs, and what became of a stop. */
export const SAFETY_MESSAGES: Vocabulary = {
  'safety.latched': 'gestopt door {by}: de noodstop is vergrendeld',
  'safety.latched-hint': 'Zorg dat de weg vrij is en houd dan Reset ingedrukt.',
  'safety.button-pressed': 'de noodstopknop is ingedrukt',
  'safety.controller-estop': 'de motorsturing meldt een noodstop',
  'safety.stop-only':
    'de gateway staat in de modus alleen stoppen, omdat hij meerdere keren achter elkaar onverwacht is gestopt',
  'safety.stop-only-hint':
    'Stop, noodstop en reset werken. Lees het logboek en herstart de gateway daarna: sudo systemctl restart cartwright.',
  'safety.settings-hint': 'Verbeter het op de pagina Instellingen.',
  'safety.latch-unsavable': 'een noodstop zou bij de volgende start verloren gaan: {reason}',
  'safety.latch-unsavable-hint':
    'Maak schijfruimte vrij. Herstel of vervang een kaart die niet te beschrijven is en herstart daarna de gateway.',
  'safety.input-unreadable': 'de noodstopingang is niet te lezen: {reason}',
  'safety.input-simulated':
    'de noodstopingang is alleen gesimuleerd, en de instellingen staan niet toe een echte kar zonder te rijden',
  'safety.input-off':
    'de noodstopingang is uitgeschakeld, en de instellingen staan niet toe een echte kar zonder te rijden',
  'safety.input-hint': 'Stel gpio.mode in of, om zonder noodstopingang te rijden, safety.acceptNoEstop.',
  'safety.still-pressed': 'de noodstopknop is nog ingedrukt',
  'safety.release-then-cart': 'Laat de knop op de kar los en druk dan op de resetknop op de kar.',
  'safety.release-then-hold': 'Laat de knop op de kar los en houd dan Reset ingedrukt.',
  'safety.settling': 'de noodstopingang is pas {time} van de {needed} gezond',
  'safety.wait-then-cart': 'Wacht even en druk dan op de resetknop op de kar.',
  'safety.wait-then-hold': 'Wacht even en houd Reset nog eens ingedrukt.',
  'safety.reset-on-cart': 'een stop op de kar moet op de kar worden opgeheven',
  'safety.reset-on-cart-hint':
    'Hef hem op de kar op, of sta in de instellingen de reset vanaf een pagina toe (gpio.estop.allowRemoteReset) en herstart de gateway.',
  'safety.not-reset-on-cart': 'gestopt door {by}: deze stop kan niet op de kar worden opgeheven',
  'safety.not-connected': 'de motorsturing is niet verbonden',
  'safety.connect-hint': 'Reset wanneer de motorsturing weer verbonden is.',
  'safety.controller-unreachable': 'de motorsturing is niet bereikbaar: {reason}',
  'safety.reset-failed': 'de motorsturing heeft haar stop niet beëindigd: {reason}',
  'safety.retry-hint': 'Probeer het zo nog eens.',
  'safety.pressed-again': 'de noodstop is opnieuw ingedrukt',
  'safety.pressed-again-hint': 'Kijk wie de kar heeft gestopt voordat u de stop opheft.',

  'safety.button': 'de noodstopknop op de kar',
  'safety.at-controller': 'de noodstop bij de motorsturing',
  'safety.reset-button': 'de resetknop op de kar',
  'safety.input-not-read': 'nog niet gelezen',
  'safety.input-chatters': 'de noodstopingang klappert: een los contact',
  'safety.input-lost': 'de noodstopingang, die niet meer te lezen is: {reason}',
  'safety.latch-unreadable': 'een onleesbaar estop.json bij de start',
  'safety.contactor-welded':
    'de motoren hebben nog stroom nadat die is uitgeschakeld: het magneetrelais kan vastgelast zijn',
  'safety.contactor-open':
    'de motoren hebben geen stroom hoewel die is ingeschakeld: het magneetrelais sluit niet',
  'safety.contactor-unreadable': 'de terugmelding van de motorspanning is niet te lezen: {reason}',
  'safety.contactor-hint': 'Zet de motoren met de hoofdschakelaar uit en laat het magneetrelais herstellen.',

  'safety.controller-fault': 'de motorsturing meldt een fout: {faults}',
  'safety.unknown-fault': 'onbekend',
  'safety.battery-low': 'de accu staat op {mv} mV, onder {limit} mV',
  'safety.motor-hot': 'een motor is {celsius} °C, boven {limit} °C',
  'safety.loop-late': 'de regellus was {time} te laat',

  'safety.emergency-stop': 'noodstop: {by}',
  'safety.latch-not-saved': 'de vergrendeling van de noodstop kon niet worden opgeslagen: {reason}',
  'safety.stopped-but': 'de kar is gestopt, maar {reason}',
  'safety.not-connected-why': 'de motorsturing is niet verbonden ({reason})',
  'safety.not-connected-off': 'de motorsturing is niet verbonden ({reason}); de motoren zijn uitgeschakeld',
  'safety.stop-unacknowledged': 'de motorsturing heeft de stop niet binnen {limit} ms bevestigd',
  'safety.stop-unconfirmed': 'hij heeft de stop niet binnen {limit} ms bevestigd',
};
