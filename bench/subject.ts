import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/util/package-root.js';

/** A server in a process of its own. */
export interface Subject {
  name: string;
  port: number;
  child: ChildProcess;
}

/** Starts `script` (beside this file) with a directory for its data; it prints the port that it listens on. */
export async function start(
  name: string,
  script: string,
  dir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Subject> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), dir], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { name, port: Number(line), child };
}

export async function stop({ child }: Subject): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

/** Compiles the shim that slows fsync down, and answers the environment that makes a process use it. */
export function slowFsync(dir: string, ms: number): NodeJS.ProcessEnv {
  const library = join(dir, 'fsync-delay.so');
  const source = join(packageRoot(), 'bench', 'fsync-delay.c');
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library, FSYNC_DELAY_MS: String(ms) };
}
