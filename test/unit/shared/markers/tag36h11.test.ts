import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { MARKER_CELLS, MARKER_COUNT, markerCells } from '../../../../src/shared/markers/tag36h11.js';

const test = suite('markers of the tag36h11 family');

const rows = (id: number): string[] =>
  Array.from({ length: MARKER_CELLS }, (_, row) =>
    markerCells(id)
      .subarray(row * MARKER_CELLS, (row + 1) * MARKER_CELLS)
      .join(''),
  );

test('marker 0 has the published pattern inside a black and a white border', () => {
  assert.deepEqual(rows(0), [
    '1111111111',
    '1000000001',
    '1011010101',
    '1001110101',
    '1001100001',
    '1010100001',
    '1001011001',
    '1000010001',
    '1000000001',
    '1111111111',
  ]);
});

test('any two markers differ in at least 11 cells at every rotation', () => {
  const turned = (cells: Uint8Array): Uint8Array =>
    cells.map((_, at) => {
      const [x, y] = [at % MARKER_CELLS, Math.floor(at / MARKER_CELLS)];
      return cells[(MARKER_CELLS - 1 - x) * MARKER_CELLS + y] ?? 0;
    });
  const halves = (cells: Uint8Array): [number, number] => {
    const bits = [...cells].join('');
    const data = [2, 3, 4, 5, 6, 7]
      .map((row) => bits.slice(row * MARKER_CELLS + 2, row * MARKER_CELLS + 8))
      .join('');
    return [Number.parseInt(data.slice(0, 18), 2), Number.parseInt(data.slice(18), 2)];
  };
  const ones = Uint8Array.from(
    { length: 1 << 18 },
    (_, value) => value.toString(2).replaceAll('0', '').length,
  );
  const all = Array.from({ length: MARKER_COUNT }, (_, id) => {
    const turns = [markerCells(id)];
    for (let turn = 1; turn < 4; turn++) turns.push(turned(turns[turn - 1] ?? markerCells(id)));
    return turns.map(halves);
  });
  let least = 36;
  for (const [id, turns] of all.entries()) {
    const [[upper, lower] = [0, 0]] = turns;
    for (const [other, others] of all.entries()) {
      for (const [turn, [high, low]] of others.entries()) {
        if (other === id && turn === 0) continue;
        least = Math.min(least, (ones[upper ^ high] ?? 0) + (ones[lower ^ low] ?? 0));
      }
    }
  }
  assert.equal(least, 11);
});

test('rejects a marker number that does not belong to the family', () => {
  for (const id of [-1, MARKER_COUNT, 0.5, Number.NaN]) assert.throws(() => markerCells(id), RangeError);
});

test.run();
