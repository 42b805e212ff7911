import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { FloorPlan } from '../../../../src/plan/floor-plan/floor-plan.js';
import { readPlanImage } from '../../../../src/plan/floor-plan/image.js';
import { turnOf } from '../../../../src/plan/floor-plan/orientation.js';
import { haversineM } from '../../../../src/plan/frame/geodesy.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { jpegShell, png, webpShell } from '../images.js';
import { exif, jpegWith, pngWith, webpWith } from '../oriented-images.js';

const test = suite('floor plan');

const POINTS = [
  { x: 0, y: 0, lat: 52.37, long: 4.89 },
  { x: 400, y: 0, lat: 52.37, long: 4.8903 },
];

const ORIGIN = { lat: 0, long: 0 };

function withFolder(run: (dir: string, log: RecordingLog) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-plan-'));
    try {
      await run(join(dir, 'plan'), new RecordingLog());
    } finally {
      rmSync(dir, { recursive: true });
    }
  };
}

test("reads an image's type and size from its bytes", () => {
  const read = (bytes: Buffer): unknown[] => {
    const { type, width, height } = readPlanImage(bytes);
    return [type, width, height];
  };
  assert.deepEqual(read(png(400, 300)), ['image/png', 400, 300]);
  assert.deepEqual(read(jpegShell(640, 480)), ['image/jpeg', 640, 480]);
  for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const) {
    assert.deepEqual(read(webpShell(kind, 800, 600)), ['image/webp', 800, 600], kind);
  }
});

test('rejects incomplete floor plan images and other file types', () => {
  const whole = png(400, 300);
  const others = [
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"></svg>'),
    Buffer.from('GIF89a'.padEnd(100, ' ')),
    Buffer.from('<!doctype html><script>alert(1)</script>'),
    whole.subarray(0, whole.length - 20),
    jpegShell(640, 480).subarray(0, 24),
    webpShell('VP8X', 800, 600).subarray(0, 29),
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(64, 0xff)]),
  ];
  for (const bytes of others) {
    assert.throws(() => readPlanImage(bytes), { code: 'UNSUPPORTED_MEDIA_TYPE' }, bytes.toString('latin1'));
  }
});

for (const [format, oriented] of [
  ['JPEG', (data: Buffer) => jpegWith(jpegShell(800, 400), data)],
  ['PNG', (data: Buffer) => pngWith(png(800, 400), data)],
  ['WebP', (data: Buffer) => webpWith(webpShell('VP8X', 800, 400), data, [800, 400])],
] as const) {
  test(`applies the EXIF orientation of a ${format} image to its size`, () => {
    for (const order of ['II', 'MM'] as const) {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const { width, height, ...read } = readPlanImage(oriented(exif(orientation, order)));
        assert.deepEqual([width, height], orientation >= 5 ? [400, 800] : [800, 400]);
        assert.equal(read.orientation, orientation);
      }
    }
  });

  test(`ignores invalid EXIF data in a ${format} image`, () => {
    const valid = exif(6);
    const wrongType = Buffer.from(valid);
    wrongType.writeUInt16BE(4, 24);
    const wrongOffset = Buffer.from(valid);
    wrongOffset.writeUInt32BE(0xfffffff0, 4);
    const others = [
      exif(0),
      exif(9),
      wrongType,
      wrongOffset,
      valid.subarray(0, 28),
      Buffer.from('XX'),
      Buffer.alloc(0),
    ];
    for (const data of others) {
      const { width, height, orientation } = readPlanImage(oriented(data));
      assert.deepEqual([width, height, orientation], [800, 400, 1], data.toString('hex'));
    }
  });
}

test('accepts a prefix before the EXIF data of a WebP image', () => {
  const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(8)]);
  assert.equal(readPlanImage(webpWith(webpShell('VP8X', 800, 400), data, [800, 400])).orientation, 8);
});

test('ignores an eXIf chunk after the pixels of a PNG image, as the PNG specification requires', () => {
  assert.equal(readPlanImage(pngWith(png(800, 400), exif(6), true)).orientation, 1);
});

