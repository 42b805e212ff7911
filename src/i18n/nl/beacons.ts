import type { Vocabulary } from '../language.js';

/** Texts for the page scripts of Beacons, Commissioning and System. */
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

  'The wheels are turning': 'De wielen draaien',
  'Finished. The controller reports {0}.': 'Voltooid. De motorcontroller meldt {0}.',
  'Step failed: {0}': 'Stap mislukt: {0}',
  'Rejected, as expected: {0}': 'Geweigerd, zoals verwacht: {0}',
  'The command was not rejected, so the cart was stopped. Check the limits in the settings before you continue.':
    'De opdracht werd niet geweigerd, daarom is de kar gestopt. Controleer de limieten in de instellingen voordat u verdergaat.',
  'Press the button on the cart': 'Druk op de knop op de kar',
  'E-stop detected. Release the button, then reset the E-stop on the cart or with Reset E-stop at the top of the page':
    'Noodstop gedetecteerd. Ontgrendel de knop en reset de noodstop, op de kar of met Noodstop resetten bovenaan de pagina',
  'E-stop and reset detected.': 'Noodstop en reset gedetecteerd.',
  'The wheels are turning. Unplug the serial cable now': 'De wielen draaien. Trek nu de seriële kabel los',
  'Connection loss detected. Plug the cable back in':
    'Verbindingsverlies gedetecteerd. Sluit de kabel weer aan',
  'The move ended before the cable was unplugged. Start again.':
    'De beweging was afgelopen voordat de kabel werd losgetrokken. Begin opnieuw.',
  'Reconnected. {0}': 'Weer verbonden. {0}',
  'The wheels travelled {0} mm after the loss; {1} mm are allowed.':
    'De wielen liepen na het verlies {0} mm door; {1} mm is toegestaan.',
  'The wheels travelled {0} mm after the loss, more than the {1} mm allowed.':
    'De wielen liepen na het verlies {0} mm door, meer dan de toegestane {1} mm.',
  'The distance travelled after the loss is unknown, because the controller restarted its count. Answer from what you saw.':
    'De afstand na het verlies is niet bekend, omdat de motorcontroller opnieuw telt. Antwoord op grond van wat u zag.',
  'Connected to {0}.': 'Verbonden met {0}.',
  'Not connected: {0}': 'Niet verbonden: {0}',
  'no response from the gateway': 'geen antwoord van de gateway',
  'No value in the configured units is small enough for this step. Skip the step, or choose other units.':
    'Geen waarde in de ingestelde eenheden is klein genoeg voor deze stap. Sla de stap over of kies andere eenheden.',

  'Up to date': 'Actueel',
  'No response from the gateway: values are out of date':
    'Geen antwoord van de gateway: de waarden zijn verouderd',
  'No matching lines': 'Geen overeenkomende regels',
  '1 line': '1 regel',
  '{0} lines': '{0} regels',
  'Creating and verifying the backup': 'Back-up wordt gemaakt en gecontroleerd',
  'Hold for 1 s to confirm.': 'Houd 1 s ingedrukt om te bevestigen.',
  'Replace the database with this backup at the next start?':
    'De database bij de volgende start door deze back-up vervangen?',
};
