import assert from 'node:assert/strict';
import {
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
import { suite } from 'uvu';
import type { Still } from '../../../../src/camera/capture/model.js';
import { Gallery, type GalleryOptions } from '../../../../src/camera/photos/gallery.js';
import { PhotoService } from '../../../../src/camera/photos/photo-service.js';
import { exifThumbnail } from '../../../../src/camera/photos/thumbnail.js';
import { Broadcaster } from '../../../../src/camera/streaming/broadcaster.js';
import { drawPlaceholder, PlaceholderCache } from '../../../../src/camera/streaming/placeholder.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { syncedPaths } from '../../../helpers/synced-paths.js';
import { withThumbnail } from '../exif.js';
import { FakeSource } from '../fake-source.js';

const test = suite('gallery');

interface TestGallery {
  dir: string;
  clock: FakeClock;
  source: FakeSource;
  gallery: Gallery;
  photoService: PhotoService;
}

function withGallery(
  run: (testGallery: TestGallery) => Promise<void>,
  options: Partial<GalleryOptions> = {},
) {
  return async (): Promise<void> => {
    const dir = mkdtempSync(join(tmpdir(), 'gallery-'));
    const clock = new FakeClock();
    const source = new FakeSource(clock);
    const broadcaster = new Broadcaster({ source, placeholders: new PlaceholderCache(), clock });
    const gallery = await Gallery.open({
      dir: join(dir, 'photos'),
      clock,
      log: new RecordingLog(),
      ...options,
    });
    try {
      await run({
        dir,
        clock,
        source,
        gallery,
        photoService: new PhotoService({ source, gallery, broadcaster, clock }),
      });
    } finally {
      rmSync(dir, { recursive: true, force: true });
      rmSync(source.dir, { recursive: true, force: true });
    }
  };
}

/** An in-memory file system, if available. Renaming a file to a path on another file system fails with EXDEV. */
const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

test(
  'names photos by their capture time and lists the newest first',
  withGallery(async ({ clock, source, gallery }) => {
    const first = await gallery.add(source.file());
    assert.deepEqual(first, {
      name: '20260101-000000-000.jpg',
      bytes: statSync(await gallery.pathOf(first.name)).size,
      takenAt: '2026-01-01T00:00:00.000Z',
    });
    clock.advance(61_001);
    const second = await gallery.add(source.file());
    assert.equal(second.name, '20260101-000101-001.jpg');
    assert.deepEqual(await gallery.list(), [second, first]);
  }),
);

test(
  'a photo that was reported as saved survives a power cut',
  withGallery(async ({ dir, source, gallery }) => {
    const still = source.file();
    const paths = await syncedPaths(() => gallery.add(still));
    assert.deepEqual(paths, [still.path, join(dir, 'photos')]);
  }),
);

test(
  'photos taken at the same time do not overwrite each other',
  withGallery(async ({ source, gallery }) => {
    const jpegs = ['one', 'two', 'three'].map((text) => drawPlaceholder([text], 64, 64));
    const photos = [];
    for (const jpeg of jpegs) photos.push(await gallery.add(source.file(jpeg)));
    const stored = await Promise.all(
      photos.map(async ({ name }) => readFileSync(await gallery.pathOf(name))),
    );
    assert.deepEqual(stored, jpegs);
  }),
);

test(
  'accepts only valid photo names',
  withGallery(async ({ dir, source, gallery }) => {
    const { name } = await gallery.add(source.file());
    writeFileSync(join(dir, 'secret.jpg'), 'secret');
    writeFileSync(join(dir, 'photos', 'notes.txt'), 'mine');
    mkdirSync(join(dir, 'photos', 'folder'));
    const names = [
      '../secret.jpg',
      '..%2fsecret.jpg',
      '/etc/passwd',
      '.',
      '',
      'notes.txt',
      'folder',
      `${name}/`,
      `./${name}`,
      `${name}\0`,
      `${name}.part`,
      '99999999-999999-999.jpg',
    ];
    for (const bad of names) {
      for (const use of ['pathOf', 'thumbnail', 'remove'] as const) {
        await assert.rejects(gallery[use](bad), { code: 'NOT_FOUND' }, JSON.stringify(bad));
      }
    }
    assert.deepEqual(readdirSync(join(dir, 'photos')).toSorted(), [name, 'folder', 'notes.txt'].toSorted());
    assert.equal((await gallery.list()).length, 1);
    await gallery.remove(name);
    assert.deepEqual(await gallery.list(), []);
  }),
);

test(
  'deletes the oldest photos when the number of photos exceeds the maximum',
  withGallery(
    async ({ clock, source, gallery }) => {
      const names = [];
      for (let nth = 0; nth < 5; nth++) {
        names.push((await gallery.add(source.file())).name);
        clock.advance(1000);
      }
      const remaining = (await gallery.list()).map(({ name }) => name);
      assert.deepEqual(remaining, names.slice(2).toReversed());
    },
    { quota: { photos: 3, bytes: 1_000_000 } },
  ),
);

test(
  'deletes the oldest photos when the total size exceeds the limit, but never the latest photo',
  withGallery(
    async ({ clock, source, gallery }) => {
      const sizes = async (): Promise<number[]> => (await gallery.list()).map(({ bytes }) => bytes);
      for (const bytes of [4000, 4000, 4000]) {
        await gallery.add(source.file(Buffer.alloc(bytes)));
        clock.advance(1000);
      }
      assert.deepEqual(await sizes(), [4000, 4000]);
      await gallery.add(source.file(Buffer.alloc(20_000)));
      assert.deepEqual(await sizes(), [20_000]);
    },
    { quota: { photos: 100, bytes: 10_000 } },
  ),
);

test(
  "returns a photo's EXIF thumbnail, or undefined if the photo has none",
  withGallery(async ({ clock, source, gallery }) => {
    const small = drawPlaceholder(['small'], 64, 64);
    const photo = drawPlaceholder(['large'], 640, 480);
    for (const order of ['II', 'MM'] as const) {
      const { name } = await gallery.add(source.file(withThumbnail(photo, small, order)));
      assert.deepEqual(await gallery.thumbnail(name), small, order);
      clock.advance(1);
    }
    const { name } = await gallery.add(source.file(photo));
    assert.equal(await gallery.thumbnail(name), undefined);
  }),
);

test('malformed EXIF data never causes an exception', () => {
  const small = drawPlaceholder(['small'], 64, 64);
  const photo = withThumbnail(drawPlaceholder(['large'], 640, 480), small, 'II');
  assert.deepEqual(exifThumbnail(photo), small);
  const end = photo.indexOf(small) + small.length;
  for (let length = 0; length < end; length++) {
    assert.equal(exifThumbnail(photo.subarray(0, length)), undefined);
  }
  for (let at = 0; at < 120; at++) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const bad = Buffer.from(photo);
      bad[at] = value;
      const found = exifThumbnail(bad);
      assert.ok(found === undefined || found.readUInt16BE(0) === 0xffd8);
    }
  }
});

