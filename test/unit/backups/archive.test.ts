import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { extractBackup, inspectBackup } from '../../../src/backups/archive.js';
import { GROUPS } from '../../../src/backups/contents.js';
import { readEntries, writeEntry, writeManifest } from '../../../src/backups/entries.js';
import {
  deriveSecret,
  readHeader,
  SEGMENT_BYTES,
  SealedReader,
  SealedWriter,
  type Secret,
} from '../../../src/backups/sealed-file.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { hasCode } from '../../helpers/has-code.js';
import { randomFrom, rounds } from '../../helpers/random.js';
import { canMount, withDisk } from '../store/small-disk.js';
import { ABOUT, bytesOf, FILES, filesIn, PASSPHRASE, withSample, writeFiles } from './sample.js';

const test = suite('backup archive');
const passphrase = PASSPHRASE;

test(
  'an extracted backup contains every file byte for byte, with private file modes',
  withSample(async ({ make, work }) => {
    const { path, bytes, sha256, manifest } = await make();
    const file = readFileSync(path);
    assert.equal(bytes, file.length);
    assert.equal(sha256, createHash('sha256').update(file).digest('hex'));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const into = join(work, 'into');
    assert.deepEqual(await extractBackup({ path, passphrase, into }), manifest);
    assert.deepEqual(filesIn(into), sorted(FILES));
    assert.equal(statSync(join(into, 'totp-key')).mode & 0o777, 0o600);
    assert.equal(statSync(join(into, 'tls')).mode & 0o777, 0o700);
    assert.deepEqual(await inspectBackup({ path, passphrase }), manifest);
    for (const { path: name, bytes: length, sha256: hash } of manifest.parts) {
      assert.equal(length, FILES[name]?.length, name);
      assert.equal(
        hash,
        createHash('sha256')
          .update(FILES[name] ?? '')
          .digest('hex'),
        name,
      );
    }
    assert.deepEqual(manifest.include, GROUPS);
    assert.deepEqual(manifest.leftOut, []);
    assert.deepEqual([manifest.schemaVersion, manifest.tables], [23, { users: 3, games: 1 }]);
  }),
);

test(
  'the manifest lists the groups that were not selected, unknown files and links',
  withSample(async ({ dir, make, work }) => {
    writeFileSync(join(dir, 'notes.txt'), 'mine');
    symlinkSync('/etc/passwd', join(dir, 'plan', 'picture-link'));
    writeFileSync(join(dir, 'photos', '.hidden'), '');
    writeFileSync(join(dir, 'estop.json'), '{}');
    writeFileSync(join(dir, 'variables.json.bak'), '{}');
    const { path, manifest } = await make({ include: ['photos'] });
    const into = join(work, 'into');
    await extractBackup({ path, passphrase, into });
    const kept = Object.entries(FILES).filter(([name]) => !/^(?:black-box|tls)\//.test(name));
    assert.deepEqual(filesIn(into), sorted(Object.fromEntries(kept)));
    assert.deepEqual(
      manifest.leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      [
        { path: 'black-box', reason: 'not-selected' },
        { path: 'notes.txt', reason: 'unknown' },
        { path: 'photos/.hidden', reason: 'unknown' },
        { path: 'plan/picture-link', reason: 'not-a-file' },
        { path: 'tls', reason: 'not-selected' },
      ],
    );
  }),
);

test(
  'rejects a missing or wrong passphrase without writing files',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const into = join(work, 'into');
    for (const wrong of ['', 'incorrect horse battery']) {
      await assert.rejects(inspectBackup({ path, passphrase: wrong }), hasCode('BACKUP_PASSPHRASE'));
      await assert.rejects(extractBackup({ path, passphrase: wrong, into }), hasCode('BACKUP_PASSPHRASE'));
      assert.equal(existsSync(into), false);
    }
    await assert.rejects(make({ passphrase: '' }), hasCode('BACKUP_PASSPHRASE'));
  }),
);

