export const LIVE_COMMISSIONING_TEXTS = {
  'The wheels are turning': 'De wielen draaien',
  'Finished. The controller reports a movement of {0}.':
    'Voltooid. De motorcontroller meldt een beweging van {0}.',
  'Step failed: {0}': 'Stap mislukt: {0}',
  'Rejected, as expected: {0}': 'Geweigerd, zoals verwacht: {0}',
  'The command was not rejected, so the cart was stopped. Check the limits in the settings before you continue.':
    'De opdracht werd niet geweigerd; daarom is de kar gestopt. Controleer de limieten in de instellingen voordat u verdergaat.',
  'Press the button on the cart': 'Druk op de knop op de kar',
  'E-stop detected. Release the button, then press the reset button on the cart or hold Reset at the top of the page':
    'Noodstop gedetecteerd. Ontgrendel de knop. Druk daarna op de resetknop op de kar of houd Reset boven aan de pagina ingedrukt',
  'E-stop and reset detected.': 'Noodstop en reset gedetecteerd.',
  'The wheels are turning. Unplug the serial cable now': 'De wielen draaien. Trek nu de seriële kabel los',
  'Connection loss detected. Plug the cable back in':
    'Verbindingsverlies gedetecteerd. Sluit de kabel weer aan',
  'The move ended before the cable was unplugged. Start again.':
    'De beweging was afgelopen voordat de kabel werd losgetrokken. Begin opnieuw.',
  'Reconnected. {0}': 'Weer verbonden. {0}',
  'The wheels travelled {0} mm after the connection was lost; the limit is {1} mm.':
    'De wielen draaiden na het verbindingsverlies nog {0} mm door; de limiet is {1} mm.',
  'The wheels travelled {0} mm after the connection was lost; this exceeds the limit of {1} mm.':
    'De wielen draaiden na het verbindingsverlies nog {0} mm door; dat is meer dan de limiet van {1} mm.',
  'The distance travelled after the connection was lost is unknown because the controller reset its distance counter. Base your answer on what you saw.':
    'De afstand na het verbindingsverlies is onbekend, omdat de motorcontroller zijn afstandsteller heeft gereset. Baseer uw antwoord op wat u hebt gezien.',
  'Connected to {0}.': 'Verbonden met {0}.',
  'Not connected: {0}': 'Niet verbonden: {0}',
  'no response from the gateway': 'geen antwoord van de gateway',
  'No value in the configured units is small enough for this step. Skip the step, or choose different units in the settings.':
    'Geen waarde in de ingestelde eenheden is klein genoeg voor deze stap. Sla de stap over of kies andere eenheden in de instellingen.',
};

