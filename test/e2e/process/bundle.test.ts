import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { seedFaults } from '../../../src/settings/document/boot.js';
import { packageRoot } from '../../../src/shared/package-root.js';

const test = suite('the bundle');

const code = join(import.meta.dirname, '../../../src');
const folder = join(code, 'bundle');
const isBundled = existsSync(folder);
if (!isBundled) process.stdout.write('skipped: this build has no bundle; run npm run build\n');
const bundleTest = isBundled ? test : test.skip;

bundleTest('a precompiled schema reports the same errors as one compiled at run time', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const file = join(dir, 'config.json');
    writeFileSync(file, JSON.stringify({ port: 70_000, auth: 'maybe', hostnames: ['Not One'], more: {} }));
    const env = { ...process.env, CARTWRIGHT_CONFIG: file, CARTWRIGHT_LOG_LEVEL: 'loud' };
    const { status, stderr } = spawnSync(process.execPath, [join(code, 'main.js')], {
      cwd: dir,
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /port must be at most 65535/);
    assert.throws(() => loadConfig(env, dir, seedFaults), { message: JSON.parse(stderr).reason });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

bundleTest('a stack trace location maps to a source line', () => {
  const statement = "log.info('gateway.ready'";
  const inBundle = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, lines: readFileSync(join(folder, name), 'utf8').split('\n') }))
    .flatMap(({ name, lines }) =>
      lines.map((text, index) => ({ name, line: index + 1, column: text.indexOf('"gateway.ready"') + 1 })),
    )
    .find(({ column }) => column > 0);
  assert.ok(inBundle);
  const location = `${pathToFileURL(join(folder, inBundle.name))}:${inBundle.line}:${inBundle.column}`;
  const { stdout } = spawnSync(process.execPath, [join(code, 'cli/trace.js')], {
    input: `Error: no\n    at main (${location})\n`,
    encoding: 'utf8',
  });
  const [, source = '', line = ''] = /^Error: no\n {4}at main \((src\/.*):(\d+):\d+\)\n$/.exec(stdout) ?? [];
  const written = readFileSync(join(packageRoot(), source), 'utf8').split('\n')[Number(line) - 1];
  assert.ok(written?.includes(statement), `${stdout} is ${written}`);
});

test.run();
