import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cancel, Clock, TimeSync } from '../../shared/ports/ports.js';
import { childEnvironment } from '../../shared/process-environment.js';

const ASK_MS = 30_000;
const ANSWER_MS = 5000;

interface TimeSyncOptions {
  clock: Clock;
  /** Where the services of the machine keep their marks. */
  runDir?: string;
  /** Runs `chronyc` with these arguments; resolves with what it prints. */
  chronyc?: (args: string[]) => Promise<string>;
}

/** Asks the time service of a Linux machine every 30 s. Where there is none that is known, nothing is known. */
export async function watchTimeSync(options: TimeSyncOptions): Promise<TimeSync> {
  const { clock, runDir = '/run', chronyc = runChronyc } = options;
  let synced = await ask(runDir, chronyc);
  const cancel: Cancel = clock.every(ASK_MS, () => {
    void ask(runDir, chronyc).then((answer) => (synced = answer));
  });
  return { synced: () => synced, close: cancel };
}

async function ask(
  runDir: string,
  chronyc: (args: string[]) => Promise<string>,
): Promise<boolean | undefined> {
  // systemd-timesyncd makes this file when it has set the clock for the first time since the start of the machine.
  if (await exists(join(runDir, 'systemd/timesync/synchronized'))) return true;
  if (await exists(join(runDir, 'chrony'))) return askChrony(chronyc);
  return (await exists(join(runDir, 'systemd/timesync'))) ? false : undefined;
}

/** `chronyc -c tracking` prints one line of values with commas between; the last is the leap status. */
async function askChrony(chronyc: (args: string[]) => Promise<string>): Promise<boolean | undefined> {
  try {
    const status = (await chronyc(['-c', 'tracking'])).trim().split(',').at(-1);
    return status ? status !== 'Not synchronised' : undefined;
  } catch {
    // It is installed but does not run, or we may not ask it.
    return undefined;
  }
}

async function runChronyc(args: string[]): Promise<string> {
  return (await promisify(execFile)('chronyc', args, { timeout: ANSWER_MS, env: childEnvironment() })).stdout;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
