import type { backupMessage } from '../../backups/messages.js';
import type { Translations } from '../../shared/messages/message.js';

export const BACKUP_MESSAGES = {
  'backup.not-made': 'de back-up is mislukt: {reason}',
  'backup.not-read': 'de back-up kan niet worden gelezen: {reason}',
  'backup.not-extracted': 'de back-up kan niet worden uitgepakt: {reason}',
  'backup.interrupted': 'de back-up is afgebroken',
  'backup.file-shrank': '{path} werd korter tijdens het lezen',
  'backup.no-space-to-make': 'er is niet genoeg vrije ruimte voor een back-up',
  'backup.no-space-to-extract': 'er is niet genoeg vrije ruimte om de back-up uit te pakken',
  'backup.passphrase-missing': 'de back-up vereist een wachtzin, want hij bevat wachtwoorden en sleutels',
  'backup.passphrase-wrong': 'dit is niet de wachtzin waarmee de back-up is gemaakt',
  'backup.damaged': 'de back-up is beschadigd: {reason}',
  'backup.damaged-hint': 'Gebruik een andere back-up, of upload deze opnieuw.',
  'backup.not-a-backup': 'het bestand is geen back-up van een gateway',
  'backup.header-damaged': 'de kop is gewijzigd of onvolledig',
  'backup.segment-damaged': 'het segment bij byte {position} is gewijzigd, of het bestand is onvolledig',
  'backup.content-damaged': 'de inhoud klopt niet ({detail})',
  'backup.newer': 'de back-up is gemaakt met een nieuwere versie van Cartwright',
  'backup.newer-hint': 'Installeer de versie van Cartwright waarmee de back-up is gemaakt, of een nieuwere.',
} satisfies Translations<typeof backupMessage>;
