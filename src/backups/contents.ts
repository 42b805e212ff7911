/** Parts of a gateway that a backup contains only on request. */
export const GROUPS = ['photos', 'incidents', 'tls'] as const;

export type Group = (typeof GROUPS)[number];

/** The kinds of content that a backup can contain. */
export type SavedKind =
  | 'database'
  | 'settings'
  | 'accounts'
  | 'plan'
  | 'records'
  | 'camera'
  | 'incidents'
  | 'tls';

interface Content {
  /** The name of a file or folder in the data directory. A name that varies is a pattern. */
  name: string | RegExp;
  /** The names of the files in the folder. Absent if the entry is a file. */
  files?: RegExp;
  what: SavedKind | 'backup' | 'safety' | 'runtime';
  /** True if the content gives access to this gateway or to another system. */
  isSecret: boolean;
  backup: 'always' | Group | 'never';
  /**
   * What a restore does with the current file or folder. `replace`: deletes it and puts the backup's content in its
   * place, if there is any. `merge`: combines it with the backup's content. `keep`: leaves it unchanged.
   */
  restore: 'replace' | 'merge' | 'keep';
}

const ANY_NAME = /^[^/\0]{1,255}$/;

/**
 * Everything in a data directory. A file that is not listed is not backed up, and a backup that contains it is
 * rejected. Backups contain no latched stop: if `estop.json` is missing after a restore, a stop is latched.
 */
export const CONTENTS: readonly Content[] = [
  { name: 'cartwright.db', what: 'database', isSecret: true, backup: 'always', restore: 'replace' },
  {
    name: /^cartwright\.db-(?:wal|shm)$/,
    what: 'database',
    isSecret: true,
    backup: 'never',
    restore: 'replace',
  },
  { name: 'commit-number', what: 'database', isSecret: false, backup: 'never', restore: 'replace' },
  { name: 'restore.json', what: 'database', isSecret: false, backup: 'never', restore: 'replace' },
  { name: /^cartwright\.db\../, what: 'database', isSecret: true, backup: 'never', restore: 'keep' },
  { name: 'lost-writes.json', what: 'database', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'restored.json', what: 'database', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'variables.json', what: 'settings', isSecret: true, backup: 'always', restore: 'replace' },
  // The record of an unconfirmed change. The first start after a restore rolls the change back.
  { name: 'variables.json.trial', what: 'settings', isSecret: true, backup: 'always', restore: 'replace' },
  { name: /^variables\.json\./, what: 'settings', isSecret: true, backup: 'never', restore: 'replace' },
  {
    name: 'settings-history',
    files: /^\d{8}\.json$/,
    what: 'settings',
    isSecret: false,
    backup: 'always',
    restore: 'replace',
  },
  {
    name: 'broker-passwords',
    files: ANY_NAME,
    what: 'settings',
    isSecret: true,
    backup: 'always',
    restore: 'replace',
  },
  { name: 'generation', what: 'records', isSecret: false, backup: 'always', restore: 'replace' },
  { name: 'totp-key', what: 'accounts', isSecret: true, backup: 'always', restore: 'replace' },
  { name: 'revocations.journal', what: 'accounts', isSecret: false, backup: 'always', restore: 'merge' },
  { name: /^revocations\.journal\./, what: 'accounts', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'setup-code', what: 'accounts', isSecret: true, backup: 'never', restore: 'keep' },
  {
    name: 'plan',
    files: /^(?:plan\.json|picture-[\w-]+)$/,
    what: 'plan',
    isSecret: false,
    backup: 'always',
    restore: 'replace',
  },
  { name: 'commissioning.json', what: 'records', isSecret: false, backup: 'always', restore: 'replace' },
  { name: /^commissioning\.json\./, what: 'records', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'first-run.json', what: 'records', isSecret: false, backup: 'always', restore: 'replace' },
  {
    name: 'photos',
    files: /^\d{8}-\d{6}-\d{3}\.jpg$/,
    what: 'camera',
    isSecret: false,
    backup: 'photos',
    restore: 'replace',
  },
  {
    name: 'black-box',
    files: /^black-box-\d{6,}-[\w-]+\.zip(?:\.pin)?$/,
    what: 'incidents',
    isSecret: false,
    backup: 'incidents',
    restore: 'replace',
  },
  {
    name: 'tls',
    files: /^(?:ca\.pem|gateway\.pem|redirect)$/,
    what: 'tls',
    isSecret: true,
    backup: 'tls',
    restore: 'replace',
  },
  { name: 'backups', files: ANY_NAME, what: 'backup', isSecret: true, backup: 'never', restore: 'keep' },
  {
    name: 'gateway-backups',
    files: ANY_NAME,
    what: 'backup',
    isSecret: true,
    backup: 'never',
    restore: 'keep',
  },
  // Contains the key that is derived from the passphrase. A restore keeps the file, so that the schedule continues.
  { name: 'backup-schedule.json', what: 'backup', isSecret: true, backup: 'never', restore: 'keep' },
  { name: 'restore', files: ANY_NAME, what: 'backup', isSecret: true, backup: 'never', restore: 'keep' },
  // The release that an administrator has uploaded, and the request to install it.
  { name: 'updates', files: ANY_NAME, what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'software.json', what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'estop.json', what: 'safety', isSecret: false, backup: 'never', restore: 'keep' },
  // A restored site plan that differs from the last one must be confirmed.
  { name: 'site-plan.json', what: 'safety', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'firmware-update.json', what: 'safety', isSecret: false, backup: 'never', restore: 'keep' },
  {
    name: 'firmware-files',
    files: ANY_NAME,
    what: 'runtime',
    isSecret: false,
    backup: 'never',
    restore: 'keep',
  },
  { name: 'avrdude.pid', what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'camera-run', files: ANY_NAME, what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'sessions.json', what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'gateway.lock', what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: 'reserve', what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: /^\.probe-/, what: 'runtime', isSecret: false, backup: 'never', restore: 'keep' },
  { name: /\.tmp(?:-[\w-]+)?$/, what: 'runtime', isSecret: true, backup: 'never', restore: 'keep' },
];

