import type { detectorMessage } from '../../adapters/apriltag/messages.js';
import type { calibrationMessage } from '../../navigation/calibration/messages.js';
import type { navigationMessage } from '../../navigation/messages.js';
import type { Translations } from '../../shared/messages/message.js';

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
  'calibration.too-few-images-hint': 'Maak meer beelden van het bord van verschillende kanten.',
  'calibration.not-converged': 'geen kalibratie past bij de beelden',
  'calibration.not-converged-hint':
    'Controleer of het vel vlak is en of beide linialen erop even lang zijn. Begin dan opnieuw, met het bord groter in beeld.',
  'calibration.not-determined': 'het bord is steeds te gelijk in beeld om de brandpuntsafstand te bepalen',
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
