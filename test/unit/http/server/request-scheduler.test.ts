import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite } from 'uvu';
import { type Caller, RequestScheduler } from '../../../../src/http/server/request-scheduler.js';
import { InputScheduler } from '../../../../src/shared/input-scheduler.js';

const test = suite('request scheduler');

interface Fake extends Caller {
  socket: { destroyed: boolean };
}

/** A scheduler with a fake clock; each handler takes `costMs`. */
function scheduler(costMs: number) {
  let nowMs = 0;
  const handled: string[] = [];
  const refused: string[] = [];
  const keyOf = (req: IncomingMessage): string => (req as unknown as Fake).key;
  const inputs = new InputScheduler(() => nowMs);
  const scheduled = new RequestScheduler({
    handle(req) {
      handled.push(keyOf(req));
      nowMs += costMs;
    },
    callerOf: (req) => req as unknown as Fake,
    shed: (req) => void refused.push(keyOf(req)),
    inputs,
  });
  const admit = (rank: Caller['rank'], key: string, socket = { destroyed: false }): void => {
    const req: Fake = { rank, key, socket };
    scheduled.admit(req as unknown as IncomingMessage, {} as ServerResponse & { req: IncomingMessage });
  };
  const settled = async (): Promise<void> => {
    while (inputs.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    admit,
    settled,
    handled,
    refused,
    waiting: () => inputs.waiting,
    pass: (ms: number) => (nowMs += ms),
  };
}

test('the scheduler handles requests immediately under low load', () => {
  const { admit, handled, waiting } = scheduler(1);
  for (const key of ['a', 'b', 'c']) admit('anonymous', key);
  assert.deepEqual(handled, ['a', 'b', 'c']);
  assert.equal(waiting(), 0);
});

test('the scheduler defers further requests to later event-loop iterations under load', async () => {
  const { admit, handled, settled } = scheduler(1);
  for (let nth = 0; nth < 100; nth += 1) admit('anonymous', 'flood');
  assert.ok(handled.length < 20, `${handled.length} in one turn`);
  await settled();
  assert.equal(handled.length, 100);
});

test('the scheduler handles a stop immediately, regardless of the queue length', () => {
  const { admit, handled } = scheduler(10);
  for (let nth = 0; nth < 100; nth += 1) admit('anonymous', 'flood');
  admit('stop', 'anna');
  assert.equal(handled.at(-1), 'anna');
});

test('prefers named callers but does not starve anonymous callers', async () => {
  const { admit, handled, settled } = scheduler(10);
  admit('anonymous', 'first');
  for (let nth = 0; nth < 20; nth += 1) admit('anonymous', 'flood');
  for (let nth = 0; nth < 20; nth += 1) admit('named', 'anna');
  await settled();
  const firstTwenty = handled.slice(1, 21).filter((key) => key === 'anna').length;
  assert.equal(firstTwenty, 15);
});

test('the scheduler serves callers in round-robin order', async () => {
  const { admit, handled, settled } = scheduler(10);
  admit('anonymous', 'first');
  for (let nth = 0; nth < 50; nth += 1) admit('anonymous', 'flood');
  admit('anonymous', 'honest');
  await settled();
  assert.ok(handled.indexOf('honest') <= 3, String(handled.indexOf('honest')));
});

test('rejects anonymous requests after a long wait but handles requests from named callers', async () => {
  const { admit, handled, refused, settled, pass } = scheduler(10);
  admit('anonymous', 'first');
  admit('anonymous', 'late');
  admit('named', 'anna');
  pass(2500);
  await settled();
  assert.deepEqual([handled, refused], [['first', 'anna'], ['late']]);
});

test('the scheduler skips requests from closed connections', async () => {
  const { admit, handled, settled } = scheduler(10);
  admit('anonymous', 'first');
  admit('anonymous', 'gone', { destroyed: true });
  await settled();
  assert.deepEqual(handled, ['first']);
});

test.run();
