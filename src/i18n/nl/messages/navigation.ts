import type { Vocabulary } from '../../language.js';

export const NAVIGATION_MESSAGES: Vocabulary = {
  'navigation.unknown-marker': 'er is geen marker {id}',
  'navigation.marker-exists': 'er bestaat al een marker {id}',
  'navigation.marker-exists-hint': 'Wijzig de bestaande marker of gebruik het ID van een andere marker.',
  'navigation.marker-changed': 'marker {id} is intussen gewijzigd',
  'navigation.marker-changed-hint': 'Lees de marker opnieuw en herhaal de wijziging.',
  'navigation.marker-id': 'het ID moet een geheel getal van 0 tot en met {limit} zijn',
  'navigation.marker-id-differs': 'het ID in de body verschilt van het ID in het pad',
  'navigation.marker-saved': 'Marker {id} opgeslagen',
  'navigation.marker-deleted': 'Marker {id} verwijderd',
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
  'navigation.approach.own-stop': 'de camera toont de marker nu niet',
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
  'navigation.detector.crashed': 'de markerdetectie is mislukt: {reason}',
  'navigation.detector.ended': 'de markerdetectie is beëindigd',
  'navigation.detector.timeout': 'de markerdetectie verwerkte een beeld niet binnen {ms} ms',
};
