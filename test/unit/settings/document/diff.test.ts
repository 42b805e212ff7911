import assert from 'node:assert/strict';
import { test } from 'uvu';
import { diffDocuments, maskChanges, revertChanges } from '../../../../src/settings/document/diff.js';

const short = (from: Record<string, unknown>, to: Record<string, unknown>) =>
  diffDocuments(from, to).map(({ pointer, from, to }) => [pointer, from, to]);

test('compares objects member by member and arrays as a whole', () => {
  const from = { mqtt: { host: 'a', tls: { ca: '' } }, carts: [1, 2], name: 'x' };
  const to = { mqtt: { host: 'b', tls: { ca: '' } }, carts: [1, 3], name: 'x' };
  assert.deepEqual(short(from, to), [
    ['/mqtt/host', 'a', 'b'],
    ['/carts', [1, 2], [1, 3]],
  ]);
});

test('reports undefined for the missing side of an added or removed value', () => {
  const from = { presets: { distance: { 1: 500 } } };
  const to = { presets: { distance: { 'a/b': 300 } } };
  assert.deepEqual(short(from, to), [
    ['/presets/distance/1', 500, undefined],
    ['/presets/distance/a~1b', undefined, 300],
  ]);
});

test('masks secrets and shows only whether they are set', () => {
  const changes = diffDocuments({ mqtt: { password: '' } }, { mqtt: { password: 'tulip' } });
  assert.deepEqual(
    maskChanges(changes).map(({ from, to }) => [from, to]),
    [['', '***']],
  );
});

test('undo reverts every change unless the value has since been changed again', () => {
  const before = { mqtt: { host: 'a', port: 1 }, presets: { distance: {} } };
  const after = { mqtt: { host: 'b', port: 2 }, presets: { distance: { 1: 5 } } };
  const now = { mqtt: { host: 'b', port: 3 }, presets: { distance: { 1: 5, 2: 6 } } };
  assert.deepEqual(revertChanges(now, before, after), {
    mqtt: { host: 'a', port: 3 },
    presets: { distance: { 2: 6 } },
  });
});

test('undo restores removed values', () => {
  const undone = revertChanges(
    { presets: { distance: {} } },
    { presets: { distance: { 1: 5 } } },
    { presets: { distance: {} } },
  );
  assert.deepEqual(undone, { presets: { distance: { 1: 5 } } });
});

test.run();
