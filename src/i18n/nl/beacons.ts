import type { Vocabulary } from '../language.js';

/** Texts of the page scripts of Beacons, Commissioning and System. */
export const LIVE_BEACONS: Vocabulary = {
  '1 beacon': '1 baken',
  '{0} beacons': '{0} bakens',
  '{0}, all with a position': '{0}, allemaal met een positie',
  '{0}, {1} without a position': '{0}, waarvan {1} zonder positie',
  'The map shows the first {0} beacons; the table contains all of them':
    'De kaart toont de eerste {0} bakens; de tabel bevat ze allemaal',
  'No beacons yet': 'Nog geen bakens',
  'No beacon has a position yet. Enter the latitude and longitude of a beacon to show it here.':
    'Nog geen enkel baken heeft een positie. Vul de breedte- en lengtegraad van een baken in om het hier te tonen.',
  'The beacons could not be loaded. Reload the page.':
    'De bakens konden niet worden geladen. Laad de pagina opnieuw.',
  'One square is {0}. North is up.': 'Eén vak is {0}. Het noorden is boven.',
  'No response from the gateway. Reload the page to see the stored data.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om de opgeslagen gegevens te zien.',
  'Zoom in': 'Inzoomen',
  'Zoom out': 'Uitzoomen',
  'North is up.': 'Het noorden is boven.',
  '{0} ago': '{0} geleden',
  'within {0}': 'binnen {0}',
  'no position': 'geen positie',
  'heading {0}°': 'koers {0}°',
  'heading unknown until the cart has moved a few metres':
    'koers onbekend tot de kar een paar meter heeft gereden',
  'receives {0}': 'ontvangt {0}',
  'Select the position on the map.': 'Kies de positie op de kaart.',
  'Delete this beacon? This cannot be undone.':
    'Dit baken verwijderen? Dit kan niet ongedaan worden gemaakt.',
  'Importing {0}': '{0} wordt geïmporteerd',
  'Imported: {0} new, {1} replaced, {2} unchanged.':
    'Geïmporteerd: {0} nieuw, {1} vervangen, {2} ongewijzigd.',
  'The file is {0} MB; the limit is {1} MB.': 'Het bestand is {0} MB; de limiet is {1} MB.',
  Row: 'Rij',
  Field: 'Veld',
  Error: 'Fout',
  'whole row': 'hele rij',
  'Turn on “Replace existing beacons” to replace them.':
    'Zet “Bestaande bakens vervangen” aan om ze te vervangen.',
  'No floor plan yet. Upload one to show walls and doors on the map.':
    'Nog geen plattegrond. Upload er een om muren en deuren op de kaart te tonen.',
  'The plan is {0} x {1} px. Set its two points to show it on the map.':
    'De plattegrond is {0} x {1} px. Stel de twee punten in om hem op de kaart te tonen.',
  'The plan is {0} wide and {1} high, rotated {2}°.':
    'De plattegrond is {0} breed en {1} hoog, {2}° gedraaid.',
  'Point {0}: {1}': 'Punt {0}: {1}',
  Uploading: 'Bezig met uploaden',
  'Floor plan deleted.': 'Plattegrond verwijderd.',
  'Delete the floor plan? This cannot be undone.':
    'De plattegrond verwijderen? Dit kan niet ongedaan worden gemaakt.',

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
