import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { errorHandler } from '../../../../src/http/errors.js';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { etagOf, sendBytes, sendFile } from '../../../../src/http/server/send-file.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('files and bytes with conditions and ranges');

const dir = mkdtempSync(join(tmpdir(), 'content-'));
const path = join(dir, 'photo.jpg');
const BYTES = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251));
const log = new RecordingLog();
const { app, server } = fastExpress();
let port = 0;

test.before(async () => {
  app.get('/file', (req, res) => {
    res.attachment('photo.jpg');
    return sendFile(req, res, { path, missing: 'the photo no longer exists' });
  });
  app.get('/folder', (req, res) => sendFile(req, res, { path: dir, missing: 'the photo no longer exists' }));
  app.get('/bytes', (req, res) =>
    sendBytes(req, res, {
      body: BYTES,
      etag: etagOf(BYTES),
      headers: { 'content-type': 'image/png', 'content-encoding': 'br', 'cache-control': 'immutable' },
    }),
  );
  app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
test.after(() => {
  server.close();
  rmSync(dir, { recursive: true });
});
test.before.each(() => {
  log.lines.length = 0;
  writeFileSync(path, BYTES);
});

async function call(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const options = { host: '127.0.0.1', port, method, path: target, headers, agent: false };
  const [res] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  return { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) };
}

for (const target of ['/file', '/bytes']) {
  test(`sends the whole content of ${target} with its validators`, async () => {
    const { status, headers, body } = await call(target);
    assert.equal(status, 200);
    assert.deepEqual(body, BYTES);
    assert.deepEqual([headers['accept-ranges'], headers['content-length']], ['bytes', '1000']);
    assert.match(headers.etag ?? '', /^"[^"]+"$/);
    assert.equal(headers['last-modified'] !== undefined, target === '/file');
  });

  test(`sends the requested part of ${target}`, async () => {
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=-7', 993, 999],
      ['bytes=-7000', 0, 999],
    ] as const) {
      const { status, headers, body } = await call(target, { range });
      assert.equal(status, 206, range);
      assert.equal(headers['content-range'], `bytes ${first}-${last}/1000`);
      assert.equal(headers['content-length'], String(last - first + 1));
      assert.deepEqual(body, BYTES.subarray(first, last + 1));
    }
  });

  test(`rejects a range beyond the end of ${target} with 416 and the size`, async () => {
    const { status, headers, body } = await call(target, { range: 'bytes=1000-' });
    assert.equal(status, 416);
    assert.equal(headers['content-range'], 'bytes */1000');
    assert.equal(JSON.parse(body.toString()).code, 'RANGE_NOT_SATISFIABLE');
  });

  test(`rejects a failed precondition for ${target} with 412`, async () => {
    const { status, headers, body } = await call(target, { 'if-match': '"x"', range: 'bytes=5000-' });
    assert.equal(status, 412);
    assert.equal(JSON.parse(body.toString()).code, 'PRECONDITION_FAILED');
    for (const name of ['content-encoding', 'content-disposition', 'content-range', 'etag'])
      assert.equal(headers[name], undefined, name);
    assert.notEqual(headers['cache-control'], 'immutable');
  });

  test(`returns 304 without a body if the client has ${target}`, async () => {
    const { headers } = await call(target);
    for (const method of ['GET', 'HEAD']) {
      const known = await call(target, { 'if-none-match': headers.etag ?? '', range: 'bytes=0-9' }, method);
      assert.equal(known.status, 304);
      assert.equal(known.body.length, 0);
      assert.equal(known.headers.etag, headers.etag);
      for (const name of ['content-type', 'content-length', 'content-encoding'])
        assert.equal(known.headers[name], undefined, name);
    }
  });

  test(`responds to HEAD for ${target} with the headers of the whole content`, async () => {
    const [head, get] = [await call(target, { range: 'bytes=0-9' }, 'HEAD'), await call(target)];
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    for (const headers of [head.headers, get.headers]) headers.date = '';
    assert.deepEqual(head.headers, get.headers);
  });

  test(`rejects a HEAD request for ${target} whose precondition fails`, async () => {
    const { status, body } = await call(target, { 'if-match': '"x"' }, 'HEAD');
    assert.deepEqual([status, body.length], [412, 0]);
  });
}

test('resumes a download only if the file is unchanged', async () => {
  const { headers } = await call('/file');
  const resume = { range: 'bytes=500-', 'if-range': headers.etag ?? '' };
  assert.equal((await call('/file', resume)).status, 206);
  rmSync(path);
  writeFileSync(path, Buffer.alloc(1000, 7));
  const changed = await call('/file', resume);
  assert.deepEqual([changed.status, changed.body], [200, Buffer.alloc(1000, 7)]);
});

test('changes the ETag of a file when its modification time changes', async () => {
  const before = await call('/file');
  utimesSync(path, 1000, 1000);
  const after = await call('/file');
  assert.notEqual(after.headers.etag, before.headers.etag);
  assert.equal(after.headers['last-modified'], 'Thu, 01 Jan 1970 00:16:40 GMT');
});

test("responds with 404 and the caller's message if the file does not exist", async () => {
  rmSync(path);
  const { status, headers, body } = await call('/file', { range: 'bytes=0-9' });
  assert.equal(status, 404);
  assert.equal(JSON.parse(body.toString()).message, 'The photo no longer exists');
  assert.equal(headers['content-disposition'], undefined);
});

test('sends an empty file with 200', async () => {
  truncateSync(path);
  const { status, headers, body } = await call('/file', { range: 'bytes=0-' });
  assert.deepEqual([status, headers['content-length'], body.length], [200, '0', 0]);
});

test('responds with 500 and logs the error if the file cannot be read', async () => {
  const { status, headers, body } = await call('/folder', { range: 'bytes=0-0' });
  assert.equal(status, 500);
  assert.equal(JSON.parse(body.toString()).code, 'INTERNAL');
  for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-range'])
    assert.equal(headers[name], undefined, name);
  assert.deepEqual(log.events(), ['request.failed']);
});

test('logs nothing if the client disconnects while a file is being sent', async () => {
  truncateSync(path, 64 * 1024 * 1024);
  const closed = new Promise((resolve) =>
    server.once('connection', (socket) => socket.once('close', resolve)),
  );
  const options = { host: '127.0.0.1', port, path: '/file', agent: false };
  const [res] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  res.destroy();
  await closed;
  // If the first request had caused an error, the gateway would have logged it by the end of a second request.
  assert.equal((await call('/file', { range: 'bytes=0-0' })).status, 206);
  assert.deepEqual(log.events(), []);
});

test('closes the connection if the file shrinks while it is being sent', async () => {
  // Exceeds the buffers of the connection, so that the file is still being read when it is truncated.
  const size = 64 * 1024 * 1024;
  truncateSync(path, size);
  const options = { host: '127.0.0.1', port, path: '/file', agent: false };
  const [res] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  assert.equal(res.headers['content-length'], String(size));
  truncateSync(path, 1000);
  await assert.rejects(async () => {
    for await (const _chunk of res);
  });
});

test.run();
