import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readActor } from '../../shared/actor.js';
import { syncPath } from '../../shared/files.js';
import type { RestoreChoice } from '../../shared/ports/backups.js';
import type { StorePaths } from '../paths.js';

/**
 * Returns the backup to restore on the next start, if any. Ignores an invalid file. Version 0.2 stored only a name in
 * `by`.
 */
export function readChoice({ choice }: StorePaths): RestoreChoice | undefined {
  if (!existsSync(choice)) return undefined;
  try {
    const { name, by, at } = JSON.parse(readFileSync(choice, 'utf8')) as Partial<RestoreChoice>;
    return name !== undefined && by !== undefined && at !== undefined
      ? { name, by: readActor(by), at }
      : undefined;
  } catch {
    return undefined;
  }
}

export function deleteChoice({ choice, dir }: StorePaths): void {
  rmSync(choice);
  syncPath(dir);
}
