import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorCode } from '../shared/files.js';

export interface BackupFile {
  name: string;
  bytes: number;
  /** Unix time in ms, according to the name. */
  at: number;
  path: string;
}

/** Backups made by this gateway are ordered by the number in the name, because a Pi's clock may be wrong. */
export const NAME =
  /^cartwright-([A-Za-z0-9][A-Za-z0-9-]{0,39}?)(?:-(\d{6,}))?-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.cwbackup$/;
/** Suffix of an incomplete file's name. */
export const UNFINISHED = '.part';

/** 0 if the name has no number. */
export function numberOf(name: string): number {
  return Number(NAME.exec(name)?.[2] ?? 0);
}

/** The gateway's name, as far as the backup's name contains it. */
export function gatewayOf(name: string): string {
  return NAME.exec(name)?.[1] ?? '';
}

/** The backups in a folder. A missing folder is treated as empty. */
export async function listFolder(folder: string): Promise<BackupFile[]> {
  return backupsAmong(folder, await namesIn(folder));
}

/** The backups among the files with these names. */
export async function backupsAmong(folder: string, names: readonly string[]): Promise<BackupFile[]> {
  const found = names.map(async (name): Promise<BackupFile[]> => {
    const [, , , year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    if (!year) return [];
    const path = join(folder, name);
    try {
      const file = await lstat(path);
      const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      return file.isFile() && !Number.isNaN(at) ? [{ name, bytes: file.size, at, path }] : [];
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

/** Removes incomplete backups, and SQLite's files beside an incomplete copy of the database. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => /^cartwright-.*\.cwbackup.*\.part/.test(name));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
