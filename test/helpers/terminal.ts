import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.js');

/** True if `script` (util-linux), which creates a terminal, is installed. */
export const hasScript = /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

/** A module that stops the gateway when its log contains `gateway.ready`; load it with `--import`. */
export const STOP_WHEN_READY = `data:text/javascript,${encodeURIComponent(`
  const { write } = process.stdout;
  process.stdout.write = function (text, ...rest) {
    if (String(text).includes('"gateway.ready"')) process.kill(process.pid, 'SIGTERM');
    return write.call(this, text, ...rest);
  };
`)}`;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function runOnPipe(env: NodeJS.ProcessEnv): Promise<Ended> {
  return output(spawn(process.execPath, [MAIN], { env: { ...process.env, ...env }, stdio: 'pipe' }));
}

/** Runs the gateway on a terminal (`script`) until it exits. A terminal has only one output stream. */
export async function runOnTerminal(env: NodeJS.ProcessEnv): Promise<Ended> {
  return output(spawnOnTerminal(env));
}

/** Starts the gateway on a terminal; its output is on `stdout`, and key presses go to `stdin`. */
export function spawnOnTerminal(env: NodeJS.ProcessEnv): ChildProcess {
  const own = { NODE: process.execPath, MAIN, SHELL: '/bin/sh' };
  return spawn('script', ['-qec', 'exec "$NODE" "$MAIN"', '/dev/null'], {
    env: { ...process.env, ...own, ...env },
    stdio: 'pipe',
  });
}

async function output(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      output[name] += piece;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: output.stdout.replaceAll('\r\n', '\n'), stderr: output.stderr };
}
