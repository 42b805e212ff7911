import type { Vocabulary } from '../language.js';

/** Also used by page scripts. */
export const LIVE_MARKERS: Vocabulary = {
  'Marker {0}: {1}': 'Marker {0}: {1}',
  'Tap a marker to select it.': 'Tik op een marker om die te kiezen.',
  'The camera sees no registered marker.': 'De camera ziet geen geregistreerde marker.',
  'No current image': 'Geen actueel beeld',
  'Drive to this marker?': 'Naar deze marker rijden?',
  'Enter a distance from 0.2 to 3 m.': 'Voer een afstand van 0,2 tot 3 m in.',
  'Marker {0} reached: {1}': 'Marker {0} bereikt: {1}',
  'Marker {0} not reached: {1}': 'Marker {0} niet bereikt: {1}',
  'Looking for marker {0}; commands so far: {1}': 'Marker {0} wordt gezocht; opdrachten tot nu toe: {1}',
  'Driving to marker {0}, command {1}': 'Rijdt naar marker {0}, opdracht {1}',
  'off by {0} mm and {1}°': 'afwijking {0} mm en {1}°',
};

export const MARKERS: Vocabulary = {
  Markers: 'Markers',
  'Markers in the camera image': 'Markers in het camerabeeld',
  Distance: 'Afstand',
  Marker: 'Marker',
  'No markers yet. A marker is a printed square that the camera measures, so that a cart knows its position to within a few centimetres.':
    'Nog geen markers. Een marker is een afgedrukt vierkant dat de camera meet, zodat een kar zijn positie tot op enkele centimeters kent.',
  Purpose: 'Doel',
  Size: 'Afmeting',
  Direction: 'Richting',
  'Positions are measured to the right and up from the lower left corner of the floor plan.':
    'Posities zijn gemeten naar rechts en omhoog vanaf de linkerbenedenhoek van de plattegrond.',
  'Show the markers on the map': 'Markers op de kaart tonen',
  'Driving to a marker': 'Naar een marker rijden',
  'Press Markers in the camera image on the Drive page, tap a marker and hold the button Hold to send. The camera must see the marker. Calibrate the camera first: otherwise, distances can be wrong by 5 %.':
    'Druk op de pagina Rijden in het camerabeeld op Markers, tik op een marker en houd de verzendknop ingedrukt. De camera moet de marker zien. Kalibreer eerst de camera: anders kunnen afstanden 5 % afwijken.',
  'Add a marker first. Then press Markers in the camera image on the Drive page.':
    'Voeg eerst een marker toe. Druk daarna op de pagina Rijden in het camerabeeld op Markers.',
  'Drive page': 'Pagina Rijden',
  'For information only: carts can drive to docks and references, and use both to determine their position.':
    'Alleen ter informatie: karren kunnen naar docks en referenties rijden en gebruiken beide om hun positie te bepalen.',
  'Only operators and administrators can add and change markers.':
    'Alleen bedieners en beheerders kunnen markers toevoegen en wijzigen.',
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

export const CALIBRATION: Vocabulary = {
  'Camera calibration': 'Camerakalibratie',
  'New calibration, not saved yet': 'Nieuwe kalibratie, nog niet opgeslagen',
  'The focal length differs by more than 10 % from that of the camera model. Check the camera model, the distance and the size of the marker. A video mode that uses only a part of the sensor also explains it.':
    'De brandpuntsafstand wijkt meer dan 10 % af van die van het cameramodel. Controleer het cameramodel, de afstand en de afmeting van de marker. Ook een videomodus die maar een deel van de sensor gebruikt, kan de oorzaak zijn.',
  'Calibration in use': 'Huidige kalibratie',
  'Calibrate with one marker': 'Kalibreren met één marker',
  'Hold a marker at exactly 1.00 m from the lens, upright, facing the camera and in the middle of the picture. This takes a few seconds and determines only the focal length.':
    'Houd een marker op precies 1,00 m van de lens, rechtop, naar de camera gericht en in het midden van het beeld. Dit duurt enkele seconden en bepaalt alleen de brandpuntsafstand.',
  Measure: 'Meten',
  'Taking images': 'Er worden beelden gemaakt',
  'Calibrate with a printed board': 'Kalibreren met een afgedrukt bord',
  'Print the board, glue it to something flat and take at least {{board.needed}} images of it: near and far, in the middle and at the edges of the picture, and tilted by about 30° to each side. This determines the focal length, the image centre and the distortion.':
    'Druk het bord af, lijm het op iets vlaks en maak er minstens {{board.needed}} beelden van: dichtbij en veraf, in het midden en aan de randen van het beeld, en ongeveer 30° naar elke kant gekanteld. Dit bepaalt de brandpuntsafstand, het beeldmidden en de vervorming.',
  'Print the board with the markers {{board.firstId}} to {{board.lastId}}':
    'Bord met de markers {{board.firstId}} tot en met {{board.lastId}} afdrukken',
  'Take an image automatically when the view of the board is new':
    'Automatisch een beeld maken als het bord anders in beeld is',
  'of {{board.needed}} images': 'van {{board.needed}} beelden',
  'Taking an image: hold the board still': 'Er wordt een beeld gemaakt: houd het bord stil',
  'No response from the gateway. Reload the page.': 'Geen antwoord van de gateway. Laad de pagina opnieuw.',
  'Image taken. Tilt or move the board for the next one.':
    'Beeld gemaakt. Kantel of verplaats het bord voor het volgende.',
  'Take image': 'Beeld maken',
  'Compute calibration': 'Kalibratie berekenen',
  'Remove last image': 'Laatste beeld verwijderen',
  'Start again': 'Opnieuw beginnen',
  'Camera model': 'Cameramodel',
  'Determines the field of view until the camera is calibrated. The error is greater if the video mode uses only a part of the sensor.':
    'Bepaalt de beeldhoek zolang de camera niet is gekalibreerd. De fout is groter als de videomodus maar een deel van de sensor gebruikt.',
  'ID of the marker. If empty, the only marker in view is used.':
    'ID van de marker. Indien leeg, wordt de enige marker in beeld gebruikt.',
  'Width of the black square. Only for a marker that is not registered.':
    'Breedte van het zwarte vierkant. Alleen voor een marker die niet is geregistreerd.',
  'First ID': 'Eerste ID',
  'The first number in the title of the printed board. The board must not contain the ID of a registered marker.':
    'Het eerste nummer in de titel van het afgedrukte bord. Het bord mag geen ID van een geregistreerde marker bevatten.',
  'Position forward': 'Positie naar voren',
  'From the midpoint between the driven wheels to the lens; negative to the rear.':
    'Van het midden tussen de aangedreven wielen tot de lens; negatief naar achteren.',
  'Position to the left': 'Positie naar links',
  'From the centre line of the cart to the lens; negative to the right.':
    'Van de middellijn van de kar tot de lens; negatief naar rechts.',
  '0 is forward; positive values are to the left.': '0 is naar voren; positieve waarden zijn naar links.',
  'Calibration board, markers {0} to {1} (tag36h11)': 'Kalibratiebord, markers {0} tot en met {1} (tag36h11)',
  'Print on A4 without scaling. Measure both rulers: they must be equally long.':
    'Druk af op A4 zonder schaling. Meet beide linialen: ze moeten even lang zijn.',
  'Glue the sheet to a flat, rigid, matt board.': 'Lijm het vel op een vlakke, stijve, matte plaat.',
  'Keep the board away from the carts after the calibration.':
    'Houd het bord na de kalibratie uit de buurt van de karren.',
  Good: 'Goed',
  Fair: 'Matig',
  Poor: 'Slecht',
  'Docking is possible.': 'Docken is mogelijk.',
  'Sufficient for the localization of the cart, but not for docking. Calibrate with the printed board.':
    'Voldoende voor de positie van de kar, maar niet om te docken. Kalibreer met het afgedrukte bord.',
  'Measured distances may be wrong by several percent. Calibrate the camera.':
    'Gemeten afstanden kunnen enkele procenten afwijken. Kalibreer de camera.',
  'Stale: calibrated for another camera, orientation or crop. Calibrate again.':
    'Verouderd: gekalibreerd voor een andere camera, oriëntatie of uitsnede. Kalibreer opnieuw.',
  'Stale: calibrated for {0}; the camera now delivers {1}. Calibrate again.':
    'Verouderd: gekalibreerd voor {0}; de camera levert nu {1}. Kalibreer opnieuw.',
  Method: 'Methode',
  'Expected distance error': 'Verwachte afstandsfout',
  'Reprojection error': 'Reprojectiefout',
  Unknown: 'Onbekend',
  Resolution: 'Resolutie',
  'Focal length': 'Brandpuntsafstand',
  Change: 'Wijziging',
  '{0} compared with the present {1} px': '{0} ten opzichte van de huidige {1} px',
  Images: 'Beelden',
  'Image centre': 'Beeldmidden',
  Distortion: 'Vervorming',
  'Data sheet of the camera model (not calibrated)': 'Gegevensblad van het cameramodel (niet gekalibreerd)',
  'Printed board': 'Afgedrukt bord',
  'One marker at 1.00 m': 'Eén marker op 1,00 m',
  '{0} px (field of view {1}°)': '{0} px (beeldhoek {1}°)',
  '{0}: field of view {1}°, expected error {2} %': '{0}: beeldhoek {1}°, verwachte fout {2} %',
};
