import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FairConnectionLimit } from '../../../src/shared/connection-limit.js';

test('evicts the oldest connection of the client with the most connections', () => {
  const evicted: string[] = [];
  const limit = new FairConnectionLimit<string>(4, (connection) => evicted.push(connection));
  for (const connection of ['a1', 'a2', 'a3']) limit.add('a', connection);
  limit.add('b', 'b1');
  limit.add('c', 'c1');
  assert.deepEqual([evicted, limit.size], [['a1'], 4]);
});

test('removing a connection twice counts as one removal', () => {
  const limit = new FairConnectionLimit<string>(1, () => undefined);
  limit.add('a', 'a1');
  limit.remove('a', 'a1');
  limit.remove('a', 'a1');
  assert.equal(limit.size, 0);
});

test.run();
