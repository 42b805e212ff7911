import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { type Gateway, openGateway } from '../../../src/app/gateway.js';
import { bannerText } from '../../../src/app/start/banner.js';
import { RawSocket } from '../../helpers/raw-socket.js';
import { RecordingLog } from '../../helpers/recording-log.js';

interface Started {
  gateway: Gateway;
  log: RecordingLog;
}

function withGateway(
  run: (started: Started) => Promise<void>,
  { host = '127.0.0.1', auth = 'required' } = {},
): () => Promise<void> {
  return async () => {
    const root = await mkdtemp(join(tmpdir(), 'http-clients-'));
    const file = join(root, 'config.json');
    const settings = { mqtt: { port: 0 } };
    await writeFile(file, JSON.stringify({ dataDir: join(root, 'data'), auth, settings }));
    const env = { CARTWRIGHT_CONFIG: file, HOST: host, PORT: '0', HTTPS_PORT: '0' };
    const log = new RecordingLog();
    const gateway = await openGateway(loadConfig(env, root), { log });
    await run({ gateway, log }).finally(async () => {
      await gateway.close();
      await rm(root, { recursive: true });
    });
  };
}

const portOf = ({ url }: Gateway): number => Number(new URL(url).port);

/** Sends one request and returns everything that the gateway sends until it closes the connection. */
async function raw(gateway: Gateway, request: string): Promise<string> {
  const socket = await RawSocket.open(portOf(gateway));
  socket.write(request);
  return socket.closed();
}

for (const [host, shown] of [
  ['::1', '[::1]'],
  ['0:0:0:0:0:0:0:1', '[0:0:0:0:0:0:0:1]'],
  ['::ffff:127.0.0.1', '[::ffff:127.0.0.1]'],
  ['::', 'localhost'],
  ['::0', 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
] as const) {
  test(
    `a gateway with HOST=${host} starts and shows the host as ${shown} in its URLs`,
    withGateway(
      async ({ gateway }) => {
        const { url, facts } = gateway;
        assert.match(url, /^http:\/\/.+:\d+$/);
        assert.equal(url.slice(0, url.lastIndexOf(':')), `http://${shown}`);
        assert.ok(facts.setupUrl?.startsWith(`${url}/setup?code=`));
        assert.ok(bannerText(facts).includes(url));
        const { hostname } = new URL(url);
        assert.deepEqual(await (await fetch(`${url}/livez`)).json(), { alive: true }, hostname);
      },
      { host },
    ),
  );
}

test(
  'the probes respond to HTTP/1.0 requests without a Host header, and all other routes reject them',
  withGateway(async ({ gateway }) => {
    for (const path of ['/livez', '/readyz']) {
      assert.match(await raw(gateway, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /, path);
      assert.match(await raw(gateway, `HEAD ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /, path);
      const foreign = `GET ${path} HTTP/1.0\r\nHost: evil.example\r\n\r\n`;
      assert.match(await raw(gateway, foreign), /^HTTP\/1\.1 421 /, path);
    }
    for (const path of ['/health', '/safez', '/', '/carts', '/beacons', '/livez/x', '/camera/snapshot.jpg'])
      assert.match(await raw(gateway, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 421 /, path);
    assert.match(await raw(gateway, 'POST /stop HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 421 /);
  }),
);

for (const [path, accept, type] of [
  ['/carts', 'application/json;q=0.9', 'application/json'],
  ['/carts', 'application/json; charset=utf-8', 'application/json'],
  ['/carts', '*/*;q=0.1', 'application/json'],
  ['/fleet', 'text/html;level=1', 'text/html'],
  ['/fleet', 'text/html; charset="utf-8, or; other";q=0.5, application/json;q=0.4', 'text/html'],
  ['/fleet', 'application/json;v=2, text/html;q=0.3', 'application/json'],
  ['/nothing', 'text/html;level=1', 'text/html'],
  ['/beacons', 'text/csv; charset=utf-8', 'text/csv'],
  ['/beacons', 'application/geo+json;profile=x', 'application/geo+json'],
  ['/beacons', '*/*;q=0.1', 'application/json'],
] as const) {
  test(
    `GET ${path} returns ${type} when a client accepts ${accept}`,
    withGateway(
      async ({ gateway }) => {
        const response = await fetch(`${gateway.url}${path}`, { headers: { accept } });
        assert.equal(response.headers.get('content-type')?.split(';')[0], type);
      },
      { auth: 'trusted-lan' },
    ),
  );
}

for (const [language, title] of [
  ['en', 'Stop NOT sent: use the button on the cart'],
  ['nl', 'Stop NIET verzonden: gebruik de knop op de kar'],
] as const) {
  for (const path of ['/stop', '/estop', '/stop/mine', '/carts/1/stop']) {
    test(
      `a page without a session states first that the stop requested by POST ${path} was not sent (${language})`,
      withGateway(async ({ gateway }) => {
        const response = await fetch(`${gateway.url}${path}`, {
          method: 'POST',
          headers: { accept: 'text/html', 'accept-language': language },
          redirect: 'manual',
        });
        assert.equal(response.status, 401);
        assert.equal(/<h1>(.*?)<\/h1>/.exec(await response.text())?.[1], title);
      }),
    );
  }
}

test.run();
