import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { test } from 'uvu';
import { compressPages } from '../../../../src/http/server/compress-pages.js';

const PAGE = '<p>text</p>'.repeat(1000);
let server: Server;
let base = '';

test.before(async () => {
  const app = express().use(compressPages());
  app.get('/page', (_req, res) => void res.type('html').send(PAGE));
  app.get('/data', (_req, res) => void res.json({ text: PAGE }));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(() => void server.close());

const encodingOf = async (path: string, accept: string, encodings = 'gzip'): Promise<string | null> => {
  const response = await fetch(base + path, { headers: { accept, 'accept-encoding': encodings } });
  await response.text();
  return response.headers.get('content-encoding');
};

test('compresses a page for a browser', async () => {
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
  const response = await fetch(`${base}/page`, { headers });
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.match(response.headers.get('vary') ?? '', /accept-encoding/i);
  assert.equal(await response.text(), PAGE);
});

test('does not compress JSON, a response to a program, or a page for a browser that does not accept an encoding', async () => {
  assert.equal(await encodingOf('/data', 'text/html'), null);
  assert.equal(await encodingOf('/page', 'application/json'), null);
  assert.equal(await encodingOf('/page', 'text/html', 'identity'), null);
});

test.run();
