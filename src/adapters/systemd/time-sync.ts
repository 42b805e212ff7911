import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { TimeSync } from '../../shared/ports/supervisor.js';
import { childEnvironment } from '../../shared/process-environment.js';

const POLL_MS = 30_000;
const CHRONYC_TIMEOUT_MS = 5000;

interface TimeSyncOptions {
  clock: Clock;
  runDir?: string;
  chronyc?: (args: string[]) => Promise<string>;
}

/** Polls systemd-timesyncd or chrony every 30 s; `synced()` returns undefined if neither is present. */
export async function watchTimeSync(options: TimeSyncOptions): Promise<TimeSync> {
  const { clock, runDir = '/run', chronyc = runChronyc } = options;
  let synced = await readStatus(runDir, chronyc);
  const cancel: Cancel = clock.every(POLL_MS, () => {
    void readStatus(runDir, chronyc).then((answer) => (synced = answer));
  });
  return { synced: () => synced, close: cancel };
}

async function readStatus(
  runDir: string,
  chronyc: (args: string[]) => Promise<string>,
): Promise<boolean | undefined> {
  // systemd-timesyncd creates this file when it first sets the clock after boot.
  if (await exists(join(runDir, 'systemd/timesync/synchronized'))) return true;
  if (await exists(join(runDir, 'chrony'))) return readChrony(chronyc);
  return (await exists(join(runDir, 'systemd/timesync'))) ? false : undefined;
}

/** The output is one line of comma-separated values; the last one is the leap status. */
async function readChrony(chronyc: (args: string[]) => Promise<string>): Promise<boolean | undefined> {
  try {
    const status = (await chronyc(['-c', 'tracking'])).trim().split(',').at(-1);
    return status ? status !== 'Not synchronised' : undefined;
  } catch {
    return undefined;
  }
}

async function runChronyc(args: string[]): Promise<string> {
  return (
    await promisify(execFile)('chronyc', args, { timeout: CHRONYC_TIMEOUT_MS, env: childEnvironment() })
  ).stdout;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