test('rejects a damaged PNG chunk and a JPEG file whose only end marker is that of its thumbnail', () => {
  for (const at of [20, 50, -20]) {
    const damaged = png(400, 300);
    const index = at < 0 ? damaged.length + at : at;
    damaged.writeUInt8(damaged.readUInt8(index) ^ 1, index);
    assert.throws(() => readPlanImage(damaged), { code: 'UNSUPPORTED_MEDIA_TYPE' }, String(at));
  }
  const withThumbnail = jpegWith(jpegShell(640, 480), Buffer.concat([exif(1), jpegShell(64, 48)]));
  assert.equal(readPlanImage(withThumbnail).width, 640);
  const truncated = withThumbnail.subarray(0, withThumbnail.length - 2);
  assert.throws(() => readPlanImage(truncated), { code: 'UNSUPPORTED_MEDIA_TYPE' });
});

test('ignores bytes after the end of a floor plan image', () => {
  const more = Buffer.alloc(9000, 'garbage');
  for (const image of [png(400, 300), jpegShell(400, 300), webpShell('VP8L', 400, 300)]) {
    const { width, height } = readPlanImage(Buffer.concat([image, more]));
    assert.deepEqual([width, height], [400, 300]);
  }
});

test('maps stored pixels to displayed pixels for each orientation', () => {
  // Each row contains the displayed positions of the stored top-left and top-right corners of a 3 x 2 image.
  for (const [orientation, topLeft, topRight] of [
    [1, [0, 0], [3, 0]],
    [2, [3, 0], [0, 0]],
    [3, [3, 2], [0, 2]],
    [4, [0, 2], [3, 2]],
    [5, [0, 0], [0, 3]],
    [6, [2, 0], [2, 3]],
    [7, [2, 3], [2, 0]],
    [8, [0, 3], [0, 0]],
  ] as const) {
    const [a = 0, b = 0, c = 0, d = 0, , , x = 0, y = 0] = (turnOf(orientation).match(/-?\d+/g) ?? []).map(
      Number,
    );
    const shown = (px: number, py: number): number[] => {
      const [u, v] = [px + (x / 100) * 3, py + (y / 100) * 2];
      return [a * u + c * v + 0, b * u + d * v + 0];
    };
    assert.deepEqual([shown(0, 0), shown(3, 0)], [topLeft, topRight], String(orientation));
  }
});

test(
  'accepts a line anywhere on an image that is rotated for display, and computes the scale in displayed pixels',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    await plan.replace(jpegWith(jpegShell(800, 400), exif(6)));
    const placed = await plan.setLine({ x1: 3, y1: 700, x2: 303, y2: 700, lengthM: 30 }, ORIGIN);
    assert.ok(Math.abs((placed.placement?.metresPerPixel ?? 0) - 0.1) < 1e-6);
    const { topLeft, bottomLeft } = placed.placement ?? assert.fail('the plan has no position');
    assert.ok(Math.abs(haversineM(topLeft, bottomLeft) - 80) < 0.1);
    await assert.rejects(plan.setLine({ x1: 3, y1: 3, x2: 403, y2: 3, lengthM: 40 }, ORIGIN), {
      info: { field: 'x2', limit: 400, unit: 'px' },
    });
    assert.deepEqual((await FloorPlan.open({ dir, log })).current, placed);
  }),
);

test(
  'keeps the size and the scale of a plan whose orientation an earlier version ignored, and logs a warning',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    await plan.replace(jpegWith(jpegShell(800, 400), exif(6)));
    const path = join(dir, 'plan.json');
    const { orientation: _none, ...stored } = JSON.parse(readFileSync(path, 'utf8'));
    const points = [
      { x: 0, y: 0, lat: 52.37, long: 4.89 },
      { x: 800, y: 0, lat: 52.37, long: 4.8903 },
    ];
    writeFileSync(path, JSON.stringify({ ...stored, width: 800, height: 400, points }));
    const { current } = await FloorPlan.open({ dir, log });
    assert.deepEqual([current?.width, current?.height, current?.orientation], [800, 400, undefined]);
    assert.deepEqual(current?.points, points);
    assert.ok(log.events().includes('plan.orientation_ignored'));
  }),
);

