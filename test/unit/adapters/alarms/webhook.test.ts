import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import { postWebhook } from '../../../../src/adapters/alarms/webhook.js';
import type { SendResult } from '../../../../src/shared/ports/alarms.js';
import { plain } from '../../../helpers/plain.js';
import { WebhookSink } from '../../../helpers/webhook-sink.js';

const test = suite('alarm webhook');

const MESSAGE = { id: '3f0e0c52-6a0a-4c4d-8f7b-2f8a5f1c9e11', body: '{"text":"Kar Zoë"}', secret: 'hush' };

async function post(
  respond: (response: ServerResponse) => void,
  message = MESSAGE,
): Promise<{ result: SendResult; sink: WebhookSink }> {
  const sink = await WebhookSink.listen({}, respond);
  const result = await postWebhook(`http://127.0.0.1:${sink.port}/hook`, message);
  await sink.close();
  return { result, sink };
}

test('the webhook channel posts the body with its signature', async () => {
  const { result, sink } = await post((response) => response.writeHead(200).end('ok'));
  assert.deepEqual(result, { outcome: 'delivered' });
  const [{ headers, body } = { headers: {}, body: '' }] = sink.posts;
  assert.equal(body, MESSAGE.body);
  const expected = createHmac('sha256', 'hush').update(body).digest('hex');
  assert.equal(headers['x-cartwright-signature'], `sha256=${expected}`);
  assert.equal(headers['x-cartwright-delivery'], MESSAGE.id);
});

test('does not send a signature when no secret is configured', async () => {
  const { sink } = await post((response) => response.end(), { ...MESSAGE, secret: '' });
  assert.equal(sink.posts[0]?.headers['x-cartwright-signature'], undefined);
});

for (const status of [301, 404, 503]) {
  test(`reports status ${status} as a failure and does not follow redirects`, async () => {
    const { result, sink } = await post((response) => response.writeHead(status, { location: '/' }).end());
    assert.equal(result.outcome, 'failed');
    assert.equal(sink.posts.length, 1);
  });
}

test('reports an unknown result when the connection ends without a response', async () => {
  const { result, sink } = await post((response) => response.destroy());
  assert.equal(result.outcome, 'unknown');
  assert.equal(sink.posts.length, 1);
});

test('reports a server that is not listening as a failure', async () => {
  const sink = await WebhookSink.listen();
  const url = `http://127.0.0.1:${sink.port}/`;
  await sink.close();
  const reason = 'no connection: connection refused: the server is not running, or the port is wrong';
  assert.deepEqual(plain(await postWebhook(url, MESSAGE)), { outcome: 'failed', scope: 'channel', reason });
});

test('reports an unknown result when the server does not respond within 10 s', async () => {
  const { timeout } = AbortSignal;
  const elapsed = new AbortController();
  const limitsMs: number[] = [];
  AbortSignal.timeout = (ms) => {
    limitsMs.push(ms);
    return elapsed.signal;
  };
  try {
    const { result } = await post(() => elapsed.abort());
    assert.deepEqual([result.outcome, limitsMs], ['unknown', [10_000]]);
  } finally {
    AbortSignal.timeout = timeout;
  }
});

test.run();
