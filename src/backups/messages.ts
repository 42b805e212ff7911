import { declareMessages } from '../shared/messages/message.js';

export const backupMessage = declareMessages('backup', {
  'not-made': 'the backup failed: {reason}',
  'not-read': 'the backup could not be read: {reason}',
  'not-extracted': 'the backup could not be unpacked: {reason}',
  interrupted: 'the backup thread exited',
  'file-shrank': '{path} became shorter while it was being read',
  'no-space-to-make': 'there is not enough free space for a backup',
  'no-space-to-extract': 'there is not enough free space to unpack the backup',
  'passphrase-missing': 'the backup needs a passphrase, because it contains passwords and keys',
  'passphrase-wrong': 'this is not the passphrase with which the backup was made',
  damaged: 'the backup is damaged: {reason}',
  'damaged-hint': 'Use a different backup, or upload this one again.',
  'not-a-backup': 'the file is not a backup of a gateway',
  'header-damaged': 'the header was changed or is incomplete',
  'segment-damaged': 'the segment at byte {position} was changed, or the file is incomplete',
  'content-damaged': 'its contents are not consistent ({detail})',
  newer: 'the backup was made by a later version of Cartwright',
  'newer-hint': 'Install the version of Cartwright that made the backup, or a later one.',
});
