import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SerialPort } from 'serialport';
import { loadConfig } from '../src/app/config.js';
import { openGateway } from '../src/app/gateway.js';
import type { CartView } from '../src/carts/command/model.js';
import { seedFaults } from '../src/settings/index.js';
import { createLog, LogThreshold } from '../src/shared/log.js';
import { openPtyPair } from '../test/helpers/pty.js';
import { until } from '../test/helpers/until.js';
import { instantController } from './instant-controller.js';
import { logIn } from './log-in.js';
import { pause } from './process-figures.js';

/**
 * Lists the files whose functions the main thread executes for `POST /` and `POST /beacon`, from the request to
 * the response, but not while the gateway is idle: node dist/bench/executed-files.js
 * The gateway runs from the compiled modules, not from its bundle. Its controller is at the far end of a pty.
 */

const NAME = 'anna';
const PASSWORD = 'correct horse battery';
const IDLE_MS = 5000;
const REQUESTS = [
  { path: '/', body: { cartID: 1, distanceID: 1, angleID: 0 } },
  {
    path: '/beacon',
    body: {
      id: 'beacon-000000001',
      description: 'Door',
      longDescription: 'North door, above the frame',
      txPower: -59,
      lat: 51.9,
      long: 4.4,
    },
  },
];

interface Cover {
  url?: string;
  files?: string[];
}

/** Runs a gateway that responds to each message with the files executed since the previous message. */
async function runGateway(): Promise<void> {
  const config = loadConfig(process.env, process.cwd(), seedFaults);
  const logThreshold = new LogThreshold(config.logLevel);
  const gateway = await openGateway(config, { log: createLog(logThreshold), logThreshold, uncleanEnds: 0 });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('message', async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    // The function at offset 0 is the module itself. It runs on import and is therefore not counted.
    const isExecuted = ({ functions }: (typeof result)[number]): boolean =>
      functions.some(
        ({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0,
      );
    const files = result.filter(isExecuted).flatMap(({ url }) => url.split('/dist/src/')[1] ?? []);
    process.send?.({ files } satisfies Cover);
  });
  process.on('disconnect', () => void gateway.close().then(() => process.exit()));
  process.send?.({ url: gateway.url } satisfies Cover);
}

async function measure(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'executed-files-'));
  const line = await openPtyPair();
  const far = new SerialPort({ path: line.far, baudRate: 115_200 });
  await once(far, 'open');
  instantController(far, () => undefined);
  const config = join(dir, 'config.json');
  writeFileSync(config, JSON.stringify({ settings: { serial: { path: line.near }, mqtt: { port: 0 } } }));
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    CARTWRIGHT_DATA_DIR: dir,
    CARTWRIGHT_CONFIG: config,
    CARTWRIGHT_ADMIN_USER: NAME,
    CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
    CARTWRIGHT_LOG_LEVEL: 'error',
  };
  const child = fork(fileURLToPath(import.meta.url), ['gateway'], { env });
  const exit = once(child, 'exit');
  try {
    await measureGateway(child);
  } finally {
    if (child.connected) child.disconnect();
    await exit;
    far.close();
    await line.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureGateway(child: ChildProcess): Promise<void> {
  const answer = async <Key extends keyof Cover>(key: Key): Promise<Cover[Key]> => {
    for (;;) {
      // Skips `ready`, which the gateway also sends to its parent process.
      const [message] = (await once(child, 'message')) as [Cover | string];
      if (typeof message === 'object' && key in message) return message[key];
    }
  };
  const url = (await answer('url')) ?? '';
  const executed = async (): Promise<string[]> => {
    child.send('take');
    return (await answer('files')) ?? [];
  };
  const { cookie } = await logIn(url, NAME, PASSWORD, '127.0.0.1');
  const headers = { 'content-type': 'application/json', accept: 'application/json', cookie };
  const post = async (path: string, body: object): Promise<boolean> => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await response.text();
    return response.ok;
  };
  await until(async () => {
    await post('/estop/reset', { cartID: 1 });
    const response = await fetch(`${url}/carts/1`, { headers });
    return ((await response.json()) as CartView).safety.mayMove;
  });
  await pause(IDLE_MS);
  await executed();
  await pause(IDLE_MS);
  const idle = new Set(await executed());
  for (const { path, body } of REQUESTS) {
    if (!(await post(path, body))) throw new Error(`POST ${path} failed`);
    const files = (await executed()).filter((file) => !idle.has(file)).toSorted();
    process.stdout.write(
      `POST ${path}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}`,
    );
    await pause(IDLE_MS);
    await executed();
  }
}

await (process.argv[2] === 'gateway' ? runGateway() : measure());
