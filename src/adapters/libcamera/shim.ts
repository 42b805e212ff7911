import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type ProgramName = 'vid' | 'still';

/** Environment variables of the shim: its pid file's path, and an argument that identifies the process. */
export const PID_FILE = 'CARTWRIGHT_CAMERA_PIDFILE';
export const TOKEN = 'CARTWRIGHT_CAMERA_TOKEN';

/** Writes `libcamera-<name>`, a script that runs `command`; removes it if `command` is undefined. */
export function writeShim(
  directory: string,
  name: ProgramName,
  command: readonly string[] | undefined,
): void {
  const path = join(directory, `libcamera-${name}`);
  if (!command) return rmSync(path, { force: true });
  const lines = [
    '#!/bin/sh',
    '# The program aborts when its connection is reset; it must not write a core file.',
    'ulimit -c 0',
    `printf '%s %s' "$$" "$${TOKEN}" >"$${PID_FILE}"`,
    `exec ${command.map(quote).join(' ')} "$@"`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o700 });
}

/** Returns the path of `rpicam-<name>` or, if that is not installed, of `libcamera-<name>` (its old name). */
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

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
