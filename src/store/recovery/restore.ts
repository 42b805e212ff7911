import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { RestoreChoice } from '../../shared/ports/ports.js';
import { listBackups } from '../backup/backups.js';
import { inspectFile } from '../backup/inspect.js';
import type { StoreLimits } from '../limits.js';
import { type StorePaths, syncPath } from '../paths.js';
import { type Recovery, restoring, setAside } from './recover.js';
import { noteRestore } from './revocations.js';

/** The backup that somebody chose for the next start; undefined when nobody did. A file that makes no sense is none. */
export function readChoice({ choice }: StorePaths): RestoreChoice | undefined {
  if (!existsSync(choice)) return undefined;
  try {
    const { name, by, at } = JSON.parse(readFileSync(choice, 'utf8')) as Partial<RestoreChoice>;
    return name !== undefined && by !== undefined && at !== undefined ? { name, by, at } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts the chosen backup in the place of the database, which is kept beside it under another name. Cut off anywhere, it
 * is done again at the next start: the choice goes last, before anything is written to the new database.
 */
export function restoreChosen(paths: StorePaths, limits: StoreLimits): Recovery {
  const choice = readChoice(paths);
  if (!choice) return { notices: [] };
  const backup = listBackups(paths).find(({ path }) => basename(path) === choice.name);
  const damage = backup ? copyOf(backup.path, paths, limits) : 'it is not there any more';
  if (!backup || damage) {
    forget(paths);
    return { notices: [`The backup ${choice.name} was not restored: ${damage}. Nothing has changed.`] };
  }
  const aside = setAside(paths, 'replaced');
  renameSync(restoring(paths), paths.database);
  syncPath(paths.dir);
  forget(paths);
  const when = new Date(backup.at).toISOString();
  const kept = aside ? ` What was saved after it is kept in ${aside}.` : '';
  const notice = `The backup of ${when} (${choice.name}) took the place of the database, as ${choice.by} chose.${kept}`;
  return { notices: [notice], restoredFrom: backup.path };
}

/** A sound copy of the backup, ready to take its place; answers what is wrong with it. */
function copyOf(path: string, paths: StorePaths, limits: StoreLimits): string {
  const temp = restoring(paths);
  copyFileSync(path, temp);
  const { damage, isEmpty, revocations } = inspectFile(temp, limits.busyTimeoutMs);
  if (!damage && !isEmpty) {
    syncPath(temp);
    noteRestore(paths, basename(path), revocations);
    return '';
  }
  rmSync(temp);
  return damage || 'it is empty';
}

function forget({ choice, dir }: StorePaths): void {
  rmSync(choice);
  syncPath(dir);
}
