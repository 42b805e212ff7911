import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { GatewayProcess } from '../helpers/gateway.js';

const test = suite('examples in the documents');

const documents = ['development', 'hardware'].map((name) =>
  readFileSync(join(packageRoot(), 'docs', `${name}.md`), 'utf8'),
);

/** Returns the example commands that send a request to `path`, with continuation lines joined. */
function commandsTo(path: string): string[] {
  const blocks = documents.flatMap((text) =>
    [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block),
  );
  const commands = blocks.flatMap((block) => block.replaceAll(/\\\n */g, '').split('\n'));
  return commands.filter((line) => line.includes(`curl`) && line.includes(`localhost:3000${path}`));
}

test('the simulator and settings examples succeed with an API key and fail without one', async () => {
  const admin = { CARTWRIGHT_ADMIN_USER: 'anna', CARTWRIGHT_ADMIN_PASSWORD: 'correct horse battery' };
  const gateway = await GatewayProcess.start({}, { ...admin, CARTWRIGHT_AUTH: 'required' });
  try {
    const request = (path: string, body: object, headers = {}): Promise<Response> =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const login = await request('/login', { username: 'anna', password: admin.CARTWRIGHT_ADMIN_PASSWORD });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const scopes = ['cart:control', 'settings:write'];
    const made = await request('/keys', { name: 'examples', scopes }, { cookie, origin: gateway.url });
    const { key } = (await made.json()) as { key: string };
    const run = async (command: string, KEY: string): Promise<string> => {
      const local = command.replace('http://localhost:3000', gateway.url).replace('usb-…', 'usb-1');
      const status = local.replace('curl ', "curl -s -o /dev/null -w '%{http_code}' ");
      const { stdout } = await promisify(execFile)('sh', ['-c', status], { env: { ...process.env, KEY } });
      return stdout;
    };
    // Status 409 is also accepted, because the E-stop input must be healthy for one second before a reset.
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
