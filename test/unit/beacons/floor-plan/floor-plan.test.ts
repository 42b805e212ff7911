import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { FloorPlan } from '../../../../src/beacons/floor-plan/floor-plan.js';
import { readPlanImage } from '../../../../src/beacons/floor-plan/image.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { jpegShell, png, webpShell } from '../images.js';

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

test('rejects incomplete images and other file types', () => {
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

test('rejects images outside the size limits and names the limit', () => {
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
  'a line gives the plan a position that is kept across a restart',
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
    assert.equal(log.lines.filter(({ event }) => event === 'beacons.plan_read_failed').length, 1);
    assert.ok(readdirSync(dir).includes(`picture-${version}`));
  }),
);

test.run();
