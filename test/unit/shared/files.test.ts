import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { fileErrorReason, sweepTemps, writeFileAtomic } from '../../../src/shared/files.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { SerialQueue } from '../../../src/shared/queues.js';

function inDirectory(run: (dir: string, path: string) => Promise<void>) {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-files-'));
    try {
      await run(dir, join(dir, 'f.json'));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
}

const text = (path: string) => readFileSync(path, 'utf8');

test(
  'creates a file with mode 0600 and keeps the mode of an existing file',
  inDirectory(async (_dir, path) => {
    await writeFileAtomic(path, 'one');
    assert.deepEqual([text(path), statSync(path).mode & 0o777], ['one', 0o600]);
    chmodSync(path, 0o664);
    await writeFileAtomic(path, 'two', { backup: true });
    assert.deepEqual([text(path), statSync(path).mode & 0o777], ['two', 0o664]);
    assert.equal(statSync(`${path}.bak`).mode & 0o777, 0o664);
  }),
);

test(
  'keeps the previous version of a file as a backup copy',
  inDirectory(async (dir, path) => {
    await writeFileAtomic(path, 'one', { backup: true });
    assert.deepEqual(readdirSync(dir), ['f.json']);
    await writeFileAtomic(path, 'two', { backup: true });
    await writeFileAtomic(path, 'three', { backup: true });
    assert.deepEqual([text(path), text(`${path}.bak`)], ['three', 'two']);
    writeFileSync(path, 'edited in place');
    assert.equal(text(`${path}.bak`), 'two');
    await writeFileAtomic(path, 'four');
    assert.equal(text(`${path}.bak`), 'two', 'unchanged without the option');
  }),
);

test(
  'leaves the file and its backup unchanged when beforeReplace throws',
  inDirectory(async (dir, path) => {
    await writeFileAtomic(path, 'one');
    await writeFileAtomic(path, 'two', { backup: true });
    const beforeReplace = () => {
      assert.equal(readdirSync(dir).length, 4, 'temporary files are written');
      throw new Error('cancelled');
    };
    await assert.rejects(writeFileAtomic(path, 'three', { backup: true, beforeReplace }), /cancelled/);
    assert.deepEqual([text(path), text(`${path}.bak`)], ['two', 'one']);
    assert.equal(readdirSync(dir).length, 2);
  }),
);

test(
  'removes the temporary file when the rename fails',
  inDirectory(async (dir, path) => {
    mkdirSync(path);
    await assert.rejects(writeFileAtomic(path, 'one'), /EISDIR/);
    assert.deepEqual(readdirSync(dir), ['f.json']);
    await assert.rejects(writeFileAtomic(join(dir, 'none', 'f.json'), 'one'), /ENOENT/);
  }),
);

test(
  "stores one writer's complete content when 50 writers write simultaneously",
  inDirectory(async (dir, path) => {
    const texts = Array.from({ length: 50 }, (_, at) => String(at).repeat(10_000));
    await Promise.all(texts.map((each) => writeFileAtomic(path, each, { backup: true })));
    assert.ok(texts.includes(text(path)));
    assert.ok(!existsSync(`${path}.bak`) || texts.includes(text(`${path}.bak`)));
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.includes('.tmp-')),
      [],
    );
  }),
);

test(
  'removes only the temporary files of a file and its backup',
  inDirectory(async (dir, path) => {
    const remaining = ['f.json', 'f.json.bak', 'g.json.tmp-1-1-abcdef', 'xf.json.tmp-1-1-abcdef'];
    for (const name of [...remaining, 'f.json.tmp-1-1-abcdef', 'f.json.bak.tmp-9-2-abcdef']) {
      writeFileSync(join(dir, name), '');
    }
    await sweepTemps(path);
    assert.deepEqual(readdirSync(dir).sort(), remaining);
  }),
);

test('describes a failed file operation and includes its error code', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    errno: -28,
  });
  assert.equal(textOf(fileErrorReason(full)), 'the disk is full (ENOSPC)');
  assert.equal(
    textOf(fileErrorReason(Object.assign(new Error('x'), { code: 'EXYZ', errno: -999 }))),
    'the file system rejected the operation (EXYZ)',
  );
  assert.equal(fileErrorReason(new Error('other')), 'other');
});

test('runs jobs one at a time, even after one fails', async () => {
  const queue = new SerialQueue();
  const order: number[] = [];
  const first = queue.take(async () => {
    await Promise.resolve();
    order.push(1);
    throw new Error('first');
  });
  const second = queue.take(async () => order.push(2));
  await assert.rejects(first, /first/);
  await second;
  await queue.ended();
  assert.deepEqual(order, [1, 2]);
});

test.run();