if (hasOtherDisk) {
  test(
    'moves a still image from a different file system',
    withGallery(async ({ dir, source, gallery }) => {
      const far = mkdtempSync(join(OTHER_DISK, 'cartwright-'));
      try {
        const jpeg = drawPlaceholder(['far'], 640, 480);
        const still: Still = { path: join(far, 'still.jpg.part'), bytes: jpeg.length };
        writeFileSync(still.path, jpeg);
        const { name } = await gallery.add(still);
        assert.deepEqual(readFileSync(join(dir, 'photos', name)), jpeg);
        assert.deepEqual([readdirSync(far), readdirSync(join(dir, 'photos'))], [[], [name]]);
        source.stills += 1;
      } finally {
        rmSync(far, { recursive: true, force: true });
      }
    }),
  );
} else process.stdout.write(`SKIPPED: a still on another file system (${OTHER_DISK} is not available)\n`);

test(
  'rejects and deletes a still image that cannot be stored',
  withGallery(async ({ dir, source, gallery }) => {
    const still = source.file();
    rmSync(join(dir, 'photos'), { recursive: true });
    await assert.rejects(gallery.add(still), { code: 'PHOTO_NOT_KEPT' });
    assert.deepEqual(readdirSync(source.dir), []);
  }),
);

test(
  'deletes incomplete copies at startup after a power cut',
  withGallery(async ({ dir, clock, source, gallery }) => {
    const { name } = await gallery.add(source.file());
    writeFileSync(join(dir, 'photos', '20260101-000000-001.jpg.part'), 'half');
    await Gallery.open({ dir: join(dir, 'photos'), clock, log: new RecordingLog() });
    assert.deepEqual(readdirSync(join(dir, 'photos')), [name]);
  }),
);