test(
  'accepts a passphrase in a different Unicode normalization form',
  withSample(async ({ make }) => {
    const { path } = await make({ passphrase: 'sésame ouvre-toi'.normalize('NFC') });
    await inspectBackup({ path, passphrase: 'sésame ouvre-toi'.normalize('NFD') });
  }),
);

/** Decrypts and checks a file in this thread. Returns the code of the error. */
function codeOf(path: string, file: Buffer, secret: Secret): string {
  writeFileSync(path, file);
  try {
    const sealed = new SealedReader(path);
    try {
      sealed.unlock(secret);
      readEntries(sealed, { begin() {}, write() {}, end() {} });
    } finally {
      sealed.close();
    }
    return 'intact';
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error);
  }
}

// Fault case 79
test(
  'reports every changed byte of a backup',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const file = readFileSync(path);
    const secret = await deriveSecret(passphrase, (await readHeader(path)).salt);
    const random = randomFrom(11);
    const headBytes = 14 + file.readUInt32BE(10) + 32;
    const flips = rounds(100, 1000);
    for (let round = 0; round < flips; round += 1) {
      // A quarter of the flips are in the header, which is short.
      const end = round % 4 === 0 ? headBytes : file.length;
      const at = Math.floor(random() * end);
      const copy = Buffer.from(file);
      copy.writeUInt8((copy.readUInt8(at) ^ (1 << Math.floor(random() * 8))) & 0xff, at);
      assert.equal(codeOf(join(work, 'flipped'), copy, secret), 'BACKUP_DAMAGED', `byte ${at}`);
    }
  }),
);

test(
  'reports every truncation, even at the end of a segment, and every appended byte',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const file = readFileSync(path);
    const secret = await deriveSecret(passphrase, (await readHeader(path)).salt);
    const random = randomFrom(12);
    const headBytes = 14 + file.readUInt32BE(10) + 32;
    const boundaries = [0, 1, 2].map((n) => headBytes + n * (SEGMENT_BYTES + 16));
    const lengths = Array.from({ length: rounds(30, 200) }, () => Math.floor(random() * file.length));
    for (const length of [0, 8, 14, file.length - 1, ...boundaries, ...lengths]) {
      assert.equal(
        codeOf(join(work, 'short'), file.subarray(0, length), secret),
        'BACKUP_DAMAGED',
        `${length} bytes`,
      );
    }
    assert.equal(
      codeOf(join(work, 'long'), Buffer.concat([file, Buffer.alloc(1)]), secret),
      'BACKUP_DAMAGED',
    );
    const [first, second] = [headBytes, headBytes + SEGMENT_BYTES + 16];
    const swapped = [file.subarray(0, first), file.subarray(second, 2 * second - first)];
    const reordered = Buffer.concat([
      ...swapped,
      file.subarray(first, second),
      file.subarray(2 * second - first),
    ]);
    assert.equal(reordered.length, file.length);
    assert.equal(codeOf(join(work, 'reordered'), reordered, secret), 'BACKUP_DAMAGED');
  }),
);

test(
  'extracting a damaged backup leaves no files behind',
  withSample(async ({ make, work }) => {
    const { path, bytes } = await make();
    const into = join(work, 'into');
    truncateSync(path, bytes - 1);
    await assert.rejects(extractBackup({ path, passphrase, into }), hasCode('BACKUP_DAMAGED'));
    assert.equal(existsSync(into), false);
  }),
);

test(
  'neither writes to nor deletes a folder that already exists',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const into = join(work, 'into');
    mkdirSync(into);
    writeFileSync(join(into, 'mine'), '');
    await assert.rejects(extractBackup({ path, passphrase, into }), hasCode('STORE_FAILED'));
    assert.deepEqual(Object.keys(filesIn(into)), ['mine']);
  }),
);

test(
  'deletes the extracted files when the extraction is aborted',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const into = join(work, 'into');
    const controller = new AbortController();
    const extraction = extractBackup({ path, passphrase, into, signal: controller.signal });
    controller.abort();
    await assert.rejects(extraction, hasCode('CANCELLED'));
    assert.equal(existsSync(into), false);
  }),
);

