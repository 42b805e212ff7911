import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Archive, type ArchiveJob, makeArchive } from '../../../src/backups/archive.js';
import { GROUPS } from '../../../src/backups/contents.js';
import type { About } from '../../../src/backups/sealed-file.js';
import { randomFrom } from '../../helpers/random.js';

export const PASSPHRASE = 'correct horse battery';
export const ABOUT: About = { gateway: 'gw-1', cartId: 7, version: '0.3.0', madeAt: 1_790_000_000_000 };

/** A file of each kind that a backup contains. The database has more than two segments. */
export const FILES: Readonly<Record<string, Buffer>> = {
  'cartwright.db': bytesOf(2_300_000, 1),
  'variables.json': Buffer.from('{"mqtt":{"password":"secret"}}\n'),
  'variables.json.trial': Buffer.from('{"id":"1"}'),
  'settings-history/00000001.json': bytesOf(300, 2),
  'settings-history/00000002.json': Buffer.alloc(0),
  'broker-passwords/site.txt': Buffer.from('secret\n'),
  'totp-key': bytesOf(32, 3),
  'revocations.journal': bytesOf(400, 4),
  'plan/plan.json': Buffer.from('{}'),
  'plan/picture-4SuiBXxrJdNnZyRx': bytesOf(70_000, 5),
  'commissioning.json': Buffer.from('{}'),
  'first-run.json': Buffer.from('{}'),
  'photos/20261123-125716-950.jpg': bytesOf(300_000, 6),
  'black-box/black-box-000001-20261123T125710Z-estop.zip': bytesOf(5000, 7),
  'black-box/black-box-000001-20261123T125710Z-estop.zip.pin': Buffer.alloc(0),
  'tls/ca.pem': Buffer.from('certificate'),
  'tls/gateway.pem': Buffer.from('certificate'),
  'tls/redirect': Buffer.alloc(0),
};

export function bytesOf(length: number, seed: number): Buffer {
  const random = randomFrom(seed);
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
}

export interface Sample {
  /** The data directory. */
  dir: string;
  /** An empty folder. */
  work: string;
  /** Makes a backup in `work`. */
  make(change?: Partial<ArchiveJob>): Promise<Archive & { path: string }>;
}

/** Runs a test with a data directory that contains `FILES`. */
export function withSample(test: (sample: Sample) => Promise<void>): () => Promise<void> {
  return async () => {
    const root = mkdtempSync(join(tmpdir(), 'cartwright-backup-'));
    const [dir, work] = [join(root, 'data'), join(root, 'work')];
    mkdirSync(work);
    writeFiles(dir, FILES);
    let made = 0;
    const make: Sample['make'] = async (change = {}) => {
      made += 1;
      const path = join(work, `${made}.cwbackup`);
      const snapshot = {
        path: join(dir, 'cartwright.db'),
        schemaVersion: 23,
        tables: { users: 3, games: 1 },
      };
      const job = {
        dir,
        path,
        passphrase: PASSPHRASE,
        about: ABOUT,
        snapshot,
        include: GROUPS,
        minFreeBytes: 0,
      };
      return { path, ...(await makeArchive({ ...job, ...change })) };
    };
    try {
      await test({ dir, work, make });
    } finally {
      rmSync(root, { recursive: true });
    }
  };
}

export function writeFiles(dir: string, files: Readonly<Record<string, Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

/** Returns the files below a folder by their relative paths. */
export function filesIn(dir: string): Record<string, Buffer> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.toSorted().map((path) => [path.slice(dir.length + 1), readFileSync(path)]));
}
