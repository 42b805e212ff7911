import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether two ends of a real terminal line can be made here. */
export const hasSocat = spawnSync('socat', ['-V']).status === 0;

/** A real line between two terminals, and the scissors. */
export interface PtyPair {
  /** The device paths of the two ends. */
  near: string;
  far: string;
  /** Cuts the line: both terminals vanish. */
  cut(): Promise<void>;
  /** Makes the line anew under the same paths. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Lays a line in a fresh directory. */
export async function openPtyPair(): Promise<PtyPair> {
  const directory = await mkdtemp(join(tmpdir(), 'pty-'));
  const [near, far] = [join(directory, 'near'), join(directory, 'far')];
  let socat = await connect(near, far);
  const cut = async (): Promise<void> => {
    if (socat.exitCode !== null || socat.signalCode !== null) return;
    const exit = once(socat, 'exit');
    socat.kill('SIGKILL');
    await exit;
    // Killed outright, socat leaves its links behind.
    await Promise.all([near, far].map((link) => rm(link, { force: true })));
  };
  return {
    near,
    far,
    cut,
    async mend() {
      socat = await connect(near, far);
    },
    async close() {
      await cut();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** socat says that it is ready on stderr (notice level), after both links are there. */
async function connect(near: string, far: string): Promise<ChildProcess> {
  const ends = [near, far].map((link) => `pty,raw,echo=0,link=${link}`);
  const socat = spawn('socat', ['-d', '-d', ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  for await (const piece of socat.stderr) {
    said += String(piece);
    if (said.includes('starting data transfer loop')) break;
  }
  await Promise.all([near, far].map((link) => access(link)));
  return socat;
}