test('rejects images outside the size limits and reports the limit', () => {
  assert.throws(() => readPlanImage(png(99, 300)), /99 x 300 px; each side must be between 100 and 10000 px/);
  assert.throws(() => readPlanImage(jpegShell(10_001, 300)), /each side/);
  assert.throws(() => readPlanImage(jpegShell(9000, 9000)), /at most 40000000 pixels/);
});

test(
  'keeps the image and points across a restart, and clears the points when the image is replaced',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    await plan.replace(png(400, 300));
    const placed = await plan.setPoints({ points: POINTS });
    const again = await FloorPlan.open({ dir, log });
    assert.deepEqual(again.current, placed);
    assert.deepEqual((await again.image()).bytes, png(400, 300));
    await again.replace(png(500, 300));
    assert.equal(again.current?.placement, undefined);
    assert.equal(again.current?.points, undefined);
    assert.equal(readdirSync(dir).length, 2, 'the first image was not deleted');
    await again.remove();
    assert.deepEqual([again.current, readdirSync(dir)], [undefined, []]);
  }),
);

test(
  "a line determines the plan's position, which is kept across a restart",
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    const line = { x1: 0, y1: 300, x2: 400, y2: 300, lengthM: 40 };
    await assert.rejects(plan.setLine(line, ORIGIN), { code: 'NOT_FOUND' });
    await plan.replace(png(400, 300));
    const placed = await plan.setLine(line, ORIGIN);
    assert.ok(Math.abs((placed.placement?.metresPerPixel ?? 0) - 0.1) < 1e-6);
    assert.deepEqual((await FloorPlan.open({ dir, log })).current, placed);
    for (const bad of [{ ...line, lengthM: 0 }, { ...line, extra: 1 }, { ...line, x1: '0' }, null]) {
      await assert.rejects(plan.setLine(bad, ORIGIN), { code: 'INVALID_INPUT' });
    }
    assert.equal(plan.current, placed);
  }),
);

test(
  'a rejected change leaves the plan unchanged',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    await assert.rejects(plan.setPoints({ points: POINTS }), { code: 'NOT_FOUND' });
    await assert.rejects(plan.remove(), { code: 'NOT_FOUND' });
    const before = await plan.replace(png(400, 300));
    await assert.rejects(plan.replace(Buffer.from('nothing')), { code: 'UNSUPPORTED_MEDIA_TYPE' });
    const [first] = POINTS;
    for (const points of [[first], [first, first], [first, { ...first, lat: 91 }], 'none']) {
      await assert.rejects(plan.setPoints({ points }), { code: 'INVALID_INPUT' });
    }
    assert.equal(plan.current, before);
  }),
);

test(
  'keeps the old plan and removes leftover files after a power cut that occurs before plan.json is written',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    const old = await plan.replace(png(400, 300));
    writeFileSync(join(dir, 'picture-AAAAAAAAAAAAAAAA'), png(500, 300));
    writeFileSync(join(dir, 'plan.json.tmp-1-2-abc'), '{');
    const again = await FloorPlan.open({ dir, log });
    assert.deepEqual(again.current, old);
    assert.equal(readdirSync(dir).length, 2);
  }),
);

test(
  'logs an unreadable plan.json, starts without a plan and keeps the image',
  withFolder(async (dir, log) => {
    const plan = await FloorPlan.open({ dir, log });
    const { version } = await plan.replace(png(400, 300));
    const note = readFileSync(join(dir, 'plan.json'), 'utf8');
    writeFileSync(join(dir, 'plan.json'), note.slice(0, 20));
    assert.equal((await FloorPlan.open({ dir, log })).current, undefined);
    assert.equal(log.lines.filter(({ event }) => event === 'plan.read_failed').length, 1);
    assert.ok(readdirSync(dir).includes(`picture-${version}`));
  }),
);

test.run();
