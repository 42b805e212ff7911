import type { Vocabulary } from '../../language.js';

export const SAFETY_MESSAGES: Vocabulary = {
  'safety.latched': 'gestopt door {by}: een reset is nodig',
  'safety.latched-hint': 'Zorg dat de weg vrij is en houd dan Reset ingedrukt.',
  'safety.button-pressed': 'de noodstopknop is ingedrukt',
  'safety.controller-estop': 'de motorcontroller meldt een noodstop',
  'safety.stop-only': 'de gateway staat in stopmodus, omdat hij meerdere keren achter elkaar is gecrasht',
  'safety.stop-only-hint':
    'Stop, Alles stoppen en Reset werken. Lees het logboek en herstart de gateway daarna: sudo systemctl restart cartwright.',
  'safety.settings-hint': 'Corrigeer dit op de pagina Instellingen.',
  'safety.latch-unsavable': 'een vergrendelde stop zou bij de volgende start verloren gaan: {reason}',
  'safety.latch-unsavable-hint':
    'Maak schijfruimte vrij. Herstel of vervang de SD-kaart als die niet te beschrijven is en herstart daarna de gateway.',
  'safety.input-unreadable': 'de noodstopingang is niet te lezen: {reason}',
  'safety.input-simulated':
    'de noodstopingang is alleen gesimuleerd, en volgens de instellingen mag een echte kar niet zonder noodstopingang rijden',
  'safety.input-off':
    'de noodstopingang is uitgeschakeld, en volgens de instellingen mag een echte kar niet zonder noodstopingang rijden',
  'safety.input-hint': 'Stel gpio.mode in of, om zonder noodstopingang te rijden, safety.acceptNoEstop.',
  'safety.still-pressed': 'de noodstopknop is nog ingedrukt',
  'safety.release-then-cart': 'Ontgrendel de knop op de kar en druk dan op de resetknop op de kar.',
  'safety.release-then-hold': 'Ontgrendel de knop op de kar en houd dan Reset ingedrukt.',
  'safety.settling': 'de noodstopingang is pas {time} van de vereiste {needed} in orde',
  'safety.wait-then-cart': 'Wacht even en druk dan op de resetknop op de kar.',
  'safety.wait-then-hold': 'Wacht even en houd Reset nog eens ingedrukt.',
  'safety.reset-on-cart': 'een stop die op de kar is geactiveerd, moet op de kar worden gereset',
  'safety.reset-on-cart-hint':
    'Reset hem op de kar. Of sta in de instellingen resetten vanaf een pagina toe (gpio.estop.allowRemoteReset) en herstart daarna de gateway.',
  'safety.not-reset-on-cart': 'gestopt door {by}: deze stop kan niet op de kar worden gereset',
  'safety.not-connected': 'de motorcontroller is niet verbonden',
  'safety.connect-hint': 'Reset de kar wanneer de motorcontroller weer verbonden is.',
  'safety.controller-unreachable': 'de motorcontroller is niet bereikbaar: {reason}',
  'safety.reset-failed': 'de motorcontroller heeft de stop niet gereset: {reason}',
  'safety.retry-hint': 'Probeer het over enkele ogenblikken opnieuw.',
  'safety.pressed-again': 'de kar is opnieuw gestopt',
  'safety.pressed-again-hint': 'Controleer wie de kar heeft gestopt voordat u de kar reset.',

  'safety.button': 'de noodstopknop op de kar',
  'safety.at-controller': 'de noodstop op de kar (ingang van de motorcontroller)',
  'safety.reset-button': 'de resetknop op de kar',
  'safety.input-not-read': 'nog niet gelezen',
  'safety.input-chatters': 'een instabiele noodstopingang (los contact)',
  'safety.input-lost': 'de noodstopingang, die niet meer te lezen is: {reason}',
  'safety.latch-unreadable': 'een onleesbare estop.json bij de start',
  'safety.latch-missing': 'een ontbrekende estop.json bij de start',
  'safety.contactor-welded':
    'de motoren hebben nog spanning nadat die is uitgeschakeld: de contactor is mogelijk vastgelast',
  'safety.contactor-open':
    'de motoren hebben geen spanning hoewel die is ingeschakeld: de contactor sluit niet',
  'safety.contactor-unreadable': 'de terugmelding van de motorspanning is niet te lezen: {reason}',
  'safety.contactor-hint': 'Zet de motoren met de hoofdschakelaar uit en laat de contactor repareren.',

  'safety.controller-fault': 'de motorcontroller meldt een storing: {faults}',
  'safety.unknown-fault': 'onbekend',
  'safety.battery-low': 'de accuspanning is {mv} mV, lager dan {limit} mV',
  'safety.motor-hot': 'de temperatuur van een motor is {celsius} °C, hoger dan {limit} °C',
  'safety.loop-late': 'de gateway stuurde de kar {time} te laat aan',
  'safety.too-busy':
    'de gateway was te druk om de kar aan te sturen, dus de kar is gestopt; probeer het opnieuw en kijk bij Systeem als het vaker gebeurt',

  'safety.emergency-stop': 'gestopt door {by}',
  'safety.latch-not-saved': 'de vergrendelde stop kon niet worden opgeslagen: {reason}',
  'safety.latch-not-saved-yet': 'de vergrendelde stop is nog niet opgeslagen, omdat de schijf niet reageert',
  'safety.stopped-but': 'de kar is gestopt, maar {reason}',
  'safety.not-connected-why': 'de motorcontroller is niet verbonden ({reason})',
  'safety.not-connected-off':
    'de motorcontroller is niet verbonden ({reason}); de motoren zijn uitgeschakeld',
  'safety.stop-unacknowledged': 'de motorcontroller heeft de stop niet binnen {limit} ms bevestigd',
  'safety.stop-unconfirmed': 'hij heeft de stop niet binnen {limit} ms bevestigd',
};