test(
  'does not start the camera when the disk is full',
  withGallery(
    async ({ source, photoService }) => {
      await assert.rejects(photoService.take(), (error: GatewayError) => {
        assert.deepEqual([error.code, error.info.unit], ['DISK_FULL', 'MB']);
        return /free disk space/.test(error.message);
      });
      assert.equal(source.stills, 0);
    },
    { reserveBytes: Number.MAX_SAFE_INTEGER },
  ),
);

test(
  'does not start the camera when the photo directory does not exist',
  withGallery(async ({ dir, source, photoService }) => {
    rmSync(join(dir, 'photos'), { recursive: true });
    await assert.rejects(photoService.take(), { code: 'PHOTO_NOT_KEPT', message: /does not exist/ });
    assert.equal(source.stills, 0);
  }),
);

test(
  'requests made while a photo is being taken, or within 1 s afterwards, return the same photo',
  withGallery(async ({ clock, source, gallery, photoService }) => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => photoService.take()));
    assert.deepEqual(others, [first, first]);
    clock.advance(999);
    assert.equal(await photoService.take(), first);
    assert.equal(source.stills, 1);
    clock.advance(1);
    assert.notEqual(await photoService.take(), first);
    assert.deepEqual([source.stills, (await gallery.list()).length], [2, 2]);
  }),
);

test(
  'a request within 1 s takes a new photo if the last one was deleted',
  withGallery(async ({ gallery, photoService }) => {
    const first = await photoService.take();
    await gallery.remove(first.name);
    const second = await photoService.take();
    assert.deepEqual(
      (await gallery.list()).map(({ name }) => name),
      [second.name],
    );
  }),
);

test(
  'all waiting requests fail when the photo fails, and the next request takes a new photo',
  withGallery(async ({ source, gallery, photoService }) => {
    source.takeStill = () => Promise.reject(new GatewayError('CAMERA_DOWN', 'No camera is connected.'));
    const both = [photoService.take(), photoService.take()];
    for (const one of both) await assert.rejects(one, { code: 'CAMERA_DOWN' });
    source.takeStill = async () => source.file();
    await photoService.take();
    assert.deepEqual([source.stills, (await gallery.list()).length], [2, 1]);
  }),
);

test(
  'a request fails after 12 s, but a photo that arrives later is stored',
  withGallery(async ({ clock, source, gallery, photoService }) => {
    let arrive: (still: Still) => void = () => undefined;
    source.takeStill = () => new Promise((resolve) => (arrive = resolve));
    const taking = assert.rejects(photoService.take(), { code: 'CAMERA_SLOW' });
    while (source.stills === 0) await settle();
    clock.advance(12_000);
    await taking;
    const again = photoService.take();
    arrive(source.file());
    const photo = await again;
    assert.deepEqual([await gallery.list(), source.stills], [[photo], 1]);
  }),
);

test(
  'a snapshot is the next live image or, at full resolution, a still image that is not stored',
  withGallery(async ({ source, gallery, photoService }) => {
    source.publish(Buffer.from('old'));
    const live = photoService.snapshot();
    await settle();
    source.publish(Buffer.from('new'));
    assert.deepEqual([String(await live), source.stills], ['new', 0]);
    const stills = await Promise.all([1, 2].map(() => photoService.snapshot({ full: true })));
    assert.deepEqual(stills, [drawPlaceholder(['still'], 64, 64), stills[0]]);
    assert.deepEqual([source.stills, readdirSync(source.dir), await gallery.list()], [1, [], []]);
  }),
);

test.run();
