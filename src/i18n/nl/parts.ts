import type { Vocabulary } from '../language.js';

/** Why a part of the gateway is not well: pins, disk, and what the broker's connection says of itself. */
export const PART_REASONS: Vocabulary = {
  'Free some space. A card that takes no writes has to be repaired or replaced, and the gateway to be started again.':
    'Maak ruimte vrij. Een kaart die niet te beschrijven is moet hersteld of vervangen worden; start de gateway daarna opnieuw.',
};