export const COMMISSIONING_TEXTS = {
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
  'Step {0} of {1}': 'Stap {0} van {1}',
  'Skip this step': 'Deze stap overslaan',
  'Previous step': 'Vorige stap',
  'Wheels off the ground': 'Wielen van de grond',
  'Put the cart on blocks so that no driven wheel touches the ground. Keep hands, hair and cables away from the wheels.':
    'Zet de kar op blokken, zodat geen aangedreven wiel de grond raakt. Houd handen, haar en kabels uit de buurt van de wielen.',
  'The next steps turn the wheels. Stay next to the E-stop button.':
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
  'The cart turns {0} to the left. If the cart turns to the right, the two motors are connected the wrong way round.':
    'De kar draait {0} naar links. Als hij naar rechts draait, zijn de twee motoren verwisseld aangesloten.',
  'Turn {0} left': '{0} links draaien',
  'Did the cart turn to the left, with the right wheel turning forward and the left wheel backward?':
    'Draaide de kar naar links, met het rechterwiel vooruit en het linkerwiel achteruit?',
  Limits: 'Limieten',
  'One command drives the cart at most {0}, at a speed of up to {1}. Keep both limits low for the first few days; you can change them in the settings.':
    'Eén opdracht laat de kar hoogstens {0} rijden, met een snelheid van hoogstens {1}. Houd beide limieten de eerste dagen laag; u kunt ze wijzigen in de instellingen.',
  'This step sends a command that slightly exceeds the distance limit. The gateway must reject the command, and the wheels must not turn.':
    'Deze stap verzendt een opdracht die de afstandslimiet iets overschrijdt. De gateway moet de opdracht weigeren en de wielen mogen niet draaien.',
  'Exceed the limit': 'Limiet overschrijden',
  'Are these limits right for this cart, and did the wheels stay still?':
    'Zijn deze limieten juist voor deze kar, en bleven de wielen stilstaan?',
  'E-stop button': 'Noodstopknop',
  'Press the button on the cart. When this page detects the E-stop, release the button, then press the reset button on the cart or hold Reset at the top of the page.':
    'Druk op de knop op de kar. Ontgrendel de knop zodra deze pagina de noodstop detecteert. Druk daarna op de resetknop op de kar of houd Reset boven aan de pagina ingedrukt.',
  'Start the test': 'Test starten',
  'Did the button cut the power to the motors directly, without the gateway?':
    'Onderbrak de knop de voeding van de motoren rechtstreeks, zonder de gateway?',
  'Watchdog stop': 'Watchdogstop',
  'The wheels turn slowly. While they turn, unplug the serial cable: the controller must start to brake by itself within {0} ms. Then plug the cable back in.':
    'De wielen draaien langzaam. Trek ondertussen de seriële kabel los: de motorcontroller moet binnen {0} ms zelf beginnen te remmen. Sluit de kabel daarna weer aan.',
  'Start, then unplug the cable': 'Starten, daarna kabel lostrekken',
  'Did the wheels start to brake by themselves within {0} ms, and then stop?':
    'Begonnen de wielen binnen {0} ms vanzelf te remmen, en stopten ze daarna?',
  'Wave your hand in front of the camera.': 'Beweeg een hand voor de camera.',
  'Do you see your hand move, and is the image the right way up?':
    'Ziet u uw hand bewegen, en staat het beeld rechtop?',
  'MQTT server': 'MQTT-server',
  'The MQTT server connects this cart to other carts and programs. You can drive this cart without it.':
    'De MQTT-server verbindt deze kar met andere karren en programma’s. U kunt deze kar ook zonder besturen.',
  'Check the connection': 'Verbinding controleren',
  'Is this the correct MQTT server?': 'Is dit de juiste MQTT-server?',
  Footprint: 'Omtrek',
  'Measure the outline of the cart and its load, seen from above: the distance of each side from the middle of the drive axle, halfway between the driven wheels. For a cart that is not a rectangle, enter the corners in the settings.':
    'Meet de omtrek van de kar met zijn lading, van bovenaf gezien: de afstand van elke zijde tot het midden van de aangedreven as, halverwege de aangedreven wielen. Is de kar niet rechthoekig, vul dan de hoeken in bij de instellingen.',
  'Does the drawing match the cart?': 'Komt de tekening overeen met de kar?',
  'Save the footprint': 'Omtrek opslaan',
  'The outline of the cart; forward is up': 'De omtrek van de kar; vooruit is omhoog',
  Front: 'Voorkant',
  Rear: 'Achterkant',
  Left: 'Links',
  'Brake test': 'Remtest',
  'Put the cart on the floor, with its heaviest load. Clear the way, and make a mark on the floor. On the Drive page, drive towards the mark at full speed, and press Stop when the front of the cart reaches the mark. Then measure the distance from the mark to the front.':
    'Zet de kar op de vloer, met de zwaarste lading. Maak de weg vrij en zet een streep op de vloer. Rijd op de pagina Rijden met volle snelheid naar de streep en druk op Stop zodra de voorkant van de kar bij de streep is. Meet daarna de afstand van de streep tot de voorkant.',
  'Near zones, the gateway assumes that the cart brakes no better than in the worst test. Repeat the test with other loads and on the most slippery floor.':
    'Bij zones gaat de gateway ervan uit dat de kar niet beter remt dan in de slechtste test. Herhaal de test met andere ladingen en op de gladste vloer.',
  'How far did the cart roll?': 'Hoe ver reed de kar door?',
  'Save the measurement': 'Meting opslaan',
  'The cart did not stop': 'De kar stopte niet',
  'When you pressed Stop; at least half of the speed limit.':
    'Op het moment dat u op Stop drukte; minstens de helft van de snelheidslimiet.',
  'Stopping distance': 'Remweg',
  Load: 'Lading',
  'For example: 80 kg of boxes.': 'Bijvoorbeeld: 80 kg aan dozen.',
  '{0} mm from {1} mm/s': '{0} mm vanaf {1} mm/s',
  'Deceleration {0} mm/s².': 'Vertraging {0} mm/s².',
  'Measured by {0} on {1}.': 'Gemeten door {0} op {1}.',
  'Withdrawn by {0} on {1}.': 'Ingetrokken door {0} op {1}.',
  'Brake tests': 'Remtests',
  'Near zones, the gateway assumes a deceleration of {0} mm/s².':
    'Bij zones gaat de gateway uit van een vertraging van {0} mm/s².',
  Withdraw: 'Intrekken',
  'Passed, confirmed by {0} on {1}': 'Geslaagd, bevestigd door {0} op {1}',
  'Failed, reported by {0} on {1}': 'Mislukt, gemeld door {0} op {1}',
  'Skipped by {0} on {1}': 'Overgeslagen door {0} op {1}',
  Passed: 'Geslaagd',
  'Passed, with skipped steps': 'Geslaagd, met overgeslagen stappen',
  'A step failed': 'Een stap is mislukt',
  'This cart has not been commissioned yet.': 'Deze kar is nog niet in gebruik genomen.',
  '{0} of {1} steps passed': '{0} van {1} stappen geslaagd',
  'failed: {0}': 'mislukt: {0}',
  'skipped: {0}': 'overgeslagen: {0}',
  '{0} not done yet': '{0} nog niet uitgevoerd',
  '{0}. Last change: {1}.': '{0}. Laatste wijziging: {1}.',
};
