import { catalogue } from '../shared/messages/message.js';

/** The messages of this module. */
export const storeMessage = catalogue('store', {
  'nothing-saved': 'nothing was saved: {reason}',
  'not-known': 'it is not known whether this was saved: {reason}',
  'disk-full': 'the disk is full',
  'disk-full-at-start': 'the disk was full when the gateway started',
  'disk-low': 'only {mib} MiB are free on the disk',
  'read-only': 'the file system is read-only',
  'read-only-mount': 'the file system is read-only ({reason})',
  'space-hint': 'Free some space on the disk that holds the data directory.',
  'space-hint-restart':
    'Free some space on the disk that holds the data directory. Then start the gateway again.',
  'card-hint': 'Replace the card or repair its file system, then start the gateway again.',
  'checkpoint-failed': 'the log cannot be brought into the database: {reason}',
  'was-missing': 'missing',
  'was-damaged': 'damaged: {damage}',
  'was-empty': 'empty',
  'was-wrong': 'The database was {wrong}. {now}',
  'was-wrong-kept': 'The database was {wrong}. What there was is kept as {aside}. {now}',
  'backup-took-place': 'The backup of {when} ({name}) took its place: what was saved after it is missing.',
  'started-empty': 'There was no good backup: the gateway started with an empty database.',
  orphans: 'The database has rows that point to nothing, in: {tables}.',
  'backup-damaged-too': 'The backup {name} is damaged as well and was passed over.',
  'backup-gone': 'it is not there any more',
  'not-restored': 'The backup {name} was not restored: {reason}. Nothing has changed.',
  restored: 'The backup of {when} ({name}) took the place of the database, as {by} chose.',
  'restored-kept':
    'The backup of {when} ({name}) took the place of the database, as {by} chose. What was saved after it is kept in {aside}.',
  'writer-ended': 'the writer thread ended; it is started again',
  'writer-failed': 'the writer thread ended: {reason}; it is started again',
  'backup-skipped': '{name} was passed over: {reason}.',
  'backup-missing': 'it is not there',
  'backup-empty': 'it is empty',
  'backup-not-comparable': 'the backup cannot be compared with the database: {reason}',
  'disk-fault': 'the disk reports a fault ({code})',
  locked: 'another program holds the database locked',
  'out-of-memory': 'the machine is out of memory',
  'journal-failed':
    'it is not known whether this was saved: the revocation journal cannot be written: {reason}',
  'journal-missing':
    'The revocation journal was missing. It was written again from the database. If the database was restored as well, check users and API keys.',
  'journal-damaged':
    'The revocation journal was damaged: {lines} lines could not be read. It was written again from the database. If the database was restored as well, check users and API keys.',
  'journal-applied-to':
    'The database was older than the revocation journal, which was applied to it: {changes}.',
  'journal-applied': 'The database was older than the revocation journal, which was applied to it.',
  damaged: 'the database file is damaged; at its next start the gateway restores the newest backup',
});
