import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ProgramName = 'vid' | 'still';

/** Where the shim notes the process that it becomes, and the argument by which that process is known. */
export const PID_FILE = 'CARTWRIGHT_CAMERA_PIDFILE';
export const TOKEN = 'CARTWRIGHT_CAMERA_TOKEN';

/**
 * Writes `libcamera-<name>` into `directory`, the name under which node-libcamera calls the program: it notes its
 * process id, which stays the same through `exec`, and becomes `command`. Without a command there is none, and the
 * shell says so.
 */
export function writeShim(
  directory: string,
  name: ProgramName,
  command: readonly string[] | undefined,
): void {
  const path = join(directory, `libcamera-${name}`);
  if (!command) return rmSync(path, { force: true });
  const lines = [
    '#!/bin/sh',
    '# It aborts whenever its viewers leave: no core file for each.',
    'ulimit -c 0',
    `printf '%s %s' "$$" "$${TOKEN}" >"$${PID_FILE}"`,
    `exec ${command.map(quote).join(' ')} "$@"`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o700 });
}

/** The real program: `rpicam-<name>`, or under its old name `libcamera-<name>`; undefined when neither is there. */
export function findProgram(name: ProgramName, searchPath = process.env.PATH ?? ''): string | undefined {
  const directories = searchPath.split(':').filter((directory) => directory.startsWith('/'));
  const paths = [`rpicam-${name}`, `libcamera-${name}`].flatMap((file) =>
    directories.map((directory) => join(directory, file)),
  );
  return paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
