import type { Vocabulary } from '../../language.js';

/** The messages of system. */
export const SYSTEM_MESSAGES: Vocabulary = {
  'system.backup-made': 'Reservekopie gemaakt',
  'system.recording-pinned': 'Opname vastgezet',
  'system.recording-unpinned': 'Opname losgemaakt',
  'system.too-many-pinned': 'er zijn al {limit} opnamen vastgezet',
  'system.too-many-pinned-hint': 'Maak er eerst een los.',
  'system.backup-read': '{size}, nagelezen, in {seconds} s.',
  'system.restore-noted': 'Herstel vastgelegd voor de volgende start',
  'system.restore-taken-back': 'Herstel teruggenomen',
  'system.database-stays': 'De database blijft zoals ze is.',
  'system.no-room': 'er is te weinig ruimte voor een zwarte doos',
};
