import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { errorsTable, routesTables } from './tables/http.js';
import { topicsTable } from './tables/mqtt.js';
import { settingsTables } from './tables/settings.js';

/** Checks that the generated tables in the documents match the code. `DOCS_WRITE=1` regenerates the tables. */
const test = suite('generated tables');

const TABLES: readonly { file: string; name: string; generate: () => string }[] = [
  { file: 'docs/settings.md', name: 'settings', generate: settingsTables },
  { file: 'docs/http-api.md', name: 'routes', generate: routesTables },
  { file: 'docs/http-api.md', name: 'errors', generate: errorsTable },
  { file: 'docs/mqtt.md', name: 'topics', generate: topicsTable },
];

for (const { file, name, generate } of TABLES) {
  test(`${file} contains the current table of ${name}`, () => {
    const path = join(packageRoot(), file);
    const start = `<!-- generated: ${name}; DOCS_WRITE=1 npm test -- docs/tables -->\n`;
    const end = '<!-- end of generated -->';
    const text = readFileSync(path, 'utf8');
    const from = text.indexOf(start) + start.length;
    const to = text.indexOf(end, from);
    assert.ok(from >= start.length && to >= from, `${file} has no markers for the table`);
    const table = `\n${generate()}\n`;
    if (process.env.DOCS_WRITE === '1') writeFileSync(path, text.slice(0, from) + table + text.slice(to));
    else assert.equal(text.slice(from, to), table);
  });
}

test.run();
