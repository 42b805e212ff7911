import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { InputScheduler } from '../../../src/shared/input-scheduler.js';

const test = suite('input scheduler');

/** A scheduler with a fake clock. Every job takes `costMs`. */
function open(costMs: number) {
  let nowMs = 0;
  const handled: string[] = [];
  const inputs = new InputScheduler(() => nowMs);
  const job = (name: string) => (): void => {
    handled.push(name);
    nowMs += costMs;
  };
  return {
    inputs,
    handled,
    pass: (ms: number) => (nowMs += ms),
    accept(key: string, { isSecure = false, isGone = false } = {}): void {
      inputs.accept(key, { setUp: job(key), isGone: () => isGone, isSecure });
    },
    request(key: string): void {
      inputs.queue({ rank: 'named', key }, { run: job(key) });
    },
    /** Returns what has been handled in the next iteration of the event loop. */
    async nextTurn(): Promise<string[]> {
      const before = handled.length;
      await new Promise((resolve) => setImmediate(resolve));
      return handled.slice(before);
    },
  };
}

test('accepts waiting connections before anything else is handled', async () => {
  const { inputs, accept, request, nextTurn } = open(0);
  request('anna');
  for (let nth = 0; nth < 5; nth += 1) {
    accept('flood');
    assert.equal(inputs.hasTime(), false);
    assert.deepEqual(await nextTurn(), []);
  }
  assert.deepEqual(await nextTurn(), ['flood', 'flood', 'flood', 'flood', 'flood', 'anna']);
});

test('does not handle another request in an iteration in which a connection is accepted', () => {
  const { inputs, accept } = open(0);
  assert.equal(inputs.hasTime(), true);
  accept('flood');
  assert.equal(inputs.hasTime(), false);
});

test('handles requests after 10 ms if connections keep arriving', async () => {
  const { accept, request, nextTurn, pass } = open(0);
  request('anna');
  let turns = 0;
  for (let isHandled = false; !isHandled; turns += 1) {
    accept('flood');
    pass(1);
    isHandled = (await nextTurn()).includes('anna');
  }
  assert.equal(turns, 10);
});

test('sets up connections round-robin by address', async () => {
  const { accept, handled, nextTurn } = open(0);
  for (let nth = 0; nth < 500; nth += 1) accept('flood');
  accept('anna');
  await nextTurn();
  await nextTurn();
  assert.deepEqual(handled.slice(0, 3), ['flood', 'anna', 'flood']);
});

test('sets up at most 8 connections in an event-loop iteration', async () => {
  const { accept, nextTurn } = open(0);
  for (let nth = 0; nth < 20; nth += 1) accept('flood');
  await nextTurn();
  assert.deepEqual(
    [(await nextTurn()).length, (await nextTurn()).length, (await nextTurn()).length],
    [8, 8, 4],
  );
});

test('starts at most one TLS handshake in an event-loop iteration', async () => {
  const { accept, nextTurn } = open(0);
  for (const key of ['anna', 'bo', 'cleo']) accept(key, { isSecure: true });
  await nextTurn();
  assert.deepEqual([await nextTurn(), await nextTurn(), await nextTurn()], [['anna'], ['bo'], ['cleo']]);
});

test('drops connections that have been closed before they are set up', async () => {
  const { accept, nextTurn } = open(0);
  for (let nth = 0; nth < 20; nth += 1) accept('flood', { isGone: true });
  accept('anna');
  await nextTurn();
  assert.deepEqual(await nextTurn(), ['anna']);
});

test('handles requests while connections wait to be set up', async () => {
  const { accept, request, nextTurn } = open(1);
  for (let nth = 0; nth < 100; nth += 1) accept('flood', { isSecure: true });
  for (let nth = 0; nth < 2; nth += 1) request('anna');
  await nextTurn();
  assert.deepEqual(await nextTurn(), ['flood', 'anna', 'anna']);
});

test.run();
