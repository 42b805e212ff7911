import assert from 'node:assert/strict';
import type { LookupAddress, lookup as systemLookup } from 'node:dns';
import { test } from 'uvu';
import { Lookups } from '../../../src/shared/dns-lookup.js';

type Ended = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void;

/** A resolver whose lookups end only when the test ends them. */
function hangingResolver(maxLookups: number) {
  const started: { name: string; end: Ended }[] = [];
  const system = (name: string, _options: object, end: Ended) => void started.push({ name, end });
  const lookups = new Lookups(maxLookups, system as unknown as typeof systemLookup);
  return {
    lookups,
    names: () => started.map(({ name }) => name),
    answer: (name: string, address = '192.0.2.1') =>
      started.find((lookup) => lookup.name === name)?.end(null, [{ address, family: 4 }]),
    fail: (name: string, code: string) =>
      started.find((lookup) => lookup.name === name)?.end(Object.assign(new Error(code), { code }), []),
  };
}

const ALL = { all: true } as const;
const ignore = (): void => undefined;

// Fault case 73
test('runs lookups in the order of the calls, with at most the permitted number at a time', () => {
  const { lookups, names, answer } = hangingResolver(2);
  for (const name of ['a', 'b', 'c', 'd']) lookups.lookup(name, ALL, ignore);
  assert.deepEqual(names(), ['a', 'b']);
  answer('b');
  assert.deepEqual(names(), ['a', 'b', 'c']);
  answer('a');
  assert.deepEqual(names(), ['a', 'b', 'c', 'd']);
});

test('callers with the same name share one lookup and its result', () => {
  const { lookups, names, answer } = hangingResolver(1);
  const found: unknown[] = [];
  for (let n = 0; n < 3; n += 1) lookups.lookup('a', ALL, (_error, addresses) => found.push(addresses));
  assert.deepEqual(names(), ['a']);
  answer('a');
  assert.deepEqual(found, Array(3).fill([{ address: '192.0.2.1', family: 4 }]));
});

test('a name is looked up again after its lookup has ended', () => {
  const { lookups, names, fail } = hangingResolver(1);
  const codes: unknown[] = [];
  lookups.lookup('a', ALL, (error) => codes.push(error?.code));
  fail('a', 'ENOTFOUND');
  lookups.lookup('a', ALL, ignore);
  assert.deepEqual([codes, names()], [['ENOTFOUND'], ['a', 'a']]);
});

test('callers with different options do not share a lookup', () => {
  const { lookups, names } = hangingResolver(2);
  lookups.lookup('a', { all: true, family: 4 }, ignore);
  lookups.lookup('a', { all: true, family: 6 }, ignore);
  assert.deepEqual(names(), ['a', 'a']);
});

test('lets at most 16 callers wait for a lookup that never ends, and rejects further calls', async () => {
  const { lookups, names } = hangingResolver(1);
  const codes: unknown[] = [];
  for (let n = 0; n < 1000; n += 1) lookups.lookup('a', ALL, (error) => codes.push(error?.code));
  await Promise.resolve();
  assert.deepEqual([codes.length, new Set(codes), names()], [984, new Set(['EAI_AGAIN']), ['a']]);
});

test('`address` resolves with the first address that is found', async () => {
  const { lookups, answer } = hangingResolver(1);
  const address = lookups.address('a', 60_000);
  answer('a', '192.0.2.7');
  assert.equal(await address, '192.0.2.7');
});

test('waiting for an address ends after the timeout', async () => {
  const { lookups } = hangingResolver(1);
  await assert.rejects(lookups.address('a', 1), { code: 'ETIMEDOUT' });
});

test('waiting for an address fails with the error of the lookup', async () => {
  const { lookups, fail } = hangingResolver(1);
  const address = lookups.address('a', 60_000);
  fail('a', 'ENOTFOUND');
  await assert.rejects(address, { code: 'ENOTFOUND' });
});

test.run();
