import assert from 'node:assert/strict';
import type { Request } from 'express';
import { test } from 'uvu';
import { filterOf } from '../../../../../src/system/http/history/query.js';

const filter = (query: Record<string, string>) => filterOf({ query } as unknown as Request);
const local = (...parts: [number, number, number, number?, number?]): number => new Date(...parts).getTime();

for (const text of [
  '2026-02-30',
  '2026-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-12-32',
  '2026-01-00',
  '2026-05-04T25:00',
  '2026-05-04T24:00:00Z',
  '2026-05-04T12:60',
  '2026-05-04T12:00:61Z',
  '2026-05-04T12:00:00+25:00',
  '2026-05-04T12:00:00+01:60',
  '2026-02-30T12:00:00Z',
  '0026-05-04',
  '12-10-2026',
  '12/10/2026',
  '2026/05/04',
  'hello 2027',
  'cart 12',
  '1',
  '5 May 2026',
  '2026-5-4',
]) {
  for (const field of ['from', 'to'])
    test(`a history query rejects "${text}" in ${field}`, () => {
      assert.throws(() => filter({ [field]: text }), { code: 'INVALID_INPUT', info: { field } });
    });
}

test('accepts days in the time zone of the gateway, up to the end of the day in `to`', () => {
  const { from, to } = filter({ from: '2024-02-29', to: '2024-02-29' });
  assert.equal(from, local(2024, 1, 29));
  assert.equal(to, local(2024, 2, 1) - 1);
});

test('a history query accepts times with and without a time zone', () => {
  assert.equal(filter({ from: '2026-05-04T12:30:15.250Z' }).from, Date.UTC(2026, 4, 4, 12, 30, 15, 250));
  assert.equal(filter({ from: '2026-05-04T12:30:00+02:00' }).from, Date.UTC(2026, 4, 4, 10, 30));
  assert.equal(filter({ from: '2026-05-04 12:30' }).from, local(2026, 4, 4, 12, 30));
  assert.equal(filter({ from: '' }).from, undefined);
});

test.run();
