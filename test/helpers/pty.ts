import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasSocat = spawnSync('socat', ['-V']).status === 0;

/** A simulated serial line between two pseudo-terminals, which a test can cut and restore. */
export interface PtyPair {
  near: string;
  far: string;
  /** Cuts the line, so that both devices disappear. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function openPtyPair(): Promise<PtyPair> {
  const directory = await mkdtemp(join(tmpdir(), 'pty-'));
  const [near, far] = [join(directory, 'near'), join(directory, 'far')];
  let socat = await connect(near, far);
  const cut = async (): Promise<void> => {
    if (socat.exitCode !== null || socat.signalCode !== null) return;
    const exit = once(socat, 'exit');
    socat.kill('SIGKILL');
    await exit;
    // A killed socat does not remove its symbolic links.
    await Promise.all([near, far].map((link) => rm(link, { force: true })));
  };
  return {
    near,
    far,
    cut,
    async restore() {
      socat = await connect(near, far);
    },
    async close() {
      await cut();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts socat and waits until it reports on stderr (notice level) that both links exist. */
async function connect(near: string, far: string): Promise<ChildProcess> {
  const ends = [near, far].map((link) => `pty,raw,echo=0,link=${link}`);
  const socat = spawn('socat', ['-d', '-d', ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  for await (const piece of socat.stderr) {
    output += String(piece);
    if (output.includes('starting data transfer loop')) break;
  }
  await Promise.all([near, far].map((link) => access(link)));
  return socat;
}
