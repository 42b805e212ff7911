import { createHash } from 'node:crypto';
import { constants, readFileSync, rmSync } from 'node:fs';
import { access, chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { runtimeDirectory } from '../../shared/process-environment.js';

const POLL_MS = 20;
const KILL_TIMEOUT_MS = 5000;

/** The camera process as the shim recorded it: the process id and an argument unique to the process. */
export class PidFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Returns the process id if the process is running and, if `token` is given, has `token` as an argument.
   */
  alive(token?: string): number | undefined {
    const [pid = 0, recorded = ''] = this.#read();
    if (!(pid > 1) || recorded === '' || (token !== undefined && recorded !== token)) return undefined;
    // Another process may have reused the process id.
    return argumentsOf(pid).includes(recorded) ? pid : undefined;
  }

  signal(name: 'SIGTERM' | 'SIGKILL', token?: string): void {
    const pid = this.alive(token);
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch {}
  }

  /** Kills the process if it is running and waits for it to exit. Resolves with true if it was running. */
  async clear(clock: Clock): Promise<boolean> {
    const found = this.alive();
    const endMs = clock.now() + KILL_TIMEOUT_MS;
    while (this.alive() !== undefined && clock.now() < endMs) {
      this.signal('SIGKILL');
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
    rmSync(this.path, { force: true });
    return found !== undefined;
  }

  #read(): [number, string] | [] {
    try {
      const [pid, token = ''] = readFileSync(this.path, 'utf8').split(' ');
      return [Number(pid), token];
    } catch {
      return [];
    }
  }
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The path is inserted into a command line, a printf format and a 128-byte buffer. */
const SAFE_PATH = /^[A-Za-z0-9_./+-]{1,90}$/;

/**
 * Creates a private directory (mode 0700) for executables: below `$RUNTIME_DIRECTORY`, else in the temporary
 * directory, or below `dataDir` if the temporary directory is mounted noexec or is unsafe. The name never
 * changes, so that the files of a killed gateway are found. Rejects with `CAMERA_UNUSABLE` if no directory is
 * usable.
 */
export async function openRunDir(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const runtime = runtimeDirectory(env);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const candidates = [
    ...(runtime ? [join(runtime, 'camera')] : []),
    join(tmpdir(), `cartwright-${process.getuid?.() ?? 0}-${name}`),
    join(dataDir, 'camera-run'),
  ];
  const reasons: string[] = [];
  for (const directory of candidates) {
    try {
      await makeOwn(directory);
      return directory;
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  throw new GatewayError(
    'CAMERA_UNUSABLE',
    `there is no usable directory for the camera programs: ${reasons.join('; ')}`,
    {
      hint: 'Use a data directory whose path contains only letters, digits and _ . / + - and has at most 70 characters.',
    },
  );
}

async function makeOwn(directory: string): Promise<void> {
  if (!SAFE_PATH.test(directory))
    throw new Error(`${directory} is too long or contains characters that are unsafe in a command line`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // If the parent directory is world-writable, another user may have created this directory.
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${directory} belongs to another user`);
  await chmod(directory, 0o700);
  const probe = join(directory, 'probe');
  await writeFile(probe, '#!/bin/sh\n', { mode: 0o700 });
  await access(probe, constants.X_OK).catch(() => {
    throw new Error(`programs cannot be run in ${directory} (noexec)`);
  });
}
