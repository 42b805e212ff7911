import type { Vocabulary } from '../../language.js';

/** The messages of several modules. */
export const SHARED_MESSAGES: Vocabulary = {
  'shared.stopping': 'de gateway stopt',
  'shared.with-detail': '{reason} ({detail})',
  'shared.sentence': '{text}.',
  'shared.sentences': '{first}. {second}',
  'shared.both': '{first}: {second}',
  'shared.join': '{first}; {second}',
  'shared.disk-full': 'de schijf is vol',
  'shared.disk-quota': 'het schijfquotum is op',
  'shared.disk-read-only': 'het bestandssysteem is alleen te lezen',
  'shared.disk-forbidden': 'de gateway heeft daar geen rechten voor',
  'shared.file-missing': 'het bestand of de map is er niet',
  'shared.file-not-a-directory': 'een deel van het pad is geen map',
  'shared.file-is-directory': 'het is een map',
  'shared.disk-fault': 'de schijf meldt een fout',
  'shared.files-too-many': 'er zijn te veel bestanden open',
  'shared.file-refused': 'het bestandssysteem weigert',
};
