import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { runtimeDirectory } from '../../shared/process-environment.js';

/** Permitted paths. A path is inserted into a command line, a printf format and a 128-byte buffer. */
const SAFE_PATH = /^[A-Za-z0-9_./+-]{1,90}$/;

/**
 * Creates a private directory (mode 0700) for executables: below `$RUNTIME_DIRECTORY`, else in the temporary
 * directory, or below `dataDir` if the temporary directory is mounted noexec or is unsafe. The directory's
 * name never changes, so that the files of a killed gateway are found. Rejects with `CAMERA_UNUSABLE` if no
 * directory is usable.
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
  // If the parent directory is world-writable, another user may have created this directory, so its owner is checked.
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
