import type { Vocabulary } from '../language.js';

export const SYSTEM: Vocabulary = {
  Components: 'Onderdelen',
  Metrics: 'Meetwaarden',
  Log: 'Logboek',
  'JavaScript is required to show the log. The log lines are also available as JSON at':
    'JavaScript is nodig om het logboek te tonen. De logregels zijn ook als JSON beschikbaar op',
  '/system/log': '/system/log',
  'Minimum level': 'Minimumniveau',
  'Search text': 'Zoektekst',
  Pause: 'Pauzeren',
  'Log lines': 'Logregels',
  'Open commissioning': 'Ingebruikname openen',
  'Black box': 'Zwarte doos',
  'The gateway makes a recording after every E-stop, every protective stop and every loss of the controller connection during a move. A recording covers the preceding ten minutes: commands, serial frames, telemetry, connections, log and images. It is one file and contains no passwords. Stops within 60 s of each other, or with no motion in between, form one incident. The first and the latest recording of each incident are kept. The latest five incidents are kept, and up to ten from the last 24 hours.':
    'De gateway maakt een opname na elke noodstop, elke beveiligingsstop en elk verbindingsverlies met de motorcontroller tijdens het rijden. Een opname omvat de tien minuten ervoor: opdrachten, seriële frames, telemetrie, verbindingen, logboek en beelden. Elke opname is één bestand en bevat geen wachtwoorden. Stops binnen 60 s van elkaar, of zonder beweging ertussen, vormen één incident. Van elk incident blijven de eerste en de laatste opname bewaard. De laatste vijf incidenten blijven bewaard, en maximaal tien van de laatste 24 uur.',
  'Pinned recordings are kept until they are unpinned.':
    'Vastgezette opnamen blijven bewaard tot ze worden losgemaakt.',
  'Administrators can pin recordings.': 'Beheerders kunnen opnamen vastzetten.',
  'Incident {{incident}}': 'Incident {{incident}}',
  Pinned: 'Vastgezet',
  Pin: 'Vastzetten',
  Unpin: 'Losmaken',
  'Pin the recording from {{when}}': 'De opname van {{when}} vastzetten',
  'Unpin the recording from {{when}}': 'De opname van {{when}} losmaken',
  'No recordings yet.': 'Nog geen opnamen.',
  'Download the recording from {{when}}': 'De opname van {{when}} downloaden',
  Backups: 'Back-ups',
  'Cancel restore': 'Terugzetten annuleren',
  'The gateway creates and verifies a database backup every night and keeps the latest seven backups.':
    'De gateway maakt en controleert elke nacht een back-up van de database en bewaart de laatste zeven back-ups.',
  'Administrators can create, download and restore backups.':
    'Beheerders kunnen back-ups maken, downloaden en terugzetten.',
  'No backups yet.': 'Nog geen back-ups.',
  'will be restored when the gateway restarts': 'wordt bij de volgende herstart van de gateway teruggezet',
  'Download the backup from {{when}}': 'De back-up van {{when}} downloaden',
  'Verify the backup from {{when}}': 'De back-up van {{when}} controleren',
  Verify: 'Controleren',
  'Create backup': 'Back-up maken',
  'Users and keys': 'Gebruikers en sleutels',
  'Manage access to the gateway:': 'Toegang tot de gateway beheren:',
  'The backup from {{when}} is damaged': 'De back-up van {{when}} is beschadigd',
  '{{damage}}. The backup cannot be restored. The current database is not affected.':
    '{{damage}}. De back-up kan niet worden teruggezet. De huidige database blijft ongewijzigd.',
  'The backup from {{when}} is intact': 'De back-up van {{when}} is intact',
  'When the gateway restarts, this backup will replace the database. Changes made after {{when}} will be missing. The current database will be kept in a separate file.':
    'Bij de volgende herstart van de gateway vervangt deze back-up de database. Wijzigingen van na {{when}} ontbreken dan. De huidige database blijft in een apart bestand bewaard.',
  'All sessions will end. Disabled users stay disabled; revoked keys and replaced passwords stay invalid. Users who changed their passwords after the backup was made need new passwords from an administrator.':
    'Alle sessies worden beëindigd. Uitgeschakelde gebruikers blijven uitgeschakeld; ingetrokken sleutels en vervangen wachtwoorden blijven ongeldig. Gebruikers die hun wachtwoord na de back-up hebben gewijzigd, hebben een nieuw wachtwoord van een beheerder nodig.',
  'Each table has the same number of rows as in the current database, but the contents may differ.':
    'Elke tabel heeft evenveel rijen als in de huidige database, maar de inhoud kan verschillen.',
  'Restore on restart': 'Terugzetten bij herstart',

  Database: 'Database',
  'partly ignored': 'deels genegeerd',
  valid: 'geldig',
  Clock: 'Klok',
  Faults: 'Storingen',
  '1 fault': '1 storing',
  '{0} faults': '{0} storingen',
  unknown: 'onbekend',
  'This machine does not report whether its clock is synchronised':
    'Deze machine meldt niet of de klok gesynchroniseerd is',
  synchronised: 'gesynchroniseerd',
  'not synchronised': 'niet gesynchroniseerd',
  'Times may be wrong. Driving and stopping are not affected':
    'Tijden kunnen onjuist zijn. Dit heeft geen invloed op rijden en stoppen',
  Version: 'Versie',
  'Running for {0}': 'Draait al {0}',
  'Event loop lag': 'Vertraging van de event loop',
  'Maximum over the last 1 to 2 minutes; median {0} ms, 99th percentile {1} ms. If the lag reaches 250 ms, a moving cart stops':
    'Maximum over de laatste 1 tot 2 minuten; mediaan {0} ms, 99e percentiel {1} ms. Als de vertraging 250 ms bereikt, stopt een rijdende kar',
  Processor: 'Processor',
  'Percentage of one core over the last minute': 'Percentage van één kern over de laatste minuut',
  Memory: 'Geheugen',
  'Heap: {0}. Free on this machine: {1} of {2}': 'Heap: {0}. Vrij op deze machine: {1} van {2}',
  'Free disk space': 'Vrije schijfruimte',
  'Below 32 MB, the gateway stops saving data': 'Onder 32 MB slaat de gateway geen gegevens meer op',
  'Written to disk': 'Naar schijf geschreven',
  'By the database since startup: {0} acknowledged writes in {1} commits':
    'Door de database sinds de start: {0} bevestigde schrijfacties in {1} commits',
  'Data per write': 'Gegevens per schrijfactie',
  '{0} bytes': '{0} bytes',
  'Fsyncs per write: {0}. Last commit: {1} ms. Queued writes: {2}':
    'Fsyncs per schrijfactie: {0}. Laatste commit: {1} ms. Schrijfacties in de wachtrij: {2}',
  'Open pages': 'Open pagina’s',
  'Pages with live updates. Camera viewers: {0}': 'Pagina’s met live-updates. Camerakijkers: {0}',
  'Controller link: {0}': 'Verbinding met de motorcontroller: {0}',
  '{0} frames sent': '{0} frames verzonden',
  'Received: {0}. Damaged: {1}. Resent: {2}. Reconnects: {3}. Driver: {4} on {5}':
    'Ontvangen: {0}. Beschadigd: {1}. Opnieuw verzonden: {2}. Opnieuw verbonden: {3}. Driver: {4} op {5}',
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
    'Verbinding met de motorcontroller tijdens het rijden verbroken',
  '{0} will replace the database when the gateway restarts. Requested by {1} on {2}. Changes made after the backup was created will be missing. The current database will be kept in a file whose name ends in “replaced” followed by the time.':
    '{0} vervangt de database bij de volgende herstart van de gateway. Aangevraagd door {1} op {2}. Wijzigingen van na de back-up ontbreken dan. De huidige database blijft bewaard in een bestand waarvan de naam eindigt op “replaced” gevolgd door het tijdstip.',
};

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
  'The wheels turn forward by {0}. If a wheel turns in the wrong direction, swap the wires to its motor.':
    'De wielen draaien {0} vooruit. Als een wiel de verkeerde kant op draait, verwissel dan de draden van de motor.',
  'a small amount': 'een klein stukje',
  'Drive {0} forward': '{0} vooruit rijden',
  'Did all driven wheels turn forward?': 'Draaiden alle aangedreven wielen vooruit?',
  'Turning direction': 'Draairichting',
  'The cart turns {0} to the left. If it turns to the right, the two motors are connected the wrong way round.':
    'De kar draait {0} naar links. Als hij naar rechts draait, zijn de twee motoren verwisseld aangesloten.',
  'Turn {0} left': '{0} links draaien',
  'Did the cart turn to the left, with the right wheel turning forwards and the left wheel turning backwards?':
    'Draaide de kar naar links, met het rechterwiel vooruit en het linkerwiel achteruit?',
  Limits: 'Grenzen',
  'One command drives the cart at most {0}, at a speed of up to {1}. Keep both limits low for the first few days; you can change them in the settings.':
    'Eén opdracht laat de kar hoogstens {0} rijden, met een snelheid van hoogstens {1}. Houd beide limieten de eerste dagen laag; u kunt ze wijzigen in de instellingen.',
  'This step sends a command that slightly exceeds the distance limit. The gateway must reject the command, and the wheels must not turn.':
    'Deze stap verzendt een opdracht die de afstandslimiet iets overschrijdt. De gateway moet de opdracht weigeren en de wielen mogen niet draaien.',
  'Exceed the limit': 'Limiet overschrijden',
  'Are these limits right for this cart, and did the wheels stay still?':
    'Zijn deze limieten juist voor deze kar, en bleven de wielen stilstaan?',
  'Emergency-stop button': 'Noodstopknop',
  'Press the button on the cart. When this page detects the E-stop, release the button, then reset the E-stop on the cart or with Reset E-stop at the top of the page.':
    'Druk op de knop op de kar. Ontgrendel de knop zodra deze pagina de noodstop detecteert en reset daarna de noodstop: op de kar of met Noodstop resetten boven aan de pagina.',
  'Start the test': 'Test starten',
  'Did the button cut the power to the motors directly, without the gateway?':
    'Onderbrak de knop de spanning naar de motoren rechtstreeks, zonder de gateway?',
  'Watchdog stop': 'Watchdogstop',
  'The wheels turn slowly. While they turn, unplug the serial cable: the controller must start to brake by itself within {0} ms. Then plug the cable back in.':
    'De wielen draaien langzaam. Trek ondertussen de seriële kabel los: de motorcontroller moet binnen {0} ms zelf beginnen te remmen. Sluit de kabel daarna weer aan.',
  'Start, then unplug the cable': 'Starten, daarna kabel lostrekken',
  'Did the wheels start to brake by themselves within {0} ms, and then stop?':
    'Begonnen de wielen binnen {0} ms vanzelf te remmen, en stopten ze daarna?',
  'Wave your hand in front of the camera.': 'Beweeg een hand voor de camera.',
  'Do you see your hand move, and is the image the right way up?':
    'Ziet u uw hand bewegen, en staat het beeld rechtop?',
  'MQTT broker': 'MQTT-broker',
  'The broker connects this cart to other carts and programs. You can drive this cart without a broker.':
    'De broker verbindt deze kar met andere karren en programma’s. U kunt deze kar zonder broker besturen.',
  'Check the connection': 'Verbinding controleren',
  'Is this the correct broker?': 'Is dit de juiste broker?',
  'Passed, confirmed by {0} on {1}': 'Geslaagd, bevestigd door {0} op {1}',
  'Failed, reported by {0} on {1}': 'Mislukt, gemeld door {0} op {1}',
  'Skipped by {0} on {1}': 'Overgeslagen door {0} op {1}',
  'This cart has not been commissioned yet.': 'Deze kar is nog niet in gebruik genomen.',
  '{0} of {1} steps passed': '{0} van {1} stappen geslaagd',
  'failed: {0}': 'mislukt: {0}',
  'skipped: {0}': 'overgeslagen: {0}',
  '{0} not done yet': '{0} nog niet uitgevoerd',
  '{0}. Last change: {1}.': '{0}. Laatste wijziging: {1}.',
};
