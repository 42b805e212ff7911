import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { ValidationSocket } from './response-validation.js';

/** A server that sends requests to itself, returns the same response to each request, and then exits. */
const SERVER = `
  import { createServer } from 'node:http';
  const server = createServer((req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"alive":true}');
  });
  server.listen(0, '127.0.0.1', async () => {
    const { port } = server.address();
    for (const path of ['/livez', '/carts', '/nowhere']) await (await fetch('http://127.0.0.1:' + port + path)).text();
    Object.prototype.spoilt = true;
    await (await fetch('http://127.0.0.1:' + port + '/livez?again')).text();
    process.exit(0);
  });
`;

test("reports a child process's undocumented responses to the test process", async () => {
  const dir = await mkdtemp(join(tmpdir(), 'validation-'));
  const validator = await ValidationSocket.open(dir);
  const preload = new URL('./validation-preload.js', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', preload, '--input-type=module', '--eval', SERVER], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, VALIDATION_SOCKET: validator.path },
  });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const faults = await validator.close();
  assert.equal(faults.length, 3, String(faults));
  assert.match(faults[0] ?? '', /^GET \/carts, 200: /);
  assert.match(faults[1] ?? '', /^GET \/nowhere, 200: the route is not in the document/);
  assert.match(faults[2] ?? '', /\/livez\?again gave every object the member "spoilt"/);
  await rm(dir, { recursive: true });
});

test.run();
