import { createHash } from 'node:crypto';
import { constants, readFileSync, rmSync } from 'node:fs';
import { access, chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import { runtimeDirectory } from '../../shared/process-environment.js';

const POLL_MS = 20;
/** A process that the kernel holds back longer than this is left to the kernel. */
const PATIENCE_MS = 5000;

/** The camera program's real process, as the shim noted it: its id, and an argument that no other process has. */
export class PidFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The process, as long as it lives and is what was noted; with `token` only when that is its argument. */
  alive(token?: string): number | undefined {
    const [pid = 0, noted = ''] = this.#read();
    if (!(pid > 1) || noted === '' || (token !== undefined && noted !== token)) return undefined;
    // The number may be another process's by now.
    return argumentsOf(pid).includes(noted) ? pid : undefined;
  }

  signal(name: 'SIGTERM' | 'SIGKILL', token?: string): void {
    const pid = this.alive(token);
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended by itself.
    }
  }

  /** Kills what is left, and resolves when it is gone. Answers whether there was anything. */
  async clear(clock: Clock): Promise<boolean> {
    const found = this.alive();
    const endMs = clock.now() + PATIENCE_MS;
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

/** Empty when there is no such process, and when it has ended and nobody has asked for its status yet. */
function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The path becomes part of a command line, of a printf format and of a buffer of 128 bytes. */
const SAFE_PATH = /^[A-Za-z0-9_./+-]{1,90}$/;

/**
 * A directory of our own, mode 0700, in which programs may run: below `$RUNTIME_DIRECTORY`, else in the temporary
 * directory, else (when that is mounted noexec or is not safe) below `dataDir`. Its name is the same at every start, so
 * that what a killed gateway left behind is found. Rejects with `CAMERA_UNUSABLE` when there is none.
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
  throw new GatewayError('CAMERA_UNUSABLE', `no directory for the camera programs: ${reasons.join('; ')}`, {
    hint: 'Start the gateway with a data directory of letters, digits and _ . / + - only, no longer than 70.',
  });
}

async function makeOwn(directory: string): Promise<void> {
  if (!SAFE_PATH.test(directory))
    throw new Error(`${directory} is too long or has characters that a command line would misread`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // In a directory that everybody may write to, somebody else may have been here first.
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${directory} belongs to somebody else`);
  await chmod(directory, 0o700);
  const probe = join(directory, 'probe');
  await writeFile(probe, '#!/bin/sh\n', { mode: 0o700 });
  await access(probe, constants.X_OK).catch(() => {
    throw new Error(`programs may not run in ${directory} (noexec)`);
  });
}
