import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { suite } from 'uvu';
import { fastExpress, LIMITS } from '../../../../src/http/server/fast-express.js';
import type { Caller } from '../../../../src/http/server/request-scheduler.js';
import { type Budget, Connections } from '../../../../src/shared/connections.js';
import { RawSocket } from '../../../helpers/raw-socket.js';
import { until } from '../../../helpers/until.js';

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
  connections?: Connections,
): () => Promise<void> {
  return async () => {
    const { app, server } = fastExpress({ limits, callerOf, ...(connections ? { connections } : {}) });
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

const BUDGET: Budget = {
  connections: 100,
  connectionsPerHolder: 100,
  bytes: 400_000,
  bytesPerHolder: 100_000,
};

/** Counts the requests that the server has begun to handle. */
function countStarted(app: Express): () => number {
  let started = 0;
  app.use((_req, _res, next) => {
    started += 1;
    next();
  });
  return () => started;
}

const callerOf = ({ method, url }: IncomingMessage): Caller => ({
  rank: method === 'POST' && url === '/estop' ? 'stop' : 'anonymous',
  key: 'all',
});

const OFTEN = { connectionsCheckingInterval: 5 };
// The timeout is long enough for the server to read the request before it expires.
const SOON = { ...OFTEN, headersTimeout: 250 };

test('the default limits are set on the server', () => {
  const { server } = fastExpress();
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  assert.deepEqual({ ...LIMITS, headersTimeout, requestTimeout, keepAliveTimeout, timeout }, LIMITS);
});

test(
  'closes a connection that does not send a request',
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
  'the server closes an idle connection',
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
  'the server does not time out a slow handler',
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
  'the server reads a header that follows 3,000 other headers',
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
  withServer(
    {},
    async ({ open }) => {
      const [oldest, ...others] = await Promise.all(Array.from({ length: 10 }, open));
      const one = await open();
      one.write(get('/'));
      assert.deepEqual(await one.answers(1), [200]);
      await oldest?.closed();
      assert.ok(others.every(({ socket }) => !socket.closed));
      for (const raw of [one, ...others]) raw.end();
    },
    new Connections({ ...BUDGET, connections: 10 }),
  ),
);

/** The head of a request with a body of `bytes`, which a test sends later or not at all. */
const upload = (bytes: number): string => `POST /upload HTTP/1.1\r\n${HOST}Content-Length: ${bytes}\r\n\r\n`;
const CHUNKED = `POST /upload HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;

test(
  "rejects a further large body with 503 while the same client's other bodies use up its share",
  withServer(
    {},
    async ({ app, open }) => {
      const started = countStarted(app);
      app.post(
        '/upload',
        express.raw({ type: () => true, limit: 100_000 }),
        (_req, res) => void res.send('x'),
      );
      const [first, second] = [await open(), await open()];
      first.write(upload(90_000));
      await until(() => started() === 1);
      second.write(upload(90_000));
      assert.deepEqual(await second.answers(1), [503]);
      first.write('x'.repeat(90_000));
      assert.deepEqual(await first.answers(1), [200]);
      const third = await open();
      third.write(upload(90_000) + 'x'.repeat(90_000));
      assert.deepEqual(await third.answers(1), [200], 'the share is free again');
      for (const raw of [first, second, third]) raw.end();
    },
    new Connections(BUDGET),
  ),
);

test(
  "accepts small bodies and stops while the client's large bodies use up its share",
  withServer(
    {},
    async ({ app, open }) => {
      const started = countStarted(app);
      app.post(
        '/upload',
        express.raw({ type: () => true, limit: 100_000 }),
        (_req, res) => void res.send('x'),
      );
      app.post('/estop', (_req, res) => void res.send('stopped'));
      const first = await open();
      first.write(upload(90_000));
      await until(() => started() === 1);
      const second = await open();
      second.write(
        `${upload(10_000)}${'x'.repeat(10_000)}POST /estop HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`,
      );
      assert.deepEqual(await second.answers(2), [200, 200]);
      for (const raw of [first, second]) raw.end();
    },
    new Connections(BUDGET),
  ),
);

test(
  "closes connections whose chunked bodies exceed the client's share",
  withServer(
    {},
    async ({ app, open }) => {
      const started = countStarted(app);
      app.post(
        '/upload',
        express.raw({ type: () => true, limit: 1_000_000 }),
        (_req, res) => void res.send('x'),
      );
      app.use(((_error, _req, _res, _next) => undefined) satisfies ErrorRequestHandler);
      const [first, second, third] = [await open(), await open(), await open()];
      for (const raw of [first, second, third]) raw.write(CHUNKED);
      await until(() => started() === 3);
      for (const raw of [first, second, third]) raw.write(`10000\r\n${'x'.repeat(60_000)}`);
      await Promise.race([first, second, third].map((raw) => raw.closed()));
      for (const raw of [first, second, third]) raw.end();
    },
    new Connections(BUDGET),
  ),
);

test(
  'the server serves other connections between pipelined requests',
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

test(
  'closes a connection whose pipelined requests have too many headers',
  withServer({}, async ({ app, open }) => {
    app.get('/never', () => undefined);
    const raw = await open();
    const long = `GET /never HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(15_000)}\r\n\r\n`;
    raw.write(long.repeat(600));
    await raw.closed();
    assert.deepEqual(raw.statuses, []);
  }),
);

test(
  'handles at most eight pipelined stops of a connection before the previous responses are sent',
  withServer({}, async ({ app, server, open }) => {
    let received = 0;
    let started = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.prependListener('request', () => {
      received += 1;
    });
    app.post('/estop', (_req, res) => {
      started += 1;
      void released.then(() => res.send('stopped'));
    });
    const raw = await open();
    raw.write(`POST /estop HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`.repeat(20));
    await until(() => received === 20);
    assert.equal(started, 9, 'the first stop and eight pipelined ones');
    release();
    assert.deepEqual(await raw.answers(20), Array(20).fill(200));
    raw.end();
  }),
);

test.run();
