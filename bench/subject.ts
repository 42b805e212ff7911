import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CartView } from '../src/carts/command/model.js';
import { packageRoot } from '../src/shared/package-root.js';
import { pause } from './process-figures.js';

export interface Subject {
  name: string;
  port: number;
  child: ChildProcess;
}

/**
 * Starts `script`, a file in this directory, with a data directory as its argument. The script prints its
 * port.
 */
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

/** Resolves with the URL of a gateway that has been started as `child`. */
export async function untilReady(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const said = line.startsWith('{') ? JSON.parse(line) : {};
    if (said.event === 'gateway.ready') {
      child.stdout.resume();
      return said.url;
    }
  }
  throw new Error('the gateway ended before it was ready');
}

/** Resets a latched stop, and waits until the cart may move. */
export async function untilItMayMove(url: string): Promise<void> {
  for (;;) {
    await fetch(`${url}/estop/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cartID: 1 }),
    });
    const cart = (await (await fetch(`${url}/carts/1`)).json()) as CartView;
    if (cart.safety.mayMove) return;
    await pause(50);
  }
}

/**
 * Starts a gateway that has its own data directory and requires no logins. Resolves when the gateway is
 * ready.
 */
export async function startGateway(
  dir: string,
  env: NodeJS.ProcessEnv = {},
  settings: object = {},
): Promise<Subject> {
  mkdirSync(dir, { recursive: true });
  const config = join(dir, 'config.json');
  writeFileSync(config, JSON.stringify({ settings: { mqtt: { port: 0 }, ...settings } }));
  const own = {
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_AUTH: 'trusted-lan',
    CARTWRIGHT_CONFIG: config,
    CARTWRIGHT_DATA_DIR: join(dir, 'data'),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.js')], {
    env: { ...process.env, ...own, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await untilReady(child);
  return { name: 'Cartwright', port: Number(new URL(url).port), child };
}

export async function stop({ child }: Subject): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

/** Compiles the fsync delay shim and returns the environment variables that load it. */
export function slowFsync(dir: string, ms: number): NodeJS.ProcessEnv {
  const library = join(dir, 'fsync-delay.so');
  const source = join(packageRoot(), 'bench', 'fsync-delay.c');
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library, FSYNC_DELAY_MS: String(ms) };
}
