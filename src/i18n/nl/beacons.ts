import type { Vocabulary } from '../language.js';

export const LIVE_BEACONS: Vocabulary = {
  '1 beacon': '1 baken',
  '{0} beacons': '{0} bakens',
  '{0}, all with a position': '{0}, alle met een positie',
  '1 beacon, with a position': '1 baken, met een positie',
  '1 beacon, without a position': '1 baken, zonder positie',
  '{0}, {1} without a position': '{0}, waarvan {1} zonder positie',
  'The map shows only the first {0} beacons; the table lists all beacons':
    'De kaart toont alleen de eerste {0} bakens; de tabel bevat alle bakens',
  'More than 20 km away and outside the map: {0}. Check their coordinates or the position of the floor plan.':
    'Verder dan 20 km en buiten de kaart: {0}. Controleer de coördinaten of de positie van de plattegrond.',
  'No beacons yet': 'Nog geen bakens',
  'No beacon has a position yet. Each square is {0} wide. The selected cart is shown relative to its starting position.':
    'Nog geen enkel baken heeft een positie. Elk vak is {0} breed. De gekozen kar is getekend ten opzichte van de beginpositie.',
  'The beacons could not be loaded. Reload the page.':
    'De bakens konden niet worden geladen. Laad de pagina opnieuw.',
  'Each square is {0} wide. North is up.': 'Elk vak is {0} breed. Het noorden is boven.',
  'A cart with a dashed outline is shown as if it had started at the cross, facing north.':
    'Een kar met een gestippelde omtrek is getekend alsof hij bij het kruis is vertrokken, met de voorkant naar het noorden.',
  'No response from the gateway. Reload the page to see the stored data.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om de opgeslagen gegevens te zien.',
  '{0} m east': '{0} m oost',
  '{0} m west': '{0} m west',
  '{0} m north': '{0} m noord',
  '{0} m south': '{0} m zuid',
  'Zoom in': 'Inzoomen',
  'Zoom out': 'Uitzoomen',
  'Marker {0}': 'Marker {0}',
  'Marker {0} moved.': 'Marker {0} is verplaatst.',
  'Marker {0} not moved: it was changed in the meantime, or the gateway did not respond.':
    'Marker {0} is niet verplaatst: de marker is intussen gewijzigd of de gateway antwoordde niet.',
  'North is up.': 'Het noorden is boven.',
  '{0} ago': '{0} geleden',
  'accurate to within {0}': 'nauwkeurig tot op {0}',
  'no position': 'geen positie',
  'heading {0}°': 'koers {0}°',
  'heading unknown until the cart has moved a few metres':
    'koers onbekend tot de kar een paar meter heeft gereden',
  'receives {0}': 'ontvangt {0}',
  'Scale set': 'Schaal ingesteld',
  'Select the position on the map.': 'Kies de positie op de kaart.',
  'Delete this beacon? This cannot be undone.':
    'Dit baken verwijderen? Dit kan niet ongedaan worden gemaakt.',
  'Importing {0}': '{0} wordt geïmporteerd',
  'Imported: {0} new, {1} replaced, {2} unchanged.':
    'Geïmporteerd: {0} nieuw, {1} vervangen, {2} ongewijzigd.',
  'The file is {0} MB; the limit is {1} MB.': 'Het bestand is {0} MB; de limiet is {1} MB.',
  Line: 'Regel',
  Row: 'Rij',
  Beacon: 'Baken',
  Field: 'Veld',
  Error: 'Fout',
  'entire row': 'hele rij',
  'Turn on “Replace existing beacons” to replace them.':
    'Zet “Bestaande bakens vervangen” aan om ze te vervangen.',
  'No floor plan yet. Upload one to show walls and doors on the map.':
    'Nog geen plattegrond. Upload er een om muren en deuren op de kaart te tonen.',
  'The floor plan is {0} x {1} px. To show it on the map, draw a line of known length.':
    'De plattegrond is {0} x {1} px. Teken een lijn met een bekende lengte om hem op de kaart te tonen.',
  'The floor plan is {0} wide and {1} high. North is at the top.':
    'De plattegrond is {0} breed en {1} hoog. Het noorden is boven.',
  'Draw a line on the floor plan first.': 'Teken eerst een lijn op de plattegrond.',
  Length: 'Lengte',
  'Tap the map to select a destination for {0}, at most {1} away.':
    'Tik op de kaart om een bestemming voor {0} te kiezen, op hoogstens {1} afstand.',
  'Place {0}': '{0} plaatsen',
  'Tap the position of {0}.': 'Tik op de positie van {0}.',
  'Tap the exact position of {0}.': 'Tik op de exacte positie van {0}.',
  'Tap a point straight ahead of {0}, at least 1 m away.':
    'Tik op een punt recht vóór {0}, minstens 1 m verder.',
  'Tap further from the cart.': 'Tik verder van de kar.',
  'To drive to a point, first place {0} on the map.':
    'Plaats {0} eerst op de kaart om naar een punt te rijden.',
  'To drive to a point, first place {0} on the map: its position from the beacons is accurate only to within {1}.':
    'Plaats {0} eerst op de kaart om naar een punt te rijden: de positie op basis van de bakens is maar tot op {1} nauwkeurig.',
  'The position of {0} is too inaccurate to drive to a point. Drive until the camera sees a marker, or place {1} on the map.':
    'De positie van {0} is te onnauwkeurig om naar een punt te rijden. Rijd tot de camera een marker ziet of plaats {1} op de kaart.',
  '{0} has moved. Tap the map again.': '{0} heeft zich verplaatst. Tik opnieuw op de kaart.',
  'Place {0} on the map again: {1}.': 'Plaats {0} opnieuw op de kaart: {1}.',
  '{0} is moving': '{0} rijdt',
  'only {0} can drive to a point': 'alleen {0} kan naar een punt rijden',
  '{0} does not measure its movement': '{0} meet zijn beweging niet',
  'the settings allow only preset distances and angles':
    'de instellingen staan alleen vaste afstanden en hoeken toe',
  'the cart cannot turn on the spot': 'de kar kan niet op de plaats draaien',
  'Driving to a point is blocked: {0}.': 'Naar een punt rijden is geblokkeerd: {0}.',
  'This point is {0} away; one command drives at most {1}.':
    'Dit punt ligt op {0} afstand; met één opdracht rijdt de kar hoogstens {1}.',
  'This point is {0} away; the minimum is {1}.': 'Dit punt ligt op {0} afstand; het minimum is {1}.',
  'This point requires a turn of {0}°; one command turns at most {1}°.':
    'Dit punt vereist een draai van {0}°; met één opdracht draait de kar hoogstens {1}°.',
  'the connection to the motor controller was interrupted':
    'de verbinding met de motorcontroller is onderbroken geweest',
  'the cart was stopped with Stop all or the E-stop': 'de kar is gestopt met Alles stoppen of de noodstop',
  'the page received no data for 10 s': 'de pagina ontving 10 s lang geen gegevens',
  'the odometry jumped': 'de odometrie maakte een sprong',
  'the cart has driven 20 m or turned 720°, so its position is no longer accurate':
    'de kar heeft 20 m gereden of is 720° gedraaid, dus de positie is niet meer nauwkeurig',
  'The floor plan is {0} wide and {1} high, and is rotated by {2}°.':
    'De plattegrond is {0} breed en {1} hoog en is {2}° gedraaid.',
  'Point {0}: {1}': 'Punt {0}: {1}',
  Uploading: 'Bezig met uploaden',
  'Floor plan deleted.': 'Plattegrond verwijderd.',
  'Delete the floor plan? This cannot be undone.':
    'De plattegrond verwijderen? Dit kan niet ongedaan worden gemaakt.',
};
