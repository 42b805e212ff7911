import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { ZipWriter } from '../../../../src/system/incidents/zip.js';
import { unzip } from '../../../helpers/unzip.js';

const AT = new Date(Date.UTC(2026, 4, 4, 12, 2, 10));
const CONTENT: readonly [string, Buffer][] = [
  ['empty.txt', Buffer.alloc(0)],
  ['lines.txt', Buffer.from('one line and another\n'.repeat(1000))],
  ['folder/naïve – ü.bin', Buffer.from([0, 255, 1, 254])],
];

async function written(): Promise<Buffer> {
  const parts: Buffer[] = [];
  const zip = new ZipWriter(async (bytes) => parts.push(bytes));
  for (const [name, content] of CONTENT) await zip.add(name, content, AT);
  await zip.add('image.jpg', Buffer.alloc(5000, 3), AT, { compress: false });
  await zip.end();
  return Buffer.concat(parts);
}

test('an archive preserves the names and contents of its files', async () => {
  const files = unzip(await written());
  assert.deepEqual([...files.keys()], [...CONTENT.map(([name]) => name), 'image.jpg']);
  for (const [name, content] of CONTENT) assert.deepEqual(files.get(name), content, name);
});

test('compresses text and stores images uncompressed', async () => {
  const zip = await written();
  assert.ok(zip.length < 7000, `${zip.length} bytes`);
  assert.ok(zip.includes(Buffer.alloc(5000, 3)));
});

test("produces an archive that Python's zipfile module accepts", async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-zip-'));
  const file = join(dir, 'a.zip');
  writeFileSync(file, await written());
  const { status, stdout, error } = spawnSync('python3', ['-m', 'zipfile', '-l', file], { encoding: 'utf8' });
  const tested = spawnSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' });
  rmSync(dir, { recursive: true });
  if (error) return void process.stdout.write('SKIPPED: a ZIP read by another program (no python3)\n');
  assert.deepEqual([status, tested.status], [0, 0]);
  assert.match(stdout, /folder\/naïve – ü\.bin +2026-05-04 12:02:10 +4\n/);
});

test.run();
