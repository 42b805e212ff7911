import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transform } from 'esbuild';
import { SerialPort } from 'serialport';
import { packageRoot } from '../src/shared/package-root.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { instantController } from './instant-controller.js';
import { verdict } from './verdict.js';

/** Counts the source files that execute for a command, from `POST /` to the first byte on the serial line. */

const COMMANDS = 20;
const MAX_FILES = 22;

const dir = await mkdtemp(join(tmpdir(), 'bench-'));
const line = await openPtyPair();
const far = new SerialPort({ path: line.far, baudRate: 115_200 });
await once(far, 'open');
instantController(far, () => undefined);
const config = join(dir, 'config.json');
await writeFile(config, JSON.stringify({ settings: { serial: { path: line.near }, mqtt: { port: 0 } } }));
const probe = new URL('command-files-probe.js', import.meta.url).href;
// The unbundled program is used, because the built main.js is a bundle and loads no separate files.
const main = join(import.meta.dirname, '../src/main.unbundled.js');
const source = await readFile(join(packageRoot(), 'src/main.ts'), 'utf8');
await writeFile(main, (await transform(source, { loader: 'ts' })).code);
const gateway = spawn(process.execPath, ['--import', probe, main], {
  env: {
    ...{ ...process.env, PORT: '0', HOST: '127.0.0.1', CARTWRIGHT_AUTH: 'trusted-lan' },
    ...{ CARTWRIGHT_DATA_DIR: join(dir, 'data'), CARTWRIGHT_CONFIG: config },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

/** Files executed for every command, and therefore not the files that only a timer executes. */
let passed: Set<string> | undefined;
let commands = 0;
for await (const text of createInterface({ input: gateway.stdout })) {
  const entry = JSON.parse(text) as { event: string; url: string; files: string[] };
  if (entry.event === 'gateway.ready') void drive(entry.url);
  if (entry.event !== 'bench.command_files') continue;
  const before: ReadonlySet<string> = passed ?? new Set(entry.files);
  passed = new Set(entry.files.filter((file) => before.has(file)));
  commands += 1;
  if (commands === COMMANDS) gateway.kill('SIGTERM');
}
far.close();
await line.close();
await rm(dir, { recursive: true, force: true });
await rm(main);
const files = [...(passed ?? [])].sort();
for (const file of files) process.stdout.write(`  ${file}.ts\n`);
verdict(
  'files from POST / to the first byte',
  `${files.length}`,
  `at most ${MAX_FILES}`,
  files.length <= MAX_FILES,
);

async function drive(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  while (commands < COMMANDS) {
    await fetch(`${url}/estop/reset`, { method: 'POST', headers, body: '{"cartID":1}' }).catch(
      () => undefined,
    );
    const body = JSON.stringify({ cartID: 1, distanceID: 1, angleID: 0 });
    await fetch(`${url}/?wait=done`, { method: 'POST', headers, body }).catch(() => undefined);
  }
}
