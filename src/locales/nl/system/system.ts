import type { Translations } from '../../../shared/messages/message.js';
import type { systemMessage } from '../../../system/messages.js';

export const SYSTEM_MESSAGES = {
  'system.upload-encoded': 'het bestand moet zonder Content-Encoding worden verstuurd',
  'system.upload-range': 'de inhoud moet een deel van een bestand zijn dat Content-Range beschrijft',
  'system.upload-part-too-large': 'een deel van het bestand mag niet groter zijn dan 4 MiB',
  'system.upload-parts': 'Stuur grotere bestanden in meerdere delen met Content-Range.',
  'system.loss-acknowledged': 'Verlies bevestigd',
  'system.payments-confirmed': 'Betalingen bevestigd',
  'system.payments-enabled': 'Klanten kunnen weer betalen.',
  'system.backup-made': 'Back-up gemaakt',
  'system.recording-pinned': 'Opname vastgezet',
  'system.recording-unpinned': 'Opname losgemaakt',
  'system.too-many-pinned': 'er zijn al {limit} opnamen vastgezet',
  'system.too-many-pinned-hint': 'Maak eerst een opname los.',
  'system.backup-verified': '{size}. De kopie is gecontroleerd en intact.',
  'system.restore-scheduled': 'Terugzetten gepland voor de volgende start',
  'system.restore-cancelled': 'Terugzetten geannuleerd',
  'system.database-unchanged': 'De database wordt niet gewijzigd.',
  'system.other-people': 'andere personen',
  'system.disk-low': 'er is te weinig vrije schijfruimte voor een opname',
} satisfies Translations<typeof systemMessage>;
