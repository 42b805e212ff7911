import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { SCOPES } from '../../src/access/schema.js';
import { packageRoot } from '../../src/shared/package-root.js';
import { FAULT_VERBS } from '../../src/simulator/controller/faults.js';

const test = suite('lists in the documents');

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** Returns the names in the first column of the table with this header. */
function firstColumn(path: string, header: string): string[] {
  const [, table = ''] = read(path).split(`| ${header} |`);
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

test('docs/development.md lists every script in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const listed = firstColumn('docs/development.md', 'Command').flatMap(
    (command) => /^npm (?:run )?([a-z0-9:-]+)/.exec(command)?.[1] ?? [],
  );
  assert.deepEqual(listed.toSorted(), Object.keys(scripts).toSorted());
});

test('docs/settings.md lists every environment variable', () => {
  const files = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((file) => file.endsWith('.ts') && !file.includes('simulat'))
    .map((file) => read(join('src', file)))
    .join('\n');
  const used = [
    ...code.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g),
    ...code.matchAll(/\b(CARTWRIGHT_[A-Z0-9_]+)/g),
    ...code.matchAll(/'((?:STRIPE|MQTT)_[A-Z0-9_]+)'/g),
    ...read('src/gateway/config.ts').matchAll(/^ {2}([A-Z_]+): '/gm),
  ].map(([, name = '']) => name);
  // Variables set by systemd, or by the gateway for its camera process.
  const internal = /^(CREDENTIALS_DIRECTORY|RUNTIME_DIRECTORY|PATH|CARTWRIGHT_CAMERA_\w+)$/;
  const expected = [...new Set(used)].filter((name) => !internal.test(name));
  assert.deepEqual(firstColumn('docs/settings.md', 'Variable').toSorted(), expected.toSorted());
});

test('docs/http-api.md lists every scope', () => {
  const listed = firstColumn('docs/http-api.md', 'Scope');
  assert.deepEqual(listed.toSorted(), [...SCOPES, 'mqtt:cart:<cartID>'].toSorted());
});

test('docs/development.md lists every simulator fault', () => {
  assert.deepEqual(firstColumn('docs/development.md', 'Fault').toSorted(), FAULT_VERBS.toSorted());
});

test.run();
