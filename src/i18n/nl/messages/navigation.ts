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
