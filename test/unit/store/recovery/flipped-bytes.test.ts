import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { listBackups } from '../../../../src/store/backup/backup-rotation.js';
import { inspectBackup } from '../../../../src/store/backup/integrity.js';
import { type Database, openPlain } from '../../../../src/store/connection.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { storePaths } from '../../../../src/store/paths.js';
import { startDatabase } from '../../../../src/store/recovery/open-database.js';
import { randomFrom, rounds, testSeed } from '../../../helpers/random.js';
import { insert, withTempStore } from '../temp-store.js';
import { crashImage, flipByte } from './crash-image.js';

/** Number of single bytes that are flipped in the files that a kill leaves. */
const FLIPS = rounds(40, 1000);

interface Flipped {
  /** Removes the copy. */
  dir: string;
  path: string;
  offset: number;
}

/** Starts the store of a copy with one flipped byte, and returns all rows and whether it reported a fault. */
async function startFlipped({
  dir,
}: Flipped): Promise<{ rows: string; isReported: boolean; report: string }> {
  let db: Database | undefined;
  try {
    const started = await startDatabase(dir, STORE_LIMITS, false);
    db = started.db;
    const { notices, lostWrites } = started.report;
    return {
      rows: rowsOf(db),
      isReported: notices.length > 0 || lostWrites !== undefined,
      report: JSON.stringify({ notices, lostWrites }),
    };
  } catch (error) {
    return { rows: '', isReported: true, report: String(error) };
  } finally {
    db?.close();
  }
}

/** Every row of every table except the ID, which a start can replace. */
function rowsOf(db: Database): string {
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .filter(({ name }) => name !== 'commit_number' && name !== 'revocations');
  return JSON.stringify(tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
}

async function flipRandomly(
  image: string,
  files: readonly string[],
  random: () => number,
  check: (flipped: Flipped) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-flip-'));
  try {
    cpSync(image, dir, { recursive: true });
    const file = files[Math.floor(random() * files.length)] ?? '';
    const path = join(dir, file);
    const offset = Math.floor(random() * statSync(path).size);
    flipByte(path, offset);
    await check({ dir, path, offset });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test(
  `reports each of ${FLIPS} flipped bytes in the log, unless all rows are intact`,
  withTempStore(async (temp) => {
    const random = randomFrom(testSeed());
    const images: { dir: string; rows: string }[] = [];
    // Creates three logs: one that was never copied, one that was copied in part and one that was overwritten.
    for (const checkpointPages of [100_000, 60, 20]) {
      const store = await temp.open({ checkpointPages });
      const from = images.length * 1000;
      for (let id = from; id < from + 40; id += 1) await insert(store, id, id + 1);
      if (images.length === 1) await store.backup();
      const image = crashImage(temp.dir);
      const plain = crashImage(temp.dir);
      images.push({ dir: image, rows: (await startFlipped({ dir: plain, path: '', offset: 0 })).rows });
      rmSync(plain, { recursive: true });
      await store.close();
    }
    let harmless = 0;
    try {
      for (let flip = 0; flip < FLIPS; flip += 1) {
        const image = images[flip % images.length];
        assert.ok(image);
        await flipRandomly(image.dir, ['cartwright.db-wal'], random, async (flipped) => {
          const { rows, isReported, report } = await startFlipped(flipped);
          if (rows === image.rows) harmless += 1;
          else assert.ok(isReported, `flip ${flip} at ${flipped.offset} was silent: ${report}`);
        });
      }
    } finally {
      for (const { dir } of images) rmSync(dir, { recursive: true });
    }
    const counts = `${FLIPS} flips in the log: ${harmless} harmless, ${FLIPS - harmless} reported, 0 silent`;
    process.stdout.write(`${counts}\n`);
  }),
);

test(
  `finds each of ${FLIPS} flipped bytes in a backup before a restore`,
  withTempStore(async (temp) => {
    const random = randomFrom(testSeed());
    const store = await temp.open();
    for (let id = 0; id < 20; id += 1) await insert(store, id, id + 1);
    const { path } = await store.backup();
    const image = crashImage(temp.dir);
    const intact = openPlain(path, 5000);
    const rows = rowsOf(intact);
    intact.close();
    const files = readdirSync(join(image, 'backups')).map((name) => join('backups', name));
    let found = 0;
    try {
      for (let flip = 0; flip < FLIPS; flip += 1) {
        await flipRandomly(image, files, random, async ({ dir, offset, path: file }) => {
          const [backup] = listBackups(storePaths(dir));
          assert.equal(backup && basename(backup.path), basename(path));
          const { damage } = inspectBackup(backup?.path ?? '', 5000);
          if (damage) {
            found += 1;
            return;
          }
          // Only a flip in the file name inside the checksum file goes undetected.
          assert.match(file, /\.sha256$/, `the flip at ${offset} of ${file} was not found`);
          const copy = openPlain(backup?.path ?? '', 5000);
          assert.equal(rowsOf(copy), rows);
          copy.close();
        });
      }
    } finally {
      rmSync(image, { recursive: true });
    }
    const counts = `${FLIPS} flips in backups: ${FLIPS - found} harmless, ${found} reported, 0 silent`;
    process.stdout.write(`${counts}\n`);
  }),
);

test(
  `counts the flipped bytes in the database file that change a row but are not reported`,
  withTempStore(async (temp) => {
    const random = randomFrom(testSeed());
    const store = await temp.open();
    await insert(store, 0, 2000);
    await store.close();
    const image = crashImage(temp.dir);
    const plain = crashImage(temp.dir);
    const { rows } = await startFlipped({ dir: plain, path: '', offset: 0 });
    rmSync(plain, { recursive: true });
    let [harmless, reported, silent] = [0, 0, 0];
    try {
      for (let flip = 0; flip < FLIPS; flip += 1) {
        await flipRandomly(image, ['cartwright.db'], random, async (flipped) => {
          const found = await startFlipped(flipped);
          if (found.isReported) reported += 1;
          else if (found.rows === rows) harmless += 1;
          else silent += 1;
        });
      }
    } finally {
      rmSync(image, { recursive: true });
    }
    process.stdout.write(
      `${FLIPS} flips in the database: ${harmless} harmless, ${reported} reported, ${silent} silent\n`,
    );
  }),
);

/** Offsets in a page of the table's tree: its type, and the number of its cells. */
for (const [what, offset] of [
  ['type', 0],
  ['number of cells', 3],
] as const) {
  test(
    `reports a flipped byte in the ${what} of a page of the database file`,
    withTempStore(async (temp) => {
      const store = await temp.open();
      await insert(store, 0, 2000);
      await store.close();
      const [row] = temp.sql("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'rows'");
      flipByte(temp.file, ((row as { page: number }).page - 1) * 4096 + offset);
      assert.equal((await startFlipped({ dir: temp.dir, path: '', offset: 0 })).isReported, true);
    }),
  );
}

test.run();