test(
  'reports a newer file format or schema as BACKUP_NEWER',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const file = readFileSync(path);
    const end = 14 + file.readUInt32BE(10);
    file.writeUInt16BE(2, 8);
    createHash('sha256').update(file.subarray(0, end)).digest().copy(file, end);
    const newer = join(work, 'newer');
    writeFileSync(newer, file);
    await assert.rejects(inspectBackup({ path: newer, passphrase }), hasCode('BACKUP_NEWER'));
    await assert.rejects(inspectBackup({ path, passphrase, schemaVersion: 22 }), hasCode('BACKUP_NEWER'));
    const into = join(work, 'into');
    await assert.rejects(
      extractBackup({ path, passphrase, into, schemaVersion: 22 }),
      hasCode('BACKUP_NEWER'),
    );
    assert.equal(existsSync(into), false);
    await inspectBackup({ path, passphrase, schemaVersion: 23 });
  }),
);

test(
  'the program in docs/backups.md decrypts a backup',
  withSample(async ({ make, work }) => {
    const { path, manifest } = await make();
    const docs = readFileSync(join(packageRoot(), 'docs/backups.md'), 'utf8');
    const program = join(work, 'decrypt.mjs');
    writeFileSync(program, /```js\n(.*?)```/s.exec(docs)?.[1] ?? '');
    const into = join(work, 'into');
    const env = { ...process.env, PASSPHRASE: passphrase };
    const output = execFileSync(process.execPath, [program, path, into], { env, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(output), manifest);
    assert.deepEqual(filesIn(into), sorted(FILES));
  }),
);

type Forge = (sealed: SealedWriter) => void;

const manifest = { ...ABOUT, schemaVersion: 1, tables: {}, parts: [], include: [], leftOut: [] };
const entry = (sealed: SealedWriter, path: string, data = Buffer.from('x'), bytes = data.length) =>
  writeEntry(sealed, path, bytes, [data]);
const withPath =
  (path: string): Forge =>
  (sealed) => {
    const parts = [entry(sealed, 'cartwright.db'), entry(sealed, path)];
    writeManifest(sealed, { ...manifest, include: GROUPS, parts });
  };

/** Archives with the correct passphrase that Cartwright does not make. */
const HOSTILE: Readonly<Record<string, Forge>> = {
  'a path outside the folder': withPath('../evil'),
  'a path outside a folder': withPath('plan/../../evil'),
  'an absolute path': withPath('/etc/passwd'),
  'a folder as a file name': withPath('plan/..'),
  'an unknown path': withPath('authorized_keys'),
  'an unknown file in a known folder': withPath('photos/evil.sh'),
  'a file where the gateway has a folder': withPath('plan'),
  'a file below a file': withPath('variables.json/x'),
  'a latched stop': withPath('estop.json'),
  'a path with a zero byte': withPath('broker-passwords/a\0b'),
  'a long path': withPath(`broker-passwords/${'a'.repeat(400)}`),
  'a duplicate entry': (sealed) => {
    const parts = [1, 2].map(() => entry(sealed, 'cartwright.db'));
    writeManifest(sealed, { ...manifest, parts });
  },
  'a declared length that exceeds the file': (sealed) =>
    void entry(sealed, 'cartwright.db', Buffer.alloc(10), 2 ** 50),
  'an enormous manifest': (sealed) => {
    entry(sealed, 'cartwright.db');
    sealed.write(Buffer.from([0, 0, 0xff, 0xff, 0xff, 0xff]));
  },
  'no manifest': (sealed) => void entry(sealed, 'cartwright.db'),
  'no database': (sealed) => writeManifest(sealed, { ...manifest, parts: [entry(sealed, 'totp-key')] }),
  'a manifest without a part': (sealed) => {
    entry(sealed, 'cartwright.db');
    writeManifest(sealed, manifest);
  },
  'a manifest with a different hash': (sealed) => {
    const parts = [{ ...entry(sealed, 'cartwright.db'), sha256: '0'.repeat(64) }];
    writeManifest(sealed, { ...manifest, parts });
  },
  'a group that the manifest does not name': (sealed) => {
    const parts = [entry(sealed, 'cartwright.db'), entry(sealed, 'tls/ca.pem')];
    writeManifest(sealed, { ...manifest, parts });
  },
  'a manifest that is not an object': (sealed) => {
    entry(sealed, 'cartwright.db');
    sealed.write(Buffer.from([0, 0, 0, 0, 0, 4, ...Buffer.from('null')]));
  },
  'data after the manifest': (sealed) => {
    writeManifest(sealed, { ...manifest, parts: [entry(sealed, 'cartwright.db')] });
    sealed.write(Buffer.alloc(1));
  },
  'no content': () => {},
};

for (const [what, forge] of Object.entries(HOSTILE)) {
  test(
    `rejects a backup with ${what}`,
    withSample(async ({ work }) => {
      const path = join(work, 'hostile');
      const sealed = new SealedWriter(path, await deriveSecret(passphrase), ABOUT);
      forge(sealed);
      sealed.finish();
      const into = join(work, 'into');
      await assert.rejects(extractBackup({ path, passphrase, into }), hasCode('BACKUP_DAMAGED'));
      assert.deepEqual(Object.keys(filesIn(work)), ['hostile']);
    }),
  );
}

test(
  'inspection accepts a forged backup that contains no fault',
  withSample(async ({ work }) => {
    const path = join(work, 'valid');
    const sealed = new SealedWriter(path, await deriveSecret(passphrase), ABOUT);
    withPath('totp-key')(sealed);
    sealed.finish();
    assert.equal((await inspectBackup({ path, passphrase })).parts.length, 2);
  }),
);

test(
  'a backup or an extraction is rejected before it starts when there is too little free space',
  withSample(async ({ make, work }) => {
    const { path } = await make();
    const minFreeBytes = 2 ** 60;
    const into = join(work, 'into');
    await assert.rejects(make({ minFreeBytes }), hasCode('STORE_FULL'));
    await assert.rejects(extractBackup({ path, passphrase, into, minFreeBytes }), hasCode('STORE_FULL'));
    assert.equal(existsSync(into), false);
  }),
);

test(
  'checks the free space after every 4 MiB, and aborts when too little space is left',
  withSample(async ({ work }) => {
    let checks = 0;
    const check = (): void => {
      checks += 1;
      if (checks === 3) throw new GatewayError('STORE_FULL', 'the disk is nearly full');
    };
    const secret = await deriveSecret(passphrase);
    const sealed = new SealedWriter(join(work, 'large'), secret, ABOUT, check);
    const write = () => sealed.write(bytesOf(1024 * 1024, 1));
    for (let n = 0; n < 9; n += 1) write();
    assert.equal(checks, 2);
    assert.throws(() => {
      for (let n = 0; n < 5; n += 1) write();
    }, hasCode('STORE_FULL'));
  }),
);

if (canMount()) {
  test(
    'reports a full disk and leaves no extracted files behind',
    withSample(async ({ make }) => {
      const { path } = await make();
      await withDisk(1024, async (disk) => {
        const into = join(disk, 'into');
        await assert.rejects(extractBackup({ path, passphrase, into }), hasCode('STORE_FULL'));
        assert.deepEqual(filesIn(disk), {});
        writeFiles(disk, { 'cartwright.db': bytesOf(600_000, 1) });
        const snapshot = { path: join(disk, 'cartwright.db'), schemaVersion: 1, tables: {} };
        // The data directory is on the same disk.
        const made = make({ dir: disk, path: join(disk, 'full'), snapshot });
        await assert.rejects(made, hasCode('STORE_FULL'));
      });
    }),
  );
}

function sorted(files: Readonly<Record<string, Buffer>>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

test.run();
