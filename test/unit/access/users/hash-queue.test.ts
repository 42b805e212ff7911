import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Hasher } from '../../../../src/access/users/hash-queue.js';
import { hasErrorCode } from '../../store/temp-store.js';
import { CHEAP } from '../test-app.js';

/** Starts all hashes in parallel. Returns the callers in completion order, and the errors. */
async function hashAll(callers: readonly [address: string, name: string][]) {
  const hasher = new Hasher(CHEAP);
  const order: string[] = [];
  const hashes = callers.map(async ([address, name]) => {
    await hasher.hash('a password', { address, name });
    order.push(`${address} ${name}`);
  });
  const results = await Promise.allSettled(hashes);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return { order, refused, maxRunning: hasher.stats.maxRunning };
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

test('the hash queue alternates between addresses and, within each address, between usernames', async () => {
  const { order, maxRunning } = await hashAll([
    ...times<[string, string]>(4, ['a', 'carl']),
    ['a', 'olga'],
    ['b', 'ben'],
  ]);
  assert.equal(maxRunning, 1);
  assert.deepEqual(order, ['a carl', 'a carl', 'b ben', 'a olga', 'a carl', 'a carl']);
});

test('rejects the latest request for the busiest username at the busiest address when 32 hash requests are queued', async () => {
  const { order, refused } = await hashAll([
    ...times<[string, string]>(40, ['a', 'carl']),
    ['a', 'olga'],
    ['b', 'ben'],
  ]);
  assert.equal(order.length, 33);
  assert.deepEqual([order.includes('a olga'), order.includes('b ben')], [true, true]);
  assert.equal(refused.length, 9);
  assert.ok(refused.every(hasErrorCode('RATE')));
});

test.run();
