import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { settingsLeaves, settingsTables } from '../bench/settings-table.js';
import { packageRoot } from '../src/shared/package-root.js';
import { FAULT_VERBS } from '../src/simulator/controller/faults.js';
import { GATEWAY_POLICY, SHOP_POLICY } from '../src/web/guard/policy.js';
import { GatewayProcess } from './helpers/gateway.js';

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
  const variables = [...read('src/gateway/config.ts').matchAll(/^ {2}([A-Z_]+): '/gm)].map(
    ([, name]) => name,
  );
  assert.ok(variables.length >= 5);
  for (const name of [...variables, 'CARTWRIGHT_CONFIG', 'MQTT_PASSWORD', 'CARTWRIGHT_SITE_KEY']) {
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

/** The commands of its shell examples that ask `path`, with their comments and continued lines. */
function commandsTo(path: string): string[] {
  const blocks = [...readme.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block);
  const commands = blocks.flatMap((block) => block.replaceAll(/\\\n */g, '').split('\n'));
  return commands.filter((line) => line.includes(`curl`) && line.includes(`localhost:3000${path}`));
}

test('its examples of the simulator and of the settings work with a key, and without one are refused', async () => {
  const admin = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: 'correct horse battery' };
  const gateway = await GatewayProcess.start({}, { ...admin, CARTWRIGHT_AUTH: 'required' });
  try {
    const ask = (path: string, body: object, headers = {}): Promise<Response> =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const login = await ask('/login', { username: 'anna', password: admin.CARTWRIGHT_ADMIN_PASSWORD });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const scopes = ['cart:control', 'settings:write'];
    const made = await ask('/keys', { name: 'readme', scopes }, { cookie, origin: gateway.url });
    const { key } = (await made.json()) as { key: string };
    const run = async (command: string, KEY: string): Promise<string> => {
      const asked = command.replace('http://localhost:3000', gateway.url).replace('usb-…', 'usb-1');
      const status = asked.replace('curl ', "curl -s -o /dev/null -w '%{http_code}' ");
      const { stdout } = await promisify(execFile)('sh', ['-c', status], { env: { ...process.env, KEY } });
      return stdout;
    };
    // 409: the button is held for too short a time to be reset so soon.
    for (const command of commandsTo('/simulator')) {
      const status = await run(command, key);
      assert.ok(
        status === '200' || (command.includes('reset-here') && status === '409'),
        `${command}: ${status}`,
      );
    }
    assert.ok(commandsTo('/simulator').length >= 6);
    const [change = ''] = commandsTo('/updateJson');
    assert.deepEqual([await run(change, ''), await run(change, key)], ['401', '200']);
  } finally {
    await gateway.close();
  }
});

test.run();
