import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { openGateway } from '../../../src/app/gateway.js';
import { CONTENTS, contentOf, isBackedUp, pathsToReplace } from '../../../src/backups/contents.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { RecordingLog } from '../../helpers/recording-log.js';

const test = suite('data directory contents');

/** Starts a gateway with the directory, and returns the files that it contains during and after the run. */
async function filesOf(fill: (dataDir: string) => void): Promise<Set<string>> {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-contents-'));
  const dataDir = join(dir, 'data');
  const found = new Set<string>();
  const list = (): void => {
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isDirectory()) found.add(join(entry.parentPath, entry.name).slice(dataDir.length + 1));
    }
  };
  try {
    fill(dataDir);
    const env = { CARTWRIGHT_CONFIG: join(dir, 'config.json'), HOST: '127.0.0.1', PORT: '0' };
    writeFileSync(env.CARTWRIGHT_CONFIG, JSON.stringify({ dataDir, auth: 'required' }));
    const gateway = await openGateway(loadConfig(env, dir), { log: new RecordingLog() });
    list();
    await gateway.close();
    list();
    return found;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const unknown = (paths: Iterable<string>): string[] =>
  [...paths].filter((path) => contentOf(path) === undefined);

test('the list of contents includes every file of a new gateway', async () => {
  const found = await filesOf(() => {});
  assert.ok(found.has('setup-code') && found.has('cartwright.db-wal') && found.has('gateway.lock'));
  assert.deepEqual(unknown(found), []);
});

test('the list of contents includes every file of a gateway that has been in use', async () => {
  const fixture = join(packageRoot(), 'test/fixtures/data-directory-0.1');
  const found = await filesOf((dataDir) => cpSync(fixture, dataDir, { recursive: true }));
  assert.ok(found.has('photos/20261123-125716-950.jpg') && found.size > 25, String(found.size));
  assert.deepEqual(unknown(found), []);
});

/** Names that the code joins to the data directory. */
const JOINED = /join\((?:\w+\.|this\.#\w+\.)*(?:dir|dataDir), '([^']+)'\)/g;

test('the list of contents includes every file and folder that the code names in the data directory', () => {
  const root = join(packageRoot(), 'src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('simulator/'),
  );
  const names = sources.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(JOINED)].map(([, found = '']) => found),
  );
  assert.ok(names.includes('estop.json') && names.includes('restored.json') && names.length > 15);
  const isListed = (top: string): boolean =>
    CONTENTS.some(({ name }) => (typeof name === 'string' ? name === top : name.test(top)));
  assert.deepEqual(
    names.filter((name) => !isListed(name)),
    [],
  );
});

test('unlisted files are not included in a backup', () => {
  for (const path of ['notes.txt', 'plan', 'plan/x', 'photos/a/20261123-125716-950.jpg', '', 'totp-key/x']) {
    assert.equal(isBackedUp(path, ['photos', 'incidents', 'tls']), false, path);
  }
  assert.ok(isBackedUp('totp-key', []));
  assert.equal(isBackedUp('tls/ca.pem', ['photos']), false);
  assert.ok(isBackedUp('tls/ca.pem', ['tls']));
});

test('a restore never replaces the lock, a latched stop, revocations, backups or groups that the backup lacks', () => {
  const names = [
    ...['gateway.lock', 'estop.json', 'revocations.journal', 'backups', 'gateway-backups', 'restore'],
    ...['cartwright.db', 'cartwright.db-wal', 'commit-number', 'variables.json', 'variables.json.bak'],
    ...['photos', 'tls', 'plan', 'restored.json', 'notes.txt'],
  ];
  assert.deepEqual(pathsToReplace(names, ['photos']), [
    ...['cartwright.db', 'cartwright.db-wal', 'commit-number', 'variables.json', 'variables.json.bak'],
    ...['photos', 'plan'],
  ]);
});

test.run();
