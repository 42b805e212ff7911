import { declareMessages } from '../shared/messages/message.js';

/** The messages of this module. */
export const systemMessage = declareMessages('system', {
  'backup-made': 'Backup made',
  'recording-pinned': 'Recording pinned',
  'recording-unpinned': 'Recording unpinned',
  'too-many-pinned': '{limit} recordings are pinned already',
  'too-many-pinned-hint': 'Unpin one of them first.',
  'backup-read': '{size}, read through, in {seconds} s.',
  'restore-noted': 'Restore noted for the next start',
  'restore-taken-back': 'Restore taken back',
  'database-stays': 'The database stays as it is.',
  'no-room': 'there is not enough free space for a black box',
});
