import type { Vocabulary } from '../../language.js';

/** The messages of beacons. */
export const BEACONS_MESSAGES: Vocabulary = {
  'beacons.saved': '{id} opgeslagen',
  'beacons.deleted': '{id} verwijderd',
  'beacons.not-saved': 'Niet opgeslagen. Er is niets gewijzigd.',
  'beacons.id-taken-hint': 'Zoek het in de tabel en bewerk het.',
  'beacons.id-taken': 'een ander baken heeft het id "{id}"',
  'beacons.unknown-id': 'geen baken heeft het id "{id}"',
  'beacons.half-position': 'ontbreekt: lat en long horen bij elkaar',
  'beacons.object': 'moet een object zijn',
};
