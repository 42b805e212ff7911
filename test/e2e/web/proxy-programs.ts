import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/shared/package-root.js';
import { freePort } from '../mqtt/mosquitto.js';

export const hasNginx = !spawnSync('nginx', ['-v']).error;
export const hasCaddy = !spawnSync('caddy', ['version']).error;

export interface ReverseProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts nginx with the `server` blocks that `server` returns for the port. */
export function startNginx(server: (port: number) => string): Promise<ReverseProxy> {
  return start((port, dir) => {
    const config = `daemon off; master_process off; pid ${dir}/pid; error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`).join('\n')}
        ${server(port)}
      }`;
    return ['nginx', config, (file) => ['-p', dir, '-c', file]];
  });
}

/** Starts nginx with the documented configuration, but without TLS. */
export async function startDocumentedNginx(gatewayPort: number): Promise<ReverseProxy> {
  const example = await readFile(join(packageRoot(), 'docs/proxies/nginx.conf'), 'utf8');
  return startNginx((port) =>
    example
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace(/^ *ssl_.*$/gm, '')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${gatewayPort}`),
  );
}

/** Starts Caddy with the documented configuration, but without TLS. */
export async function startDocumentedCaddy(gatewayPort: number): Promise<ReverseProxy> {
  const example = await readFile(join(packageRoot(), 'docs/proxies/Caddyfile'), 'utf8');
  return start((port) => {
    const site = example
      .replace(/^cart\.example\.com/m, `http://:${port}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${gatewayPort}`);
    const config = `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n${site}`;
    return ['caddy', config, (file) => ['run', '--adapter', 'caddyfile', '--config', file]];
  });
}

type Recipe = (
  port: number,
  dir: string,
) => [program: string, config: string, args: (file: string) => string[]];

async function start(recipe: Recipe): Promise<ReverseProxy> {
  const dir = await mkdtemp(join(tmpdir(), 'proxy-'));
  const port = await freePort();
  const [program, config, args] = recipe(port, dir);
  const file = join(dir, 'config');
  await writeFile(file, config);
  const child = spawn(program, args(file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await untilListening(port, child, () => output);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

async function untilListening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended with ${child.exitCode}: ${output()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise(setImmediate);
  }
}
