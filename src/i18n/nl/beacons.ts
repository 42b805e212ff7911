import type { Vocabulary } from '../language.js';

/** What the live pages of the beacons, of the commissioning and System say by themselves. */
export const LIVE_BEACONS: Vocabulary = {
  '1 beacon': '1 baken',
  '{0} beacons': '{0} bakens',
  '{0}, each at its place': '{0}, elk op zijn plaats',
  '{0}, {1} without a place': '{0}, {1} zonder plaats',
  'The first {0} beacons are drawn; the table has all of them':
    'De eerste {0} bakens zijn getekend; in de tabel staan ze allemaal',
  'No beacons yet': 'Nog geen bakens',
  'No beacon has a place yet. Give one latitude and longitude, and it stands here.':
    'Nog geen baken heeft een plaats. Geef er een breedte en lengte op, dan staat het hier.',
  'The beacons could not be loaded. Load the page again.':
    'De bakens konden niet geladen worden. Laad de pagina opnieuw.',
  'One square is {0}. North is up.': 'Eén vak is {0}. Het noorden is boven.',
  'Zoom in': 'Inzoomen',
  'Zoom out': 'Uitzoomen',
  'North is up.': 'Het noorden is boven.',
  '{0} ago': '{0} geleden',
  'within {0}': 'binnen {0}',
  'no position': 'geen positie',
  'heads {0}°': 'koers {0}°',
  'heading known after some metres of driving': 'koers bekend na een paar meter rijden',
  'hears {0}': 'hoort {0}',
  'Touch the place on the map.': 'Raak de plaats op de kaart aan.',
  'Delete this beacon? It cannot be brought back.': 'Dit baken verwijderen? Het is niet terug te halen.',
  'Importing {0}': '{0} wordt geïmporteerd',
  'Imported: {0} new, {1} replaced, {2} there already.':
    'Geïmporteerd: {0} nieuw, {1} vervangen, {2} al aanwezig.',
  'The file has {0} MB: at most {1} MB can be taken.': 'Het bestand is {0} MB: er kan hoogstens {1} MB in.',
  Row: 'Rij',
  Field: 'Veld',
  'What is wrong': 'Wat er mis is',
  'the row': 'de rij',
  'Switch on “Replace those that are there” to replace them.':
    'Zet “Vervang wat er al is” aan om ze te vervangen.',
  'No floor plan yet. With one the map shows where walls and doors are.':
    'Nog geen plattegrond. Met een plattegrond toont de kaart waar muren en deuren zijn.',
  'The plan has {0} x {1} px. It lies under the map when its two points are set.':
    'De plattegrond heeft {0} x {1} px. Hij ligt onder de kaart zodra zijn twee punten bekend zijn.',
  'The plan is {0} wide and {1} high, turned {2}°.':
    'De plattegrond is {0} breed en {1} hoog, {2}° gedraaid.',
  'Point {0}: {1}': 'Punt {0}: {1}',
  Uploading: 'Wordt verstuurd',
  'The plan is deleted.': 'De plattegrond is verwijderd.',
  'Delete the floor plan? It cannot be brought back.':
    'De plattegrond verwijderen? Hij is niet terug te halen.',

  'The wheels turn now': 'De wielen draaien nu',
  'Finished. The controller reports {0}.': 'Klaar. De motorsturing meldt {0}.',
  'It did not work: {0}': 'Het lukte niet: {0}',
  'Refused, as it must be: {0}': 'Geweigerd, zoals het hoort: {0}',
  'It was not refused. Stopped. Look at the limits in the settings before you go on.':
    'Het werd niet geweigerd. Gestopt. Kijk naar de grenzen in de instellingen voordat u verdergaat.',
  'Press the button on the cart': 'Druk op de knop op de kar',
  'Seen. Release the button, and reset the stop on the cart or with Reset at the top':
    'Gezien. Laat de knop los en hef de stop op, op de kar of met Reset bovenaan',
  'Seen: pressed, and released again.': 'Gezien: ingedrukt en weer losgelaten.',
  'The wheels turn. Pull the plug of the serial line now':
    'De wielen draaien. Trek nu de stekker van de seriële lijn eruit',
  'Seen: the line is gone. Put the plug back': 'Gezien: de lijn is weg. Steek de stekker er weer in',
  'The wheels stopped at the end of their way, and the plug was not pulled. Start once more.':
    'De wielen stopten aan het eind van hun weg, en de stekker bleef zitten. Begin nog eens.',
  'Seen: the line is back. {0}': 'Gezien: de lijn is terug. {0}',
  'The wheels went on for {0} mm, at most {1} mm are allowed.':
    'De wielen liepen {0} mm door, hoogstens {1} mm is toegestaan.',
  'The wheels went on for {0} mm: more than the {1} mm that are allowed.':
    'De wielen liepen {0} mm door: meer dan de {1} mm die is toegestaan.',
  'How far the wheels went on is not known: the controller counts anew. Say what you saw.':
    'Hoe ver de wielen doorliepen is niet bekend: de motorsturing telt opnieuw. Zeg wat u zag.',
  'Connected with {0}.': 'Verbonden met {0}.',
  'Not connected: {0}': 'Niet verbonden: {0}',
  'no answer from the gateway': 'geen antwoord van de gateway',
  'The units in the settings have no number that is small enough for this. Skip it, or choose others.':
    'De eenheden in de instellingen hebben geen getal dat hiervoor klein genoeg is. Sla het over, of kies andere.',

  'As of now': 'Zoals het nu is',
  'No answer from the gateway: these are old': 'Geen antwoord van de gateway: dit is oud',
  'No line fits': 'Geen regel past',
  '1 line': '1 regel',
  '{0} lines': '{0} regels',
  'Copying and reading the copy': 'De kopie wordt gemaakt en nagelezen',
  'Hold for a second, until the ring is full.': 'Een seconde ingedrukt houden, tot de ring vol is.',
  'Put this backup in the place of the database at the next start?':
    'Deze kopie bij de volgende start in de plaats van de database zetten?',
};
