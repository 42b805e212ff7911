import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { suite } from 'uvu';
import { fastExpress, LIMITS } from '../../../../src/web/server/fast-express.js';
import type { Caller } from '../../../../src/web/server/request-scheduler.js';
import { RawSocket } from '../../../helpers/raw-socket.js';

/** What one client can take from all others, with limits short enough to be seen. */
const test = suite('limits of the server');

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

/** As the gateway ranks them when the callers are known. */
const callerOf = ({ method, url }: IncomingMessage): Caller => ({
  rank: method === 'POST' && url === '/estop' ? 'stop' : 'anonymous',
  key: 'all',
});

const OFTEN = { connectionsCheckingInterval: 5 };
// Long enough for what was said to be heard before.
const SOON = { ...OFTEN, headersTimeout: 250 };

test('the server has the limits of the list', () => {
  const { server } = fastExpress();
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  assert.deepEqual({ ...LIMITS, headersTimeout, requestTimeout, keepAliveTimeout, timeout }, LIMITS);
});

test(
  'a connection that says nothing is closed',
  withServer(SOON, async ({ open }) => {
    const raw = await open();
    await raw.closed();
  }),
);

test(
  'a header that comes in drops is answered with 408, and closed',
  withServer(SOON, async ({ open }) => {
    const raw = await open();
    raw.write('GET / HTTP/1.1\r\nHost:');
    await raw.closed();
    assert.deepEqual(raw.statuses, [408]);
  }),
);

test(
  'a body that comes in drops is given up, and the handler hears of it',
  withServer(OFTEN, async ({ app, server, open }) => {
    const ended = new Promise((resolve) => {
      app.post('/', (req) => {
        req.on('error', resolve);
        // The lesser of the two is taken for the header.
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
  'a connection without requests is closed after a while',
  withServer({ keepAliveTimeout: 20 }, async ({ open }) => {
    const raw = await open();
    raw.write(get('/'));
    await raw.closed();
    assert.deepEqual(raw.statuses, [200]);
  }),
);

test(
  'an answer that nobody reads is given up',
  withServer({ timeout: 30 }, async ({ app, open }) => {
    const end = new Promise((resolve) => {
      app.get('/much', ({ socket }, res) => {
        socket.on('close', () => resolve(socket.writableFinished ? 'sent' : 'given up'));
        res.send(Buffer.alloc(64 * 1024 * 1024));
      });
    });
    const raw = await open();
    raw.socket.pause();
    raw.write(get('/much'));
    assert.equal(await end, 'given up');
    raw.end();
  }),
);

test(
  'an answer that takes its time is waited for',
  withServer({ timeout: 10 }, async ({ app, server, open }) => {
    app.get('/late', (_req, res) => {
      // The very thing that would cut it off has passed by.
      server.once('timeout', () => res.send('late'));
    });
    const raw = await open();
    raw.write(get('/late'));
    assert.deepEqual(await raw.answers(1), [200]);
    raw.end();
  }),
);

test(
  'every header is heard, however many stand before it',
  withServer({}, async ({ app, open }) => {
    app.get('/seen', (req, res) => void res.sendStatus('x-forwarded-for' in req.headers ? 200 : 400));
    const raw = await open();
    raw.write(`GET /seen HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(3000)}X-Forwarded-For: 1.2.3.4\r\n\r\n`);
    assert.deepEqual(await raw.answers(1), [200]);
    raw.end();
  }),
);

test(
  'for one connection too many the oldest of the greediest goes, and the new one is heard',
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
  'requests that are sent at once leave everybody else his turn',
  withServer({}, async ({ app, open }) => {
    let worked = 0;
    app.get('/counted', (_req, res) => {
      worked += 1;
      res.send(String(worked));
    });
    const raw = await open();
    const other = await open();
    raw.write(get('/counted').repeat(1000));
    other.write(get('/'));
    await other.answers(1);
    assert.ok(worked < 1000, `${worked} came first`);
    assert.equal((await raw.answers(1000)).length, 1000);
    raw.end();
    other.end();
  }),
);

test(
  'a stop does not wait for the answer before it',
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
  'who sends more than can wait is cut off',
  withServer({}, async ({ app, open }) => {
    app.get('/never', () => undefined);
    const raw = await open();
    raw.write(get('/never').repeat(6000));
    await raw.closed();
    assert.deepEqual(raw.statuses, []);
    const other = await open();
    other.write(get('/').repeat(20));
    assert.equal((await other.answers(20)).length, 20, 'the place of those who are gone is free');
    other.end();
  }),
);

test.run();
