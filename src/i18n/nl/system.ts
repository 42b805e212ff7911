import type { Vocabulary } from '../language.js';

/** The page System, with backups and the black box. */
export const SYSTEM: Vocabulary = {
  Parts: 'Onderdelen',
  Figures: 'Cijfers',
  Log: 'Logboek',
  'The log is shown with scripts only. As text it is at':
    'Het logboek wordt alleen met scripts getoond. Als tekst staat het op',
  '/system/log': '/system/log',
  'From level': 'Vanaf niveau',
  'With the text': 'Met de tekst',
  'Hold still': 'Stilzetten',
  'Lines of the log': 'Regels van het logboek',
  'Go through the steps': 'De stappen doorlopen',
  'Black box': 'Zwarte doos',
  'Every stop records the last ten minutes: commands, frames on the serial line, telemetry, links, log and pictures, in one file without passwords. Stops within 60 s of each other, or without motion in between, are one incident; its first and latest recordings stay. The newest five incidents stay, and up to ten of the last 24 hours.':
    'Elke stop legt de laatste tien minuten vast: opdrachten, frames op de seriële lijn, telemetrie, verbindingen, logboek en beelden, in één bestand zonder wachtwoorden. Stops binnen 60 s van elkaar, of zonder beweging ertussen, zijn één incident; de eerste en de laatste opname ervan blijven bewaard. De nieuwste vijf incidenten blijven bewaard, en tot tien van de laatste 24 uur.',
  'Pinned recordings stay until they are unpinned.':
    'Vastgezette opnamen blijven bewaard tot ze worden losgemaakt.',
  'An administrator can pin recordings.': 'Een beheerder kan opnamen vastzetten.',
  'Incident {{incident}}': 'Incident {{incident}}',
  Pinned: 'Vastgezet',
  Pin: 'Vastzetten',
  Unpin: 'Losmaken',
  'Pin the recording of {{when}}': 'De opname van {{when}} vastzetten',
  'Unpin the recording of {{when}}': 'De opname van {{when}} losmaken',
  'No emergency stop, protective stop or loss of the line so far.':
    'Tot nu toe geen noodstop, beveiligingsstop of verlies van de lijn.',
  'Download the black box of {{when}}': 'De zwarte doos van {{when}} downloaden',
  Backups: 'Reservekopieën',
  'Keep the database instead': 'Toch de database houden',
  'A verified copy of the database is made every night; the newest seven are kept.':
    'Elke nacht wordt een nagelezen kopie van de database gemaakt; de nieuwste zeven blijven bewaard.',
  'An administrator makes, downloads and restores them.': 'Een beheerder maakt, downloadt en herstelt ze.',
  'No backup yet.': 'Nog geen reservekopie.',
  'chosen for the next start': 'gekozen voor de volgende start',
  'Download the backup of {{when}}': 'De reservekopie van {{when}} downloaden',
  'Verify the backup of {{when}}': 'De reservekopie van {{when}} nalezen',
  Verify: 'Nalezen',
  'Make a backup now': 'Nu een reservekopie maken',
  'Users and keys': 'Gebruikers en sleutels',
  'Who may come in, and which machines:': 'Wie er binnen mag, en welke machines:',
  'The backup of {{when}} is damaged': 'De reservekopie van {{when}} is beschadigd',
  '{{damage}}. It cannot be restored; the database itself is not touched.':
    '{{damage}}. Ze kan niet hersteld worden; de database zelf blijft onaangeroerd.',
  'The backup of {{when}} is sound': 'De reservekopie van {{when}} is goed',
  'Restored, it takes the place of the database at the next start of the gateway. Everything saved or changed after {{when}} is then missing here. It is not deleted: the database of now is kept beside it.':
    'Hersteld komt ze bij de volgende start van de gateway in de plaats van de database. Alles wat na {{when}} bewaard of gewijzigd is, ontbreekt dan hier. Het wordt niet verwijderd: de database van nu blijft ernaast bewaard.',
  'All sessions end. Disabled users, revoked keys and changed passwords stay revoked: users who changed their password since need a new one from an administrator.':
    'Alle sessies eindigen. Uitgeschakelde gebruikers, ingetrokken sleutels en gewijzigde wachtwoorden blijven ongeldig: wie sindsdien het wachtwoord wijzigde, krijgt een nieuw wachtwoord van een beheerder.',
  'It has as many rows as the database of now, in every table. Rows may have been changed since.':
    'Ze heeft evenveel rijen als de database van nu, in elke tabel. Rijen kunnen sindsdien gewijzigd zijn.',
  'Restore at the next start': 'Herstellen bij de volgende start',

  Database: 'Database',
  'in part not used': 'deels niet gebruikt',
  'all used': 'alles gebruikt',
  Clock: 'Klok',
  Faults: 'Fouten',
  '1 fault': '1 fout',
  '{0} faults': '{0} fouten',
  'not known': 'niet bekend',
  'This machine does not tell whether a time server set it':
    'Deze machine vertelt niet of een tijdserver haar gezet heeft',
  'set by a time server': 'gezet door een tijdserver',
  'Times may be wrong. Carts drive and stop without it':
    'Tijden kunnen fout zijn. Karren rijden en stoppen zonder',
  Version: 'Versie',
  'Runs for {0}': 'Draait {0}',
  'Event loop late by': 'Lus te laat met',
  'At most, in the last minutes; usually {0} ms, 1 in 100 more than {1} ms. From 250 ms on a moving cart is stopped':
    'Hoogstens, in de laatste minuten; meestal {0} ms, 1 op de 100 meer dan {1} ms. Vanaf 250 ms wordt een rijdende kar gestopt',
  Processor: 'Processor',
  'Of one core, in the last minute': 'Van één kern, in de laatste minuut',
  Memory: 'Geheugen',
  '{0} of it in use by the program; the machine has {1} free of {2}':
    'Daarvan {0} in gebruik door het programma; de machine heeft {1} vrij van {2}',
  'Disk free': 'Schijf vrij',
  'Below 32 MB nothing is saved any more': 'Onder 32 MB wordt er niets meer bewaard',
  'Written to the disk': 'Naar de schijf geschreven',
  'By the database since the start: {0} acknowledged writes in {1} commits':
    'Door de database sinds de start: {0} bevestigde schrijfacties in {1} commits',
  'For each write': 'Per schrijfactie',
  '{0} bytes': '{0} bytes',
  '{0} fsyncs; the last commit took {1} ms, {2} wait':
    '{0} fsyncs; de laatste commit duurde {1} ms, {2} wachten',
  'Pages open': 'Open pagina’s',
  'That follow what happens; {0} look at the camera': 'Die volgen wat er gebeurt; {0} kijken naar de camera',
  'Line to {0}': 'Lijn naar {0}',
  '{0} sent': '{0} verzonden',
  '{0} received, {1} dropped as damaged, {2} sent again, {3} reconnects; {4} on {5}':
    '{0} ontvangen, {1} beschadigd weggelaten, {2} opnieuw verzonden, {3} keer opnieuw verbonden; {4} op {5}',
  '{0} h {1} min': '{0} u {1} min',
  '{0} d {1} h': '{0} d {1} u',
  'does not save': 'bewaart niet',
  saves: 'bewaart',
  'What is acknowledged is on the disk': 'Wat bevestigd is, staat op de schijf',
  'API keys': 'API-sleutels',
  'entries of what carts did': 'regels over wat karren deden',
  'events of payments': 'gebeurtenissen van betalingen',
  'entries of what stopped carts': 'regels over wat karren stopte',
  '{0}: {1} now, {2} in this copy': '{0}: {1} nu, {2} in deze kopie',
  'Emergency stop': 'Noodstop',
  'Protective stop': 'Beveiligingsstop',
  'The line to the controller was lost while the cart moved':
    'De lijn naar de motorcontroller viel weg terwijl de kar reed',
  '{0} takes the place of the database when the gateway starts next. {1} chose it at {2}. What was saved after it is then missing here, and kept beside the database in a file whose name ends in “replaced” and the time.':
    '{0} komt bij de volgende start van de gateway in de plaats van de database. {1} koos haar op {2}. Wat daarna bewaard is, ontbreekt dan hier, en blijft naast de database in een bestand waarvan de naam op “replaced” en de tijd eindigt.',
};

