import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { settingsLeaves, settingsTables } from '../bench/settings-table.js';
import { GATEWAY_POLICY, SHOP_POLICY } from '../src/http/policy.js';
import { FAULT_VERBS } from '../src/simulator/faults.js';
import { packageRoot } from '../src/util/package-root.js';

/** What the README promises is what the code has. `README_WRITE=1` writes the tables of the settings anew. */
const test = suite('README');

const START = '<!-- settings: made by bench/settings-table.ts, README_WRITE=1 npm test writes it anew -->';
const END = '<!-- end of the settings -->';
const file = join(packageRoot(), 'README.md');
const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** A table without what the formatter adds to make its columns line up. */
const bare = (markdown: string): string => markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim();

if (process.env.README_WRITE === '1') {
  const [before = '', rest = ''] = read('README.md').split(START);
  writeFileSync(file, `${before}${START}\n\n${settingsTables()}\n${END}${rest.split(END)[1] ?? ''}`);
}
const readme = read('README.md');

/** `METHOD /path` of every route; a page's own files are not routes to speak of. A route without a policy is refused. */
const routes = [...GATEWAY_POLICY, ...SHOP_POLICY]
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => !route.includes('{*'));

test('the two commands of a newcomer stand in it exactly', () => {
  assert.ok(readme.includes('npm ci && npm start'));
  assert.ok(readme.includes('npm ci && npm test'));
});

test('every setting stands in it with its default, its range and what it does', () => {
  const [, block = ''] = readme.split(START);
  assert.equal(bare(block.split(END)[0] ?? ''), bare(settingsTables()));
  for (const { name } of settingsLeaves()) assert.ok(readme.includes(`\`${name}\``), name);
});

test('every route stands in it, and no other', () => {
  const told = [...readme.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/gm)].map(
    ([, route]) => route,
  );
  assert.deepEqual(told.toSorted(), routes.toSorted());
});

test('every fault of the simulator stands in it', () => {
  for (const verb of FAULT_VERBS) assert.ok(readme.includes(`\`${verb}\``), verb);
});

test('every variable of the start stands in it', () => {
  const variables = [...read('src/config.ts').matchAll(/^ {2}([A-Z_]+): '/gm)].map(([, name]) => name);
  assert.ok(variables.length >= 5);
  for (const name of [...variables, 'CARTWRIGHT_CONFIG', 'MQTT_PASSWORD']) {
    assert.ok(readme.includes(`\`${name}\``), name);
  }
});

test('what it links to and shows is there', () => {
  const links = [...readme.matchAll(/(?:\]\(|src="|srcset=")([^)"#]+)[)"#]/g)].map(([, link = '']) => link);
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  assert.ok(own.length > 5);
  for (const link of own) assert.ok(existsSync(join(packageRoot(), link)), link);
});

test('every script that it names is one of the package', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const [, name = ''] of readme.matchAll(/npm run ([a-z0-9:-]+)/g)) assert.ok(scripts[name], name);
});

test.run();
