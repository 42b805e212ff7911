import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  Draft,
  freeId,
  middleAfter,
  withCorner,
  withMovedCorner,
  withoutCorner,
} from '../../../../../src/console/map/browser/site-plan/draft.js';
import type { PlanPoint } from '../../../../../src/site/pure.js';

const test = suite('the draft of a zone or place');

const SQUARE: PlanPoint[] = [
  [0, 0],
  [1000, 0],
  [1000, 1000],
  [0, 1000],
];

test('undo restores the versions in reverse order and keeps the first one', () => {
  const draft = new Draft({ name: 'a', x: 1 });
  draft.change({ name: 'b' });
  draft.change({ x: 2 });
  draft.undo();
  assert.deepEqual(draft.item, { name: 'b', x: 1 });
  draft.undo();
  draft.undo();
  assert.deepEqual(draft.item, { name: 'a', x: 1 });
  assert.equal(draft.isChanged, false);
});

test('a change without an effect cannot be undone', () => {
  const draft = new Draft({ name: 'a' });
  draft.change({ name: 'a' });
  assert.equal(draft.isChanged, false);
});

test('typing in a field is one change until the user leaves the field', () => {
  const draft = new Draft({ name: 'a', x: 1 });
  for (const name of ['ab', 'abc']) draft.change({ name }, 'name');
  draft.change({ x: 2 }, 'x');
  draft.endTyping();
  draft.change({ x: 3 }, 'x');
  const versions = [draft.item];
  while (draft.isChanged) {
    draft.undo();
    versions.push(draft.item);
  }
  assert.deepEqual(versions, [
    { name: 'abc', x: 3 },
    { name: 'abc', x: 2 },
    { name: 'abc', x: 1 },
    { name: 'a', x: 1 },
  ]);
});

test('corners are inserted, moved and deleted by index', () => {
  assert.deepEqual(withCorner(SQUARE, 1, [500, 0])[1], [500, 0]);
  assert.deepEqual(withCorner(SQUARE, 4, [0, 500]).at(-1), [0, 500]);
  assert.deepEqual(withMovedCorner(SQUARE, 2, [900, 900])[2], [900, 900]);
  assert.deepEqual(withoutCorner(SQUARE, 0), SQUARE.slice(1));
});

test('the middle of the last edge is between the last and the first corner', () => {
  assert.deepEqual(
    [0, 3].map((at) => middleAfter(SQUARE, at)),
    [
      [500, 0],
      [0, 500],
    ],
  );
});

test('a new item receives the first unused ID', () => {
  assert.equal(freeId('zone', []), 'zone-1');
  assert.equal(freeId('zone', [{ id: 'zone-1' }, { id: 'zone-3' }, { id: 'racks' }]), 'zone-2');
});

test.run();
