import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { suite } from 'uvu';
import { fastExpress, LIMITS } from '../../../../src/web/server/fast-express.js';
import type { Caller } from '../../../../src/web/server/request-scheduler.js';
import { RawSocket } from '../../../helpers/raw-socket.js';

const test = suite('server limits');

const HOST = 'Host: localhost\r\n';
const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;

interface TestApp {
  app: Express;
  server: Server;
  open(): Promise<RawSocket>;
}

function withServer(
  limits: Partial<typeof LIMITS>,
  run: (testApp: TestApp) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { app, server } = fastExpress({ limits, callerOf });
    app.get('/', (_req, res) => void res.send('here'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await run({ app, server, open: () => RawSocket.open(port) });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };
}

const callerOf = ({ method, url }: IncomingMessage): Caller => ({
  rank: method === 'POST' && url === '/estop' ? 'stop' : 'anonymous',
  key: 'all',
});

const OFTEN = { connectionsCheckingInterval: 5 };
// The timeout is long enough for the server to read the request first.
const SOON = { ...OFTEN, headersTimeout: 250 };

test('the default limits are set on the server', () => {
  const { server } = fastExpress();
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  assert.deepEqual({ ...LIMITS, headersTimeout, requestTimeout, keepAliveTimeout, timeout }, LIMITS);
});

test(
  'closes a connection that sends no request',
  withServer(SOON, async ({ open }) => {
    const raw = await open();
    await raw.closed();
  }),
);

test(
  'returns 408 and closes the connection when headers are sent too slowly',
  withServer(SOON, async ({ open }) => {
    const raw = await open();
    raw.write('GET / HTTP/1.1\r\nHost:');
    await raw.closed();
    assert.deepEqual(raw.statuses, [408]);
  }),
);

test(
  'aborts a request whose body arrives too slowly, and reports an error to the handler',
  withServer(OFTEN, async ({ app, server, open }) => {
    const ended = new Promise((resolve) => {
      app.post('/', (req) => {
        req.on('error', resolve);
        // Node uses the smaller of these two timeouts for the headers.
        Object.assign(server, { headersTimeout: 20, requestTimeout: 40 });
      });
    });
    const raw = await open();
    raw.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nsome`);
    await raw.closed();
    assert.match(String(await ended), /aborted/);
  }),
);

test(
  'closes an idle connection',
  withServer({ keepAliveTimeout: 20 }, async ({ open }) => {
    const raw = await open();
    raw.write(get('/'));
    await raw.closed();
    assert.deepEqual(raw.statuses, [200]);
  }),
);

test(
  'aborts a response that the client does not read',
  withServer({ timeout: 30 }, async ({ app, open }) => {
    const end = new Promise((resolve) => {
      app.get('/much', ({ socket }, res) => {
        socket.on('close', () => resolve(socket.writableFinished ? 'sent' : 'aborted'));
        res.send(Buffer.alloc(64 * 1024 * 1024));
      });
    });
    const raw = await open();
    raw.socket.pause();
    raw.write(get('/much'));
    assert.equal(await end, 'aborted');
    raw.end();
  }),
);

test(
  'does not time out a slow handler',
  withServer({ timeout: 10 }, async ({ app, server, open }) => {
    app.get('/late', (_req, res) => {
      // The server timeout has expired but must not close the connection.
      server.once('timeout', () => res.send('late'));
    });
    const raw = await open();
    raw.write(get('/late'));
    assert.deepEqual(await raw.answers(1), [200]);
    raw.end();
  }),
);

test(
  'reads a header that follows 3,000 other headers',
  withServer({}, async ({ app, open }) => {
    app.get('/seen', (req, res) => void res.sendStatus('x-forwarded-for' in req.headers ? 200 : 400));
    const raw = await open();
    raw.write(`GET /seen HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(3000)}X-Forwarded-For: 1.2.3.4\r\n\r\n`);
    assert.deepEqual(await raw.answers(1), [200]);
    raw.end();
  }),
);

test(
  'closes the oldest connection of the busiest address when the connection limit is exceeded',
  withServer({ connections: 10 }, async ({ open }) => {
    const [oldest, ...others] = await Promise.all(Array.from({ length: 10 }, open));
    const one = await open();
    one.write(get('/'));
    assert.deepEqual(await one.answers(1), [200]);
    await oldest?.closed();
    assert.ok(others.every(({ socket }) => !socket.closed));
    for (const raw of [one, ...others]) raw.end();
  }),
);

test(
  'serves other connections between pipelined requests',
  withServer({}, async ({ app, open }) => {
    let handled = 0;
    app.get('/counted', (_req, res) => {
      handled += 1;
      res.send(String(handled));
    });
    const raw = await open();
    const other = await open();
    raw.write(get('/counted').repeat(1000));
    other.write(get('/'));
    await other.answers(1);
    assert.ok(handled < 1000, `${handled} requests were handled first`);
    assert.equal((await raw.answers(1000)).length, 1000);
    raw.end();
    other.end();
  }),
);

test(
  'handles a pipelined stop before the previous response is sent',
  withServer({}, async ({ app, open }) => {
    const stopped = new Promise<void>((resolve) => {
      app.post('/estop', (_req, res) => {
        res.send('stopped');
        resolve();
      });
    });
    app.get('/slow', (_req, res) => void stopped.then(() => res.send('slow')));
    const raw = await open();
    raw.write(`${get('/slow')}POST /estop HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`);
    assert.deepEqual(await raw.answers(2), [200, 200]);
    raw.end();
  }),
);

test(
  'closes a connection with too many pipelined requests',
  withServer({}, async ({ app, open }) => {
    app.get('/never', () => undefined);
    const raw = await open();
    raw.write(get('/never').repeat(6000));
    await raw.closed();
    assert.deepEqual(raw.statuses, []);
    const other = await open();
    other.write(get('/').repeat(20));
    assert.equal((await other.answers(20)).length, 20, 'the queue is free again');
    other.end();
  }),
);

test.run();
