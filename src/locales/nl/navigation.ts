import type { detectorMessage } from '../../adapters/apriltag/messages.js';
import type { calibrationMessage } from '../../navigation/calibration/messages.js';
import type { navigationMessage } from '../../navigation/messages.js';
import type { SettingTexts } from '../../settings/schema/setting-text.js';
import type { Translations } from '../../shared/messages/message.js';

export const LIVE_MARKER_TEXTS = {
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

export const MARKER_TEXTS = {
  Markers: 'Markers',
  'Markers in the camera image': 'Markers in het camerabeeld',
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
  'On the Drive page, press Markers in the camera image, tap a marker, then press and hold “Hold to send”. The camera must see the marker. Calibrate the camera first: otherwise, distances can be wrong by 5 %.':
    'Druk op de pagina Rijden in het camerabeeld op Markers, tik op een marker en houd daarna “Houd ingedrukt om te verzenden” ingedrukt. De camera moet de marker zien. Kalibreer eerst de camera: anders kunnen afstanden 5 % afwijken.',
  'Add a marker first. Then, on the Drive page, press Markers in the camera image.':
    'Voeg eerst een marker toe. Druk daarna op de pagina Rijden in het camerabeeld op Markers.',
  'Drive page': 'Pagina Rijden',
  'For information only: carts can drive to both docks and references, and use both to determine their position.':
    'Alleen ter informatie: karren kunnen naar docks en referenties rijden en gebruiken beide om hun positie te bepalen.',
  'Only operators and administrators can add and change markers.':
    'Alleen bedieners en beheerders kunnen markers toevoegen en wijzigen.',
  'Print marker {{id}}': 'Marker {{id}} afdrukken',
  'Edit marker {{id}}': 'Marker {{id}} bewerken',
  'Delete marker {{id}}': 'Marker {{id}} verwijderen',
  'Contradicts other markers: check its position': 'Spreekt andere markers tegen: controleer de positie',
  "0 to {0}: the marker's number in the AprilTag family tag36h11.":
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

export const CALIBRATION_TEXTS = {
  'Camera calibration': 'Camerakalibratie',
  'New calibration, not saved yet': 'Nieuwe kalibratie, nog niet opgeslagen',
  'The focal length differs by more than 10 % from that of the camera model. Check the camera model, the distance and the size of the marker. Another explanation is a video mode that uses only part of the sensor.':
    'De brandpuntsafstand wijkt meer dan 10 % af van die van het cameramodel. Controleer het cameramodel, de afstand en de afmeting van de marker. Ook een videomodus die maar een deel van de sensor gebruikt, kan de oorzaak zijn.',
  'Calibration in use': 'Huidige kalibratie',
  'Calibrate with one marker': 'Kalibreren met één marker',
  'Hold a marker upright exactly 1.00 m from the lens, facing the camera and in the middle of the picture. The measurement takes a few seconds and determines only the focal length.':
    'Houd een marker rechtop op precies 1,00 m van de lens, naar de camera gericht en in het midden van het beeld. De meting duurt enkele seconden en bepaalt alleen de brandpuntsafstand.',
  Measure: 'Meten',
  'Taking images': 'Er worden beelden gemaakt',
  'Calibrate with a printed board': 'Kalibreren met een afgedrukt bord',
  'Print the board, glue it to something flat and take at least {{board.needed}} images of it: near and far, in the middle and at the edges of the picture, and tilted by about 30° to each side. This determines the focal length, the image centre and the distortion.':
    'Druk het bord af, lijm het op iets vlaks en maak er minstens {{board.needed}} beelden van: dichtbij en veraf, in het midden en aan de randen van het beeld, en ongeveer 30° naar elke kant gekanteld. Dit bepaalt de brandpuntsafstand, het beeldmidden en de vervorming.',
  'Print the board with the markers {{board.firstId}} to {{board.lastId}}':
    'Bord met de markers {{board.firstId}} tot en met {{board.lastId}} afdrukken',
  'Take an image automatically whenever the view of the board changes':
    'Automatisch een beeld maken zodra het bord anders in beeld is',
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
  'Determines the field of view until the camera is calibrated. Measured distances are less accurate if the video mode uses only part of the sensor.':
    'Bepaalt de beeldhoek zolang de camera niet is gekalibreerd. Gemeten afstanden zijn minder nauwkeurig als de videomodus maar een deel van de sensor gebruikt.',
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
  'Sufficient for localizing the cart, but not for docking. Calibrate with the printed board.':
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
  '{0} compared with the current {1} px': '{0} ten opzichte van de huidige {1} px',
  Images: 'Beelden',
  'Image centre': 'Beeldmidden',
  Distortion: 'Vervorming',
  'Data sheet of the camera model (not calibrated)': 'Gegevensblad van het cameramodel (niet gekalibreerd)',
  'Printed board': 'Afgedrukt bord',
  'One marker at 1.00 m': 'Eén marker op 1,00 m',
  '{0} px (field of view {1}°)': '{0} px (beeldhoek {1}°)',
  '{0}: field of view {1}°, expected error {2} %': '{0}: beeldhoek {1}°, verwachte fout {2} %',
};

export const NAVIGATION_SETTINGS = {
  'Camera model': 'Cameramodel',
  'Determines the field of view until the camera is calibrated.':
    'Bepaalt de beeldhoek zolang de camera niet is gekalibreerd.',
  'Camera calibration': 'Camerakalibratie',
  Method: 'Methode',
  'The Camera calibration page sets this value and the values below.':
    'De pagina Camerakalibratie stelt deze waarde en de waarden hieronder in.',
  'Calibrated camera': 'Gekalibreerde camera',
  'The calibration applies only to this camera, orientation and crop.':
    'De kalibratie geldt alleen voor deze camera, oriëntatie en uitsnede.',
  'Calibrated width': 'Gekalibreerde breedte',
  'The calibration applies only to images of this width.':
    'De kalibratie geldt alleen voor beelden van deze breedte.',
  'Calibrated height': 'Gekalibreerde hoogte',
  'The calibration applies only to images of this height.':
    'De kalibratie geldt alleen voor beelden van deze hoogte.',
  'Focal length': 'Brandpuntsafstand',
  'In pixels.': 'In pixels.',
  'Image centre, x': 'Beeldmidden, x',
  'Measured from the leftmost pixel.': 'Gemeten vanaf de meest linkse pixel.',
  'Image centre, y': 'Beeldmidden, y',
  'Measured from the topmost pixel.': 'Gemeten vanaf de bovenste pixel.',
  'Radial distortion': 'Radiale vervorming',
  'Negative for barrel distortion.': 'Negatief bij tonvormige vervorming.',
  'Reprojection error': 'Reprojectiefout',
  'How well the calibration fits its images.': 'Hoe goed de kalibratie bij de beelden past.',
  'Expected error': 'Verwachte fout',
  'Of measured distances.': 'Van gemeten afstanden.',
  'Camera position on the cart': 'Positie van de camera op de kar',
  Forward: 'Naar voren',
  'From the midpoint between the driven wheels to the camera lens; negative to the rear.':
    'Van het midden tussen de aangedreven wielen tot de lens van de camera; negatief naar achteren.',
  'To the left': 'Naar links',
  'Negative to the right.': 'Negatief naar rechts.',
  'Camera direction': 'Richting van de camera',
  '0 is forward; positive values are to the left.': '0 is naar voren; positieve waarden zijn naar links.',
  Localization: 'Lokalisatie',
  'Good position': 'Goede positie',
  "A cart's position is good if its error is below this limit with 95 % probability.":
    'De positie van een kar is goed als de fout met 95 % kans onder deze limiet ligt.',
  'Good heading': 'Goede rijrichting',
  "A cart's heading is good if its error is below this limit with 95 % probability.":
    'De rijrichting van een kar is goed als de fout met 95 % kans onder deze limiet ligt.',
  'Coarse position': 'Grove positie',
  "If the error exceeds this limit, the cart's position counts as lost.":
    'Als de fout groter is dan deze limiet, geldt de positie van de kar als onbekend.',
  'Coarse heading': 'Grove rijrichting',
  'Camera Module 2': 'Camera Module 2',
  'Camera Module 3': 'Camera Module 3',
  'Camera Module 3 Wide': 'Camera Module 3 Wide',
  None: 'Geen',
  'One marker': 'Eén marker',
  'Printed board': 'Afgedrukt bord',
} satisfies SettingTexts<'navigation'>;

/** The reason shown for a command that a drive to a marker has stopped. */
export const LIVE_NAVIGATION_MESSAGES = {
  'navigation.approach.own-stop': 'de camera toont de marker nu niet',
} satisfies Partial<Translations<typeof navigationMessage>>;

export const NAVIGATION_MESSAGES = {
  'navigation.unknown-marker': 'er is geen marker {id}',
  'navigation.marker-exists': 'er bestaat al een marker {id}',
  'navigation.marker-exists-hint': 'Wijzig de bestaande marker of gebruik het ID van een andere marker.',
  'navigation.marker-changed': 'marker {id} is intussen gewijzigd',
  'navigation.marker-changed-hint': 'Lees de marker opnieuw en herhaal de wijziging.',
  'navigation.marker-id': 'het ID moet een geheel getal van 0 tot en met {limit} zijn',
  'navigation.marker-id-differs': 'het ID in de body verschilt van het ID in het pad',
  'navigation.marker-saved': 'Marker {id} opgeslagen',
  'navigation.marker-deleted': 'Marker {id} verwijderd',
  'navigation.marker-deleted-meanwhile': 'Marker {id} is intussen verwijderd.',
  'navigation.marker-deleted-meanwhile-hint': 'Druk op Toevoegen om de marker opnieuw toe te voegen.',
  'navigation.marker-not-saved': 'Niet opgeslagen. Er is niets gewijzigd.',
  'navigation.object': 'moet een object zijn',
  'navigation.approach.other-cart': 'alleen kar {cartID}, met de camera, kan naar een marker rijden',
  'navigation.approach.no-odometry': 'de kar meet zijn beweging niet',
  'navigation.approach.moving': 'de kar rijdt',
  'navigation.approach.no-turn': 'de kar kan niet op de plaats draaien',
  'navigation.approach.too-close':
    'de voorkant van de kar zou de marker raken; de afstand moet minstens {mm} mm zijn',
  'navigation.approach.preset-keys': 'de instellingen staan alleen vaste afstanden en hoeken toe',
  'navigation.approach.coarse-units':
    'de eenheden van afstanden en hoeken mogen niet groter zijn dan {mm} mm en {deg}°',
  'navigation.approach.MARKER_LOST':
    'marker {id} is niet zichtbaar, staat niet rechtop of is meer dan één keer zichtbaar',
  'navigation.approach.MISMATCH':
    'de camera en de wielen spreken elkaar tegen: de beelden zijn vertraagd of bevroren, of marker {id} heeft een andere afmeting',
  'navigation.approach.NOT_CONVERGING': 'de kar komt niet dichter bij het doel',
  'navigation.approach.BLOCKED': 'de weg is geblokkeerd',
  'navigation.approach.COMMAND_FAILED': 'een opdracht is mislukt',
  'navigation.approach.TIMEOUT': 'de rit naar marker {id} duurde te lang',
  'navigation.approach.IMAGE_STALE': 'de camera levert geen actuele beelden',
  'navigation.approach.STOPPED': 'de rit is gestopt',
  'navigation.detector.crashed': 'de markerdetectie is mislukt: {reason}',
  'navigation.detector.ended': 'de markerdetectie is beëindigd',
  'navigation.detector.timeout': 'de markerdetectie verwerkte een beeld niet binnen {ms} ms',
  'markers.not-jpeg': 'het beeld is geen JPEG',
  'markers.damaged': 'het beeld is beschadigd',
  'markers.unsupported':
    'deze soort JPEG wordt niet ondersteund; gebruik een baseline-JPEG met 8 bits per waarde',
  'markers.wrong-size':
    'het beeld is {width} × {height} pixels groot in plaats van {expectedWidth} × {expectedHeight}',
  'markers.too-small':
    'het beeld is {width} × {height} pixels groot; elke zijde moet minstens {min} pixels lang zijn',
  'markers.too-large': 'het beeld is te groot: {width} × {height} pixels',
  'markers.too-many-bytes': 'het beeldbestand is te groot: {bytes} bytes',
} satisfies Omit<Translations<typeof navigationMessage>, keyof typeof LIVE_NAVIGATION_MESSAGES> &
  Translations<typeof detectorMessage>;

export const CALIBRATION_MESSAGES = {
  'calibration.busy': 'er wordt al een kalibratiebeeld gemaakt',
  'calibration.busy-hint': 'Wacht enkele seconden en probeer het opnieuw.',
  'calibration.camera-off': 'de camera staat uit',
  'calibration.camera-off-hint': 'Zet de camera aan in de camera-instellingen.',
  'calibration.no-image': 'de camera leverde binnen {seconds} s geen bruikbaar beeld',
  'calibration.no-image-reason': 'de camera levert geen bruikbaar beeld: {reason}',
  'calibration.no-image-hint': 'Controleer het livebeeld op de pagina Camera.',
  'calibration.camera-changed': 'de camera, de resolutie, de oriëntatie of de uitsnede is intussen gewijzigd',
  'calibration.camera-changed-hint': 'Verwijder de beelden en het resultaat en begin opnieuw.',
  'calibration.size-missing': 'marker {id} is niet geregistreerd, dus de afmeting is nodig',
  'calibration.size-missing-hint': 'Voer de breedte van het zwarte vierkant in.',
  'calibration.marker-not-seen': 'marker {id} is binnen {seconds} s niet gezien',
  'calibration.other-markers-seen': 'marker {id} is binnen {seconds} s niet gezien; wel gezien: {ids}',
  'calibration.no-marker-seen': 'binnen {seconds} s is geen marker gezien',
  'calibration.not-seen-hint':
    'Houd de marker rechtop in het midden van het beeld, met de hele witte rand zichtbaar en zonder weerspiegeling.',
  'calibration.too-few-seen': 'marker {id} was in maar {count} van {needed} beelden zichtbaar',
  'calibration.too-few-seen-hint': 'Houd de marker stil en zorg voor meer licht.',
  'calibration.several-markers': 'er zijn meerdere markers in beeld: {ids}',
  'calibration.several-markers-hint': 'Voer het ID van de marker op 1,00 m in of dek de andere markers af.',
  'calibration.same-id-twice': 'marker {id} is meer dan één keer in beeld',
  'calibration.same-id-twice-hint': 'Dek alle afdrukken ervan af, op één na.',
  'calibration.implausible': 'geen aannemelijke brandpuntsafstand past bij de beelden',
  'calibration.implausible-hint':
    'Controleer of de marker precies 1,00 m van de lens is en of de afmeting de breedte van het zwarte vierkant is.',
  'calibration.board-clash': 'marker {ids} is geregistreerd, maar het bord bevat hetzelfde ID',
  'calibration.board-clash-hint':
    'Druk een bord met een ander eerste ID af of verwijder de geregistreerde marker.',
  'calibration.board-range': 'het eerste ID van het bord moet een geheel getal van 0 tot en met {limit} zijn',
  'calibration.other-board': 'de beelden tonen het bord met {id} als eerste ID',
  'calibration.other-board-hint': 'Verwijder de beelden voordat u een ander bord gebruikt.',
  'calibration.board-not-seen': 'binnen {seconds} s zijn minder dan {needed} markers van het bord gezien',
  'calibration.board-not-seen-hint':
    'Houd het bord dichterbij en controleer of het eerste ID erop is afgedrukt. Minstens een deel van het bord moet zichtbaar zijn.',
  'calibration.board-moving': 'het bord was binnen {seconds} s niet stil',
  'calibration.board-moving-hint':
    'Houd het bord stil tot het beeld is gemaakt of laat het ergens op steunen.',
  'calibration.board-similar': 'het bord is bijna hetzelfde in beeld als in beeld {number}',
  'calibration.board-similar-hint': 'Kantel het bord of houd het in een ander deel van het beeld.',
  'calibration.board-full': 'er zijn al {limit} beelden',
  'calibration.board-full-hint': 'Bereken de kalibratie of verwijder beelden.',
  'calibration.too-few-images': 'er zijn {count} van {needed} beelden gemaakt',
  'calibration.too-few-images-hint': 'Maak meer beelden van het bord onder verschillende hoeken.',
  'calibration.not-converged': 'geen kalibratie past bij de beelden',
  'calibration.not-converged-hint':
    'Controleer of het vel vlak is en of beide linialen erop even lang zijn. Begin dan opnieuw, met het bord groter in beeld.',
  'calibration.not-determined':
    'het bord heeft in alle beelden vrijwel dezelfde stand, dus de brandpuntsafstand is niet te bepalen',
  'calibration.not-determined-hint':
    'Maak meer beelden terwijl het bord ongeveer 30 graden naar links, rechts, boven en beneden is gekanteld.',
  'calibration.nothing-to-save': 'er is geen resultaat om op te slaan',
  'calibration.nothing-to-save-hint': 'Kalibreer eerst.',
  'calibration.not-done': 'Niet uitgevoerd. De kalibratie is niet gewijzigd.',
  'calibration.saved': 'Kalibratie opgeslagen',
  'calibration.camera-saved': 'Cameramodel en positie opgeslagen',
  'calibration.seen.waiting': 'Wachten op de camera',
  'calibration.seen.nothing': 'Geen marker in beeld',
  'calibration.seen.one': 'Marker {ids} in beeld',
  'calibration.seen.several': 'Markers {ids} in beeld',
  'calibration.seen.board': '{count} van {total} markers van het bord in beeld',
} satisfies Translations<typeof calibrationMessage>;
