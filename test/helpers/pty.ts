import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const hasSocat = spawnSync('socat', ['-V']).status === 0;

/** A simulated serial line between two pseudo-terminals, which a test can cut and restore. */
export interface PtyPair {
  near: string;
  far: string;
  /** The bytes that have been sent from the near to the far device, if the line is recorded. */
  readonly sent: readonly number[];
  /** Cuts the line, so that both devices disappear. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function openPtyPair({ isRecorded = false } = {}): Promise<PtyPair> {
  const directory = await mkdtemp(join(tmpdir(), 'pty-'));
  const [near, far] = [join(directory, 'near'), join(directory, 'far')];
  const sent: number[] = [];
  const record = isRecorded ? recorder(sent) : undefined;
  let socat = await connect(near, far, record);
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
    sent,
    cut,
    async restore() {
      socat = await connect(near, far, record);
    },
    async close() {
      await cut();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Starts socat and waits until it reports on stderr (notice level) that both links exist. */
async function connect(near: string, far: string, record?: (line: string) => void): Promise<ChildProcess> {
  const ends = [near, far].map((link) => `pty,raw,echo=0,link=${link}`);
  const options = record ? ['-x', '-d', '-d'] : ['-d', '-d'];
  const socat = spawn('socat', [...options, ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = createInterface({ input: socat.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => (line.includes('starting data transfer loop') ? resolve() : record?.(line)));
    lines.once('close', () => reject(new Error('socat ended before the line was open')));
  });
  await Promise.all([near, far].map((link) => access(link)));
  return socat;
}

/** Collects the bytes of `socat -x`: after a line that begins with `>`, bytes follow in hexadecimal. */
function recorder(sent: number[]): (line: string) => void {
  let isSent = false;
  return (line) => {
    if (/^[<>] /.test(line)) isSent = line.startsWith('>');
    else if (isSent && /^( [0-9a-f]{2})+ *$/.test(line))
      sent.push(
        ...line
          .trim()
          .split(' ')
          .map((byte) => Number.parseInt(byte, 16)),
      );
  };
}
