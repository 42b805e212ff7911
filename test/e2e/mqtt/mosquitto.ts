import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from '../../unit/carts/mqtt/test-bus.js';

export const hasMosquitto = ['mosquitto', 'mosquitto_sub', 'mosquitto_pub', 'mosquitto_passwd'].every(
  (name) => !spawnSync(name, ['--help']).error,
);

/** A mosquitto broker that can be killed, frozen and restarted on the same port. */
export interface Mosquitto {
  readonly port: number;
  start(): Promise<void>;
  /** Sends SIGKILL to the broker. */
  kill(): Promise<void>;
  /**
   * Pauses the broker with SIGSTOP. The broker's connections stay open, and the kernel still accepts data for
   * it.
   */
  freeze(): void;
  thaw(): void;
  publish(topic: string, payload: string, ...options: string[]): void;
  /** Subscribes with mosquitto_sub. Resolves when the subscription is active. */
  observer(filter: string): Promise<Observer>;
  close(): Promise<void>;
}

interface Observer {
  readonly messages: { topic: string; payload: string }[];
  /** Resolves with the first message that contains `text`; it may have arrived before the call. */
  first(text: string): Promise<{ topic: string; payload: string }>;
}

/**
 * Starts a broker with a listener and the given configuration lines. `files` are written to the broker's
 * directory; `DIR` in the lines is replaced by the directory's path.
 */
export async function startMosquitto(
  lines: string[] = ['allow_anonymous true'],
  files: Record<string, string> = {},
  password?: { user: string; password: string },
): Promise<Mosquitto> {
  const directory = await mkdtemp(join(tmpdir(), 'mosquitto-'));
  const port = await freePort();
  const config = join(directory, 'mosquitto.conf');
  const all = [`listener ${port} 127.0.0.1`, 'log_dest stderr', 'persistence false', ...lines];
  // As root, mosquitto would switch to a user that cannot read this directory; `user root` prevents that.
  if (process.getuid?.() === 0) all.push('user root');
  await writeFile(config, `${all.join('\n').replaceAll('DIR', directory)}\n`);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  if (password) {
    spawnSync('mosquitto_passwd', ['-b', '-c', join(directory, 'passwd'), password.user, password.password]);
  }
  // Hashes the passwords in the `name:password` lines.
  if (files.passwd !== undefined) spawnSync('mosquitto_passwd', ['-U', join(directory, 'passwd')]);
  const clients = new Set<ChildProcess>();
  let broker: ChildProcess | undefined;
  const address = ['-h', '127.0.0.1', '-p', String(port)];
  const mosquitto: Mosquitto = {
    port,
    async start() {
      broker = spawn('mosquitto', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
      await within(lineWith(broker.stderr, 'running'), 'mosquitto runs');
    },
    async kill() {
      if (broker) await end(broker);
    },
    freeze: () => void broker?.kill('SIGSTOP'),
    thaw: () => void broker?.kill('SIGCONT'),
    publish(topic, payload, ...options) {
      const { status, stderr } = spawnSync('mosquitto_pub', [
        ...address,
        '-t',
        topic,
        '-m',
        payload,
        ...options,
      ]);
      if (status !== 0) throw new Error(`mosquitto_pub: ${stderr}`);
    },
    async observer(filter) {
      // Line buffering is needed, because mosquitto_sub otherwise buffers 4 kB before it writes to a pipe.
      const command = ['-oL', 'mosquitto_sub', ...address, '-d', '-v', '-t', filter, '-k', '600'];
      const sub = spawn('stdbuf', command, { stdio: ['ignore', 'pipe', 'ignore'] });
      clients.add(sub);
      return listen(sub);
    },
    async close() {
      broker?.kill('SIGCONT');
      await Promise.all([...clients].map(end));
      await mosquitto.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await mosquitto.start();
  return mosquitto;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/**
 * Resolves when a line contains `text`. Continues to read, because a full pipe would block the child
 * process.
 */
export function lineWith(stream: NodeJS.ReadableStream | null, text: string): Promise<void> {
  if (!stream) return Promise.reject(new Error('no stream to read'));
  return new Promise((resolve) => {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.includes(text)) resolve();
    });
  });
}

/** With `-d -v`, mosquitto_sub prints a line about each packet, then a line `topic payload` for each message. */
function listen(sub: ChildProcess): Promise<Observer> {
  const messages: Observer['messages'] = [];
  const checks = new Set<() => void>();
  const observer: Observer = {
    messages,
    first: (text) =>
      within(
        new Promise((resolve) => {
          const check = () => {
            const found = messages.find(({ payload }) => payload.includes(text));
            if (found) resolve(found);
          };
          checks.add(check);
          check();
        }),
        `the observer receives ${text}`,
      ),
  };
  return within(
    new Promise((resolve) => {
      if (!sub.stdout) return;
      createInterface({ input: sub.stdout }).on('line', (line) => {
        if (line.startsWith('Subscribed')) resolve(observer);
        const space = line.indexOf(' ');
        if (/^(Client|Subscribed|\s)/.test(line) || space < 0) return;
        messages.push({ topic: line.slice(0, space), payload: line.slice(space + 1) });
        for (const check of checks) check();
      });
    }),
    'mosquitto_sub listens',
  );
}
