import { catalogue } from './message.js';

/** Messages of several modules. */
export const sharedMessage = catalogue('shared', {
  stopping: 'the gateway is stopping',
  'with-detail': '{reason} ({detail})',
  sentence: '{text}.',
  sentences: '{first}. {second}',
  both: '{first}: {second}',
  join: '{first}; {second}',
  'disk-full': 'the disk is full',
  'disk-quota': 'the disk quota is used up',
  'disk-read-only': 'the file system is read-only',
  'disk-forbidden': 'the gateway is not allowed to',
  'file-missing': 'the file or its directory is not there',
  'file-not-a-directory': 'a part of the path is not a directory',
  'file-is-directory': 'it is a directory',
  'disk-fault': 'the disk reports a fault',
  'files-too-many': 'too many files are open',
  'file-refused': 'the file system refuses',
});
