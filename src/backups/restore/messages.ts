import { declareMessages } from '../../shared/messages/message.js';

export const restoreMessage = declareMessages('restore', {
  moving: 'a restore is possible only while the cart is stationary and no firmware update is running',
  'moving-hint': 'Stop the cart and wait until it is stationary, or until the update has ended.',
  open: 'a restore of the whole gateway has been neither confirmed nor cancelled',
  'open-hint': 'Confirm or cancel that restore, or return to the previous data, first.',
  busy: 'a restore is being prepared',
  'database-chosen': 'a database backup is scheduled to be restored when the gateway restarts',
  'database-chosen-hint': 'Cancel that restore first.',
  none: 'no restore is waiting for confirmation',
  'too-early': 'the restored gateway has not been ready for 60 s yet',
  'too-early-hint': 'Try again in {seconds} s.',
  'not-switched': 'the gateway has not restarted since the restore was requested',
  'path-forbidden': 'the backup contains {path}, which a restore does not replace',
  'journal-unreadable': 'the journal of a restore, {file}, is unreadable',
  'journal-unreadable-hint':
    'Check the disk. The folder “previous” beside the journal contains the files that were in use before the restore.',
  unfinished: 'the restore of {name} can neither be completed nor undone: {reason}',
  'unfinished-hint': 'Free up disk space or repair the file system, then start the gateway again.',
  'not-saved': 'the state of the restore could not be saved: {reason}',
  unfinishable: 'a restore of the whole gateway is unfinished',
  'unfinishable-hint':
    'Restart the gateway, which completes the restore, or cancel the restore on the System page. Then try again.',
  failed: 'the restore failed: {reason}',
  interrupted: 'the gateway stopped twice while it was restoring the backup',
  'not-ready': 'the restored gateway stopped twice before it had been ready for 60 s',
  expired: 'the gateway was not restarted within an hour',
  requested: 'an administrator requested it',
});