const UNFINISHED = /\.(?:tmp(?:-[\w-]+)?|part)$/;

/**
 * Returns true for a file that is still being written. After an interruption, the module that owns the folder
 * deletes the file.
 */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Returns the entry for a file or folder directly in the data directory, or undefined if there is none. */
export function entryOf(top: string): Content | undefined {
  return CONTENTS.find(({ name }) => (typeof name === 'string' ? name === top : name.test(top)));
}

/** Returns the entry for a path in the data directory (`plan/plan.json`), or undefined if there is none. */
export function contentOf(path: string): Content | undefined {
  const [top = '', name, ...deeper] = path.split('/');
  const found = entryOf(top);
  if (!found || (found.files === undefined) !== (name === undefined)) return undefined;
  if (found.files === undefined || found.backup === 'never') return found;
  return name !== undefined && deeper.length === 0 && isFileName(name) && found.files.test(name)
    ? found
    : undefined;
}

function isFileName(name: string): boolean {
  return name !== '.' && name !== '..' && !isUnfinished(name);
}

/** Returns true if the file can be part of a backup that contains these groups. */
export function isBackedUp(path: string, groups: readonly Group[]): boolean {
  const content = contentOf(path);
  return content !== undefined && isIncluded(content.backup, groups);
}

/** Returns true if a backup with these groups contains content of this kind. */
export function isIncluded(backup: Content['backup'], groups: readonly Group[]): boolean {
  return backup === 'always' || groups.some((group) => group === backup);
}

/**
 * Returns the names of the files and folders of a data directory that a restore replaces, as opposed to those that it
 * keeps or merges. Names that the backup does not contain are deleted.
 * @param names the entries of the data directory.
 * @param groups the groups that the backup contains; the files of all other groups are kept.
 */
export function pathsToReplace(names: readonly string[], groups: readonly Group[]): string[] {
  return names.filter((name) => {
    const content = entryOf(name);
    if (content?.restore !== 'replace') return false;
    return content.backup === 'never' || isIncluded(content.backup, groups);
  });
}