/** The tour of the commissioning. */
export const COMMISSIONING: Vocabulary = {
  Commissioning: 'Ingebruikname',
  'Before the first drive': 'Voor de eerste rit',
  'Each step operates the real cart. Skip steps for equipment that this cart does not have; the record shows skipped steps.':
    'Elke stap bedient de echte kar. Sla stappen over voor onderdelen die deze kar niet heeft; het verslag vermeldt overgeslagen stappen.',
  Continue: 'Verder',
  'Start over': 'Opnieuw beginnen',
  Start: 'Beginnen',
  'Skip the remaining steps': 'Overige stappen overslaan',
  'Skip all steps': 'Alle stappen overslaan',
  Record: 'Verslag',
  'Not done yet': 'Nog niet uitgevoerd',
  'Commissioning, step {{number}} of {{count}}': 'Ingebruikname, stap {{number}} van {{count}}',
  'Skip this step': 'Deze stap overslaan',
  'Previous step': 'Vorige stap',
  'All steps': 'Alle stappen',
  'Wheels off the ground': 'Wielen van de grond',
  'Put the cart on blocks so that no driven wheel touches the ground. Keep hands, hair and cables away from the wheels.':
    'Zet de kar op blokken, zodat geen aangedreven wiel de grond raakt. Houd handen, haar en kabels uit de buurt van de wielen.',
  'The next steps turn the wheels. Stay next to the emergency-stop button.':
    'De volgende stappen laten de wielen draaien. Blijf naast de noodstopknop.',
  'Does every driven wheel turn freely?': 'Draait elk aangedreven wiel vrij?',
  Yes: 'Ja',
  No: 'Nee',
  'Forward direction': 'Richting vooruit',
  'The wheels turn forward by {0}. If a wheel turns the wrong way, swap the wires of its motor.':
    'De wielen draaien {0} vooruit. Als een wiel de verkeerde kant op draait, verwissel dan de draden van de motor.',
  'a short distance': 'een klein stukje',
  'Drive {0} forward': '{0} vooruit rijden',
  'Did all driven wheels turn forward?': 'Draaiden alle aangedreven wielen vooruit?',
  'Turning direction': 'Draairichting',
  'The cart turns {0} to the left. If it turns to the right, the two motors are swapped.':
    'De kar draait {0} naar links. Als hij naar rechts draait, zijn de twee motoren verwisseld.',
  'Turn {0} left': '{0} links draaien',
  'Did it turn to the left, the right wheel forwards and the left wheel backwards?':
    'Draaide hij naar links, het rechterwiel vooruit en het linkerwiel achteruit?',
  Limits: 'Grenzen',
  'One command drives at most {0}, at up to {1}. Keep both limits low for the first days; you can change them in the settings.':
    'Eén opdracht rijdt hoogstens {0}, met hoogstens {1}. Houd beide limieten de eerste dagen laag; u kunt ze wijzigen in de instellingen.',
  'This sends a command just over the limit. The gateway must reject it, and nothing may move.':
    'Dit verzendt een opdracht net boven de limiet. De gateway moet die weigeren en er mag niets bewegen.',
  'Exceed the limit': 'Limiet overschrijden',
  'Are these limits right for this cart, and did nothing move?':
    'Zijn deze limieten juist voor deze kar, en bewoog er niets?',
  'Emergency-stop button': 'Noodstopknop',
  'Press the button on the cart. When this page has detected it, release the button, then reset the E-stop on the cart or with Reset E-stop at the top of the page.':
    'Druk op de knop op de kar. Ontgrendel de knop zodra deze pagina het heeft gedetecteerd en reset dan de noodstop, op de kar of met Noodstop resetten bovenaan de pagina.',
  'Start the test': 'Test starten',
  'Did the button cut the power to the motors in hardware?':
    'Onderbrak de knop de spanning naar de motoren in hardware?',
  'Watchdog stop': 'Watchdogstop',
  'The wheels turn slowly. Unplug the serial cable while they turn: the controller must stop them by itself within {0} ms. Then plug the cable back in.':
    'De wielen draaien langzaam. Trek ondertussen de seriële kabel los: de motorcontroller moet de wielen binnen {0} ms zelf stoppen. Sluit de kabel daarna weer aan.',
  'Start, then unplug the cable': 'Starten, daarna kabel lostrekken',
  'Did the wheels start to brake by themselves within {0} ms, and stop?':
    'Begonnen de wielen binnen {0} ms vanzelf te remmen, en stopten ze?',
  'Move a hand in front of the camera.': 'Beweeg een hand voor de camera.',
  'Do you see your hand move in the image, the right way up?':
    'Ziet u uw hand in het beeld bewegen, en staat het beeld rechtop?',
  'MQTT broker': 'MQTT-broker',
  'The broker connects this cart to other carts and programs. This cart can be driven without it.':
    'De broker verbindt deze kar met andere karren en programma’s. Deze kar kan zonder broker rijden.',
  'Check the connection': 'Verbinding controleren',
  'Is this the correct broker?': 'Is dit de juiste broker?',
  'Passed by {0}, {1}': 'Geslaagd: {0}, {1}',
  'Failed by {0}, {1}': 'Mislukt: {0}, {1}',
  'Skipped by {0}, {1}': 'Overgeslagen: {0}, {1}',
  'This cart has not been commissioned yet.': 'Deze kar is nog niet in gebruik genomen.',
  '{0} of {1} steps passed': '{0} van {1} stappen geslaagd',
  'failed: {0}': 'mislukt: {0}',
  'skipped: {0}': 'overgeslagen: {0}',
  '{0} not done yet': '{0} nog niet uitgevoerd',
  '{0}. Last change {1}.': '{0}. Laatste wijziging {1}.',
};
