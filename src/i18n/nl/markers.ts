import type { Vocabulary } from '../language.js';

/** Also used by page scripts. */
export const LIVE_MARKERS: Vocabulary = {
  'Marker {0}: {1}': 'Marker {0}: {1}',
  'Tap a marker to drive to it.': 'Tik op een marker om ernaartoe te rijden.',
  'The camera sees no registered marker.': 'De camera ziet geen geregistreerde marker.',
  'No current image': 'Geen actueel beeld',
  'Drive to this marker?': 'Naar deze marker rijden?',
  'Enter a distance from 0.2 to 3 m.': 'Voer een afstand van 0,2 tot 3 m in.',
  'Marker {0} reached: {1}': 'Marker {0} bereikt: {1}',
  'Marker {0} not reached: {1}': 'Marker {0} niet bereikt: {1}',
  'Looking for marker {0}, {1} commands so far': 'Marker {0} wordt gezocht, {1} opdrachten tot nu toe',
  'Driving to marker {0}, command {1}': 'Rijdt naar marker {0}, opdracht {1}',
  'off by {0} mm and {1}°': 'afwijking {0} mm en {1}°',
};

export const MARKERS: Vocabulary = {
  Markers: 'Markers',
  'Markers in the camera image': 'Markers in het camerabeeld',
  Distance: 'Afstand',
  'Hold to drive to it': 'Houd ingedrukt om te rijden',
  Marker: 'Marker',
  'No markers yet. A marker is a printed square that the camera measures, so that a cart knows its position to within a few centimetres.':
    'Nog geen markers. Een marker is een afgedrukt vierkant dat de camera meet, zodat een kar zijn positie tot op enkele centimeters kent.',
  Purpose: 'Doel',
  Size: 'Afmeting',
  Direction: 'Richting',
  'Show the markers on the map': 'Markers op de kaart tonen',
  'Carts can drive up to a dock. A reference is used only to determine their position.':
    'Karren kunnen naar een dock rijden. Een referentie dient alleen om hun positie te bepalen.',
  'Only operators can add and change markers.': 'Alleen bedieners kunnen markers toevoegen en wijzigen.',
  'Print marker {{id}}': 'Marker {{id}} afdrukken',
  'Edit marker {{id}}': 'Marker {{id}} bewerken',
  'Delete marker {{id}}': 'Marker {{id}} verwijderen',
  Print: 'Afdrukken',
  'Contradicts other markers: check its position': 'Spreekt andere markers tegen: controleer de positie',
  '0 to {0}: the number of the marker in the AprilTag family tag36h11.':
    '0 tot en met {0}: het nummer van de marker in de AprilTag-familie tag36h11.',
  'Width of the printed black square. An error of 1 % causes an error of 1 % in every distance.':
    'Breedte van het afgedrukte zwarte vierkant. Een fout van 1 % geeft een fout van 1 % in alle afstanden.',
  'Position to the right': 'Positie naar rechts',
  'From the lower left corner of the floor plan to the centre of the marker.':
    'Van de linkerbenedenhoek van de plattegrond tot het midden van de marker.',
  'Position up': 'Positie naar boven',
  'From the lower left corner of the floor plan.': 'Vanaf de linkerbenedenhoek van de plattegrond.',
  'The direction in which the marker faces: 0 is to the right, 90 is up, −90 is down.':
    'De richting waarin de marker kijkt: 0 is naar rechts, 90 is naar boven, −90 is naar beneden.',
  Dock: 'Dock',
  Reference: 'Referentie',
  'Edit marker {0}': 'Marker {0} bewerken',
  'Add a marker': 'Marker toevoegen',
  'Marker {0} (tag36h11), {1} mm': 'Marker {0} (tag36h11), {1} mm',
  'Purpose: {0}': 'Doel: {0}',
  'Print at 100 %, without scaling. The line above must be exactly 100 mm long.':
    'Druk af op 100 %, zonder schaling. De lijn hierboven moet precies 100 mm lang zijn.',
  'Measure the black square: its width must be {0} mm. If not, enter the measured width.':
    'Meet het zwarte vierkant: de breedte moet {0} mm zijn. Zo niet, voer dan de gemeten breedte in.',
  'Keep the white border. Glue the sheet to a flat, rigid, matt board.':
    'Behoud de witte rand. Lijm het vel op een vlakke, stijve, matte plaat.',
  'Mount the marker upright at the height of the camera, with this text below the marker.':
    'Bevestig de marker rechtop op de hoogte van de camera, met deze tekst onder de marker.',
  '100 mm': '100 mm',
};
