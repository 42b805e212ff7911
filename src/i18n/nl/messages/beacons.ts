import type { Vocabulary } from '../../language.js';

/** The messages of beacons. */
export const BEACONS_MESSAGES: Vocabulary = {
  'beacons.saved': '{id} opgeslagen',
  'beacons.deleted': '{id} verwijderd',
  'beacons.not-saved': 'Niet opgeslagen. Er is niets gewijzigd.',
  'beacons.id-taken-hint': 'Zoek het in de tabel en bewerk het.',
  'beacons.id-taken': 'er bestaat al een baken met het id "{id}"',
  'beacons.unknown-id': 'er is geen baken met het id "{id}"',
  'beacons.half-position': 'ontbreekt; lat en long moeten allebei worden opgegeven',
  'beacons.object': 'moet een object zijn',
  'beacons.fault.tile-url': 'moet een http- of https-adres met {z}, {x} en {y} zijn, of leeg',
};
