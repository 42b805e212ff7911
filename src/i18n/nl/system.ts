import type { Vocabulary } from '../language.js';

/** The System page, including backups and recordings. */
export const SYSTEM: Vocabulary = {
  Components: 'Onderdelen',
  Metrics: 'Meetwaarden',
  Log: 'Logboek',
  'JavaScript is required to show the log. The lines are also available as JSON at':
    'JavaScript is nodig om het logboek te tonen. De regels zijn ook als JSON beschikbaar op',
  '/system/log': '/system/log',
  'Minimum level': 'Minimumniveau',
  'Search text': 'Zoektekst',
  Pause: 'Pauzeren',
  'Log lines': 'Logregels',
  'Open commissioning': 'Ingebruikname openen',
  'Black box': 'Zwarte doos',
  'Every E-stop, protective stop and loss of the motor controller is recorded with the ten minutes before it: commands, serial frames, telemetry, connections, log and images, in one file without passwords. Stops within 60 s of each other, or without motion in between, form one incident. The first and the latest recording of an incident are kept. The newest five incidents are kept, and up to ten from the last 24 hours.':
    'Elke noodstop, beveiligingsstop en uitval van de motorcontroller wordt vastgelegd met de tien minuten ervoor: opdrachten, seriële frames, telemetrie, verbindingen, logboek en beelden, in één bestand zonder wachtwoorden. Stops binnen 60 s van elkaar, of zonder beweging ertussen, vormen één incident. De eerste en de laatste opname van een incident blijven bewaard. De nieuwste vijf incidenten blijven bewaard, en maximaal tien van de laatste 24 uur.',
  'Pinned recordings are kept until they are unpinned.':
    'Vastgezette opnamen blijven bewaard tot ze worden losgemaakt.',
  'Administrators can pin recordings.': 'Beheerders kunnen opnamen vastzetten.',
  'Incident {{incident}}': 'Incident {{incident}}',
  Pinned: 'Vastgezet',
  Pin: 'Vastzetten',
  Unpin: 'Losmaken',
  'Pin the recording of {{when}}': 'De opname van {{when}} vastzetten',
  'Unpin the recording of {{when}}': 'De opname van {{when}} losmaken',
  'No recordings yet.': 'Nog geen opnamen.',
  'Download the recording of {{when}}': 'De opname van {{when}} downloaden',
  Backups: 'Back-ups',
  'Cancel restore': 'Terugzetten annuleren',
  'A verified backup of the database is created every night. The newest seven are kept.':
    'Elke nacht wordt een gecontroleerde back-up van de database gemaakt. De nieuwste zeven blijven bewaard.',
  'Administrators can create, download and restore backups.':
    'Beheerders kunnen back-ups maken, downloaden en terugzetten.',
  'No backups yet.': 'Nog geen back-ups.',
  'will be restored at the next start': 'wordt bij de volgende start teruggezet',
  'Download the backup of {{when}}': 'De back-up van {{when}} downloaden',
  'Verify the backup of {{when}}': 'De back-up van {{when}} controleren',
  Verify: 'Controleren',
  'Create backup': 'Back-up maken',
  'Users and keys': 'Gebruikers en sleutels',
  'Manage access to the gateway:': 'Toegang tot de gateway beheren:',
  'The backup of {{when}} is damaged': 'De back-up van {{when}} is beschadigd',
  '{{damage}}. The backup cannot be restored. The current database is not affected.':
    '{{damage}}. De back-up kan niet worden teruggezet. De huidige database blijft ongewijzigd.',
  'The backup of {{when}} is intact': 'De back-up van {{when}} is intact',
  'The restore replaces the database at the next start of the gateway. Changes made after {{when}} will be missing. The current database is kept in a separate file.':
    'Bij de volgende start van de gateway vervangt deze back-up de database. Wijzigingen van na {{when}} ontbreken dan. De huidige database blijft in een apart bestand bewaard.',
  'All sessions end. Disabled users, revoked keys and replaced passwords stay invalid. Users who changed their password after the backup need a new one from an administrator.':
    'Alle sessies worden beëindigd. Uitgeschakelde gebruikers, ingetrokken sleutels en vervangen wachtwoorden blijven ongeldig. Gebruikers die hun wachtwoord na de back-up hebben gewijzigd, hebben een nieuw wachtwoord van een beheerder nodig.',
  'All tables have the same number of rows as in the current database. The contents may differ.':
    'Alle tabellen hebben evenveel rijen als in de huidige database. De inhoud kan verschillen.',
  'Restore at next start': 'Bij volgende start terugzetten',

  Database: 'Database',
  'partly ignored': 'deels genegeerd',
  valid: 'geldig',
  Clock: 'Klok',
  Faults: 'Storingen',
  '1 fault': '1 storing',
  '{0} faults': '{0} storingen',
  unknown: 'onbekend',
  'This machine does not report its time synchronisation': 'Deze machine meldt geen tijdsynchronisatie',
  synchronised: 'gesynchroniseerd',
  'not synchronised': 'niet gesynchroniseerd',
  'Times may be wrong. Driving and stopping are not affected':
    'Tijden kunnen onjuist zijn. Dit heeft geen invloed op rijden en stoppen',
  Version: 'Versie',
  'Running for {0}': 'Draait al {0}',
  'Event loop lag': 'Vertraging van de event loop',
  'Maximum of the last 1 to 2 minutes; median {0} ms, 99th percentile {1} ms. At 250 ms, a moving cart stops':
    'Maximum van de laatste 1 tot 2 minuten; mediaan {0} ms, 99e percentiel {1} ms. Vanaf 250 ms stopt een rijdende kar',
  Processor: 'Processor',
  'Of one core, in the last minute': 'Van één kern, in de laatste minuut',
  Memory: 'Geheugen',
  '{0} of it used by the heap; {1} of {2} free on this machine':
    'Waarvan {0} voor de heap; {1} van {2} vrij op deze machine',
  'Free disk space': 'Vrije schijfruimte',
  'Below 32 MB, nothing is saved': 'Onder 32 MB wordt niets opgeslagen',
  'Written to disk': 'Naar schijf geschreven',
  'By the database since start-up: {0} acknowledged writes in {1} commits':
    'Door de database sinds de start: {0} bevestigde schrijfacties in {1} commits',
  'Per write': 'Per schrijfactie',
  '{0} bytes': '{0} bytes',
  '{0} fsyncs; the last commit took {1} ms, {2} writes are queued':
    '{0} fsyncs; de laatste commit duurde {1} ms, {2} schrijfacties in de wachtrij',
  'Open pages': 'Open pagina’s',
  'With live updates; {0} camera viewers': 'Met live-updates; {0} camerakijkers',
  'Link to {0}': 'Verbinding met {0}',
  '{0} frames sent': '{0} frames verzonden',
  '{0} received, {1} damaged, {2} resent, {3} reconnects; {4} on {5}':
    '{0} ontvangen, {1} beschadigd, {2} opnieuw verzonden, {3} keer opnieuw verbonden; {4} op {5}',
  '{0} h {1} min': '{0} u {1} min',
  '{0} d {1} h': '{0} d {1} u',
  unhealthy: 'storing',
  healthy: 'in orde',
  degraded: 'beperkt',
  'All acknowledged writes are on disk': 'Alle bevestigde schrijfacties staan op schijf',
  'API keys': 'API-sleutels',
  'command history': 'opdrachtgeschiedenis',
  'payment events': 'betalingsgebeurtenissen',
  'safety events': 'veiligheidsgebeurtenissen',
  '{0}: {1} now, {2} in the backup': '{0}: nu {1}, in de back-up {2}',
  'Emergency stop': 'Noodstop',
  'Protective stop': 'Beveiligingsstop',
  'Connection to the motor controller lost while moving':
    'Verbinding met de motorcontroller verbroken tijdens het rijden',
  '{0} replaces the database at the next start of the gateway. Requested by {1} at {2}. Later changes will be missing. The current database is kept in a file whose name ends in “replaced” and the time.':
    '{0} vervangt de database bij de volgende start van de gateway. Aangevraagd door {1} op {2}. Latere wijzigingen ontbreken dan. De huidige database blijft bewaard in een bestand waarvan de naam eindigt op “replaced” en het tijdstip.',
};

/** The commissioning tour. */
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
  'Wave your hand in front of the camera.': 'Beweeg een hand voor de camera.',
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
