import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageVersion } from '../../../src/shared/package-root.js';
import {
  hasScript,
  runOnPipe,
  runOnTerminal,
  STOP_WHEN_READY,
  spawnOnTerminal,
} from '../../helpers/terminal.js';

const test = suite<{ dir: string }>('gateway startup');
const terminalTest = hasScript ? test : test.skip;

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'start-'));
});
test.after.each(({ dir }) => rm(dir, { recursive: true }));

const local = (dir: string): NodeJS.ProcessEnv => ({
  HOST: '127.0.0.1',
  PORT: '0',
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_LOG_LEVEL: '',
  CARTWRIGHT_DATA_DIR: join(dir, 'data'),
  CARTWRIGHT_CONFIG: join(dir, 'config.json'),
});

const CONFIG = JSON.stringify({ settings: { mqtt: { port: 0 } } });

/**
 * Asserts that the gateway exits with code 1 and reports the same error, without a stack trace, on a terminal
 * and on a pipe. Returns the error.
 */
async function failure(env: NodeJS.ProcessEnv): Promise<{ code: string; reason: string }> {
  const pipe = await runOnPipe(env);
  assert.equal(pipe.code, 1, pipe.stderr);
  const line = JSON.parse(pipe.stderr);
  assert.deepEqual([line.level, line.event, line.stack], ['error', 'gateway.start_failed', undefined]);
  if (!hasScript) return line;
  const terminal = await runOnTerminal(env);
  assert.equal(terminal.code, 1);
  assert.equal(terminal.stdout, `Starting Cartwright ...\nCartwright did not start: ${line.reason}\n`);
  assert.doesNotMatch(line.reason, /\bat .*:\d+:\d+/);
  return line;
}

terminalTest(
  'a terminal shows a banner that ends with the setup link, and Ctrl+C stops the gateway',
  async ({ dir }) => {
    await writeFile(join(dir, 'config.json'), CONFIG);
    const child = spawnOnTerminal(local(dir));
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      if (!text.includes('/setup?code=') && `${text}${piece}`.includes('/setup?code='))
        child.stdin?.write('\x03');
      text += piece;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 0, text);
    const [banner = '', after = ''] = text.replaceAll('\r\n', '\n').split(/(?<=setup\?code=[\w-]+\n)/);
    const lines = banner.trimEnd().split('\n');
    assert.equal(lines[0], 'Starting Cartwright ...');
    assert.ok(lines.includes(`Cartwright ${packageVersion()}, Cart 1`), banner);
    const [, url] = /^ {2}Open {5}(http:\/\/127\.0\.0\.1:\d+)$/m.exec(banner) ?? [];
    assert.ok(url, banner);
    assert.match(banner, /^ {2}Carts {4}SIMULATED: no motor is connected$/m);
    assert.match(lines.at(-1) ?? '', new RegExp(`^${url}/setup\\?code=[0-9a-f-]{19}$`));
    assert.match(after, /Stopped\.\n$/);
    assert.doesNotMatch(text, /\{"time"/);
  },
);

test('the gateway writes only JSON lines when its output is a pipe', async ({ dir }) => {
  await writeFile(join(dir, 'config.json'), CONFIG);
  const env = { ...local(dir), NODE_OPTIONS: `--import ${STOP_WHEN_READY}` };
  const { code, stdout, stderr } = await runOnPipe(env);
  assert.deepEqual([code, stderr], [0, '']);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event as string);
  assert.deepEqual(events.slice(-1), ['gateway.stopped']);
  assert.ok(events.indexOf('access.setup_announced') < events.indexOf('gateway.ready'));
});

test('the gateway checks whether its port is in use before it opens any other resource', async ({ dir }) => {
  await writeFile(join(dir, 'config.json'), CONFIG);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const { code, reason } = await failure({ ...local(dir), PORT: String(port) });
  other.close();
  assert.equal(code, 'LISTEN_FAILED');
  assert.equal(
    reason,
    `cannot listen on 127.0.0.1 port ${port}: another program is using this port. Stop that program, or set PORT to a free port.`,
  );
});

test('the gateway reports that HOST is not a local address', async ({ dir }) => {
  await writeFile(join(dir, 'config.json'), CONFIG);
  // 203.0.113.7 belongs to TEST-NET-3 (RFC 5737), whose addresses are not assigned to any machine.
  const { reason } = await failure({ ...local(dir), HOST: '203.0.113.7', PORT: '3999' });
  assert.match(
    reason,
    /^cannot listen on 203\.0\.113\.7 port 3999: 203\.0\.113\.7 is not an address of this machine/,
  );
});

test('the gateway reports that the data directory cannot be created', async ({ dir }) => {
  await writeFile(join(dir, 'config.json'), CONFIG);
  for (const [path, why] of [
    [join(dir, 'config.json'), 'part of the path is not a directory (ENOTDIR)'],
    [join(dir, 'config.json/data'), 'part of the path is not a directory (ENOTDIR)'],
    ['/proc/cartwright/data', 'the file or its directory does not exist (ENOENT)'],
  ] as const) {
    const { code, reason } = await failure({ ...local(dir), CARTWRIGHT_DATA_DIR: path });
    assert.equal(code, 'DATA_DIR_UNUSABLE');
    assert.ok(reason.startsWith(`the data directory ${path} cannot be used: ${why}. Give `), reason);
  }
});

// Skipped for root, who can write to every directory.
const unlessRoot = process.getuid?.() === 0 ? test.skip : test;
unlessRoot('the error names a data directory that is not writable', async ({ dir }) => {
  await writeFile(join(dir, 'config.json'), CONFIG);
  const data = join(dir, 'data');
  await mkdir(data);
  await chmod(data, 0o500);
  const { reason } = await failure(local(dir));
  assert.match(reason, /^the data directory .*\/data cannot be used: .*\(EACCES\)/);
});

test('the gateway reports invalid JSON in the configuration with the file name and line number', async ({
  dir,
}) => {
  await writeFile(join(dir, 'config.json'), '{\n  "port": 1,\n}');
  const { code, reason } = await failure(local(dir));
  assert.equal(code, 'CONFIG_INVALID');
  assert.match(reason, /config\.json the document is not valid JSON: line 3, column 1/);
});

test('all errors in the configuration file, settings and environment are reported together', async ({
  dir,
}) => {
  const settings = { serial: { driver: 'steam' }, speed: 1 };
  await writeFile(join(dir, 'config.json'), JSON.stringify({ port: 'x', auth: 3, prot: 1, settings }));
  const { reason } = await failure({ ...local(dir), PORT: '30x', CARTWRIGHT_LOG_LEVEL: 'loud' });
  const [head, ...lines] = reason.split('\n  ');
  assert.equal(head, 'the configuration is invalid:');
  const file = /^(.*config\.json):/.exec(lines[0] ?? '')?.[1] ?? '';
  assert.ok(
    join(process.cwd(), file) === join(dir, 'config.json') || file === join(dir, 'config.json'),
    file,
  );
  assert.deepEqual(lines.map((line) => line.replace(file, 'FILE')).sort(), [
    'FILE:/auth must be text',
    'FILE:/port must be a whole number',
    'FILE:/prot is not a known field',
    'FILE:/settings/serial/driver must be one of cgw1, json-lines, roboclaw, sabertooth',
    'FILE:/settings/speed is not a known setting',
    'environment:CARTWRIGHT_LOG_LEVEL must be one of debug, info, warn, error',
    'environment:PORT must be a whole number',
  ]);
});

test.run();
