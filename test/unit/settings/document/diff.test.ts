import assert from 'node:assert/strict';
import { test } from 'uvu';
import { diffDocuments, maskChanges, undoChanges } from '../../../../src/settings/document/diff.js';

const short = (from: Record<string, unknown>, to: Record<string, unknown>) =>
  diffDocuments(from, to).map(({ pointer, from, to }) => [pointer, from, to]);

test('values are compared one by one, lists as a whole', () => {
  const from = { mqtt: { host: 'a', tls: { ca: '' } }, carts: [1, 2], name: 'x' };
  const to = { mqtt: { host: 'b', tls: { ca: '' } }, carts: [1, 3], name: 'x' };
  assert.deepEqual(short(from, to), [
    ['/mqtt/host', 'a', 'b'],
    ['/carts', [1, 2], [1, 3]],
  ]);
});

test('what comes and goes is there on one side only', () => {
  const from = { presets: { distance: { 1: 500 } } };
  const to = { presets: { distance: { 'a/b': 300 } } };
  assert.deepEqual(short(from, to), [
    ['/presets/distance/1', 500, undefined],
    ['/presets/distance/a~1b', undefined, 300],
  ]);
});

test('a secret never shows, only whether there was one', () => {
  const changes = diffDocuments({ mqtt: { password: '' } }, { mqtt: { password: 'tulip' } });
  assert.deepEqual(
    maskChanges(changes).map(({ from, to }) => [from, to]),
    [['', '***']],
  );
});

test('an undo takes back what was changed, and leaves what was changed once more', () => {
  const before = { mqtt: { host: 'a', port: 1 }, presets: { distance: {} } };
  const after = { mqtt: { host: 'b', port: 2 }, presets: { distance: { 1: 5 } } };
  const now = { mqtt: { host: 'b', port: 3 }, presets: { distance: { 1: 5, 2: 6 } } };
  assert.deepEqual(undoChanges(now, before, after), {
    mqtt: { host: 'a', port: 3 },
    presets: { distance: { 2: 6 } },
  });
});

test('an undo brings back what was taken out', () => {
  const undone = undoChanges(
    { presets: { distance: {} } },
    { presets: { distance: { 1: 5 } } },
    { presets: { distance: {} } },
  );
  assert.deepEqual(undone, { presets: { distance: { 1: 5 } } });
});

test.run();
