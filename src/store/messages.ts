import { declareMessages } from '../shared/messages/message.js';

export const storeMessage = declareMessages('store', {
  'nothing-saved': 'nothing was saved: {reason}',
  'not-known': 'it is not known whether the data was saved: {reason}',
  'disk-full': 'the disk is full',
  'disk-full-at-start': 'the disk was full when the gateway started',
  'disk-low': 'only {mib} MiB of disk space is free',
  'read-only': 'the file system is read-only',
  'read-only-mount': 'the file system is read-only ({reason})',
  'space-hint': 'Free up space on the disk that contains the data directory.',
  'space-hint-restart':
    'Free up space on the disk that contains the data directory, then restart the gateway.',
  'card-hint': 'Replace the SD card or repair its file system, then restart the gateway.',
  'checkpoint-failed': 'the write-ahead log cannot be copied into the database: {reason}',
  'was-missing': 'missing',
  'was-damaged': 'damaged: {damage}',
  'was-empty': 'empty',
  'was-wrong': 'The database was {wrong}. {now}',
  'was-wrong-kept': 'The database was {wrong}. The old files were kept as {aside}. {now}',
  'backup-took-place':
    'The backup from {when} ({name}) was restored. Changes made after that backup are missing.',
  'started-empty': 'There was no usable backup. The gateway started with an empty database.',
  orphans: 'These database tables have rows with invalid references: {tables}.',
  'backup-damaged-too': 'The backup {name} is also damaged and was skipped.',
  'backup-gone': 'the backup no longer exists',
  'not-restored': 'The backup {name} was not restored: {reason}. Nothing was changed.',
  restored: 'Restored from {name} on {when}, as requested by {by}.',
  'restored-kept':
    'Restored from {name} on {when}, as requested by {by}. The previous database was kept as {aside}.',
  'restored-damaged': 'Restored from {name} on {when}, because the database was missing or damaged.',
  'restored-unknown': 'The database was restored from a backup.',
  'restore-no-database': 'the backup {name} contains no database',
  'no-restore': 'no restore is waiting for confirmation',
  'writer-ended': 'the writer thread exited and is being restarted',
  'writer-failed': 'the writer thread failed and is being restarted: {reason}',
  'backup-skipped': '{name} was skipped: {reason}.',
  'backup-missing': 'the file does not exist',
  'backup-empty': 'the file is empty',
  'backup-not-comparable': 'the backup cannot be compared with the database: {reason}',
  'disk-fault': 'the disk reported an error ({code})',
  locked: 'another program has locked the database',
  'out-of-memory': 'the system is out of memory',
  'journal-failed':
    'it is not known whether the data was saved, because the revocation journal cannot be written: {reason}',
  'journal-missing':
    'The revocation journal was missing and was rebuilt from the database. If the database was also restored, check the users and API keys.',
  'journal-damaged':
    'The revocation journal was damaged (unreadable lines: {lines}) and was rebuilt from the database. If the database was also restored, check the users and API keys.',
  'journal-applied-to':
    'The database was older than the revocation journal. These revocations were applied: {changes}.',
  'journal-applied': 'The database was older than the revocation journal, so the journal was applied.',
  'backup-changed': 'the file has changed since the backup was created',
  'upload-not-database': 'the file is not an SQLite database',
  'upload-foreign': 'the file is not a backup of a Cartwright gateway',
  'upload-has-log': 'the file is a copy of a database in use, without its write-ahead log',
  'upload-truncated': 'the file is incomplete: it has {bytes} of {needed} bytes',
  'upload-damaged': 'the file is damaged: {damage}',
  'upload-hint': 'Upload a backup that was downloaded from the System page.',
  'upload-newer':
    'the backup has schema version {version}, but this gateway supports versions up to {supported}',
  'upload-newer-hint': 'Install the gateway version that made the backup, or a later one.',
  'upload-check-interrupted': 'the check of the file was interrupted',
  'commit-number-missing':
    'The file commit-number was missing or unreadable and was created again. It is not known whether acknowledged writes were lost before this start.',
  'commit-number-failed':
    'it is not known whether the data was saved, because the commit number cannot be written: {reason}',
  'commit-number-unsynced': 'the commit number cannot be written to the disk: {reason}',
  'lost-writes':
    'Acknowledged writes that are missing from the database: {count} (STORE_LOST_WRITES). {where}',
  'lost-writes-kept':
    'Acknowledged writes that are missing from the database: {count} (STORE_LOST_WRITES). {files} {where}',
  'lost-kept': 'The damaged files were kept as {aside}.',
  'lost-not-kept': 'The damaged files were not kept: {reason}.',
  'lost-in-backup': 'The newest backup that contains lost writes is {name}; it contains {count} of them.',
  'lost-in-no-backup': 'No backup contains them.',
  'no-lost-writes': 'no lost writes are reported',
  'no-space-for-copy': 'there is not enough free space for a copy',
  damaged: 'the database file is damaged; when the gateway restarts, it restores the latest backup',
});
