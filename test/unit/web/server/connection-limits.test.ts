import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import { closeGreediest } from '../../../../src/web/server/connection-limits.js';

const test = suite('limit on unread responses');

interface Fake {
  writableLength: number;
  isOpen: boolean;
  destroy(): void;
}

const socket = (writableLength: number): Fake => ({
  writableLength,
  isOpen: true,
  destroy() {
    this.isOpen = false;
  },
});

/** Returns the number of sockets that stay open, by address. */
function openAfterLimit(byAddress: Record<string, number[]>, limits: { address: number; total: number }) {
  const sockets = Object.entries(byAddress).map(
    ([address, lengths]) => [address, lengths.map(socket)] as const,
  );
  const open = new Map(sockets.map(([address, own]) => [address, new Set(own as unknown as Socket[])]));
  closeGreediest(open, limits);
  return Object.fromEntries(
    sockets.map(([address, own]) => [address, own.filter(({ isOpen }) => isOpen).length]),
  );
}

test('closes only connections from addresses with too many unread bytes', () => {
  const flood = Array<number>(20).fill(10);
  assert.deepEqual(openAfterLimit({ flood, honest: [10, 0] }, { address: 50, total: 1000 }), {
    flood: 6,
    honest: 2,
  });
});

test("does not close a slow client's connection because of a single large response", () => {
  assert.deepEqual(openAfterLimit({ slow: [500, 0] }, { address: 50, total: 1000 }), { slow: 2 });
});

test('closes the connections with the most unread bytes when the total exceeds the limit', () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, nth) => [`a${nth}`, [100 + nth]]));
  const left = openAfterLimit(many, { address: 1000, total: 500 });
  assert.deepEqual(Object.values(left).filter((count) => count === 1).length, 4);
  assert.equal(left.a0, 1);
});

test.run();
