import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { AprilTagDetector } from '../../../../src/adapters/apriltag/apriltag.js';
import type { DetectedMarkers } from '../../../../src/shared/ports/marker-detector.js';
import { hasCode } from '../../../helpers/has-code.js';
import { fixtureFolder, renderedImages } from '../../../helpers/marker-fixtures.js';
import { randomFrom } from '../../../helpers/random.js';

const test = suite('AprilTag detector');
const { images, camera, jpegOf } = renderedImages(fixtureFolder('480p'));
const jpeg = jpegOf(images[0]?.file ?? '');
const detector = new AprilTagDetector();
const isUnusable = hasCode('IMAGE_UNUSABLE');

/** Replaces the size in the frame header. The image's data then has too few or too many blocks. */
function withSize(width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const at = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, at + 5);
  copy.writeUInt16BE(width, at + 7);
  return copy;
}

function detectsAsBefore(): void {
  assert.equal(detector.detect(jpeg, camera).markers[0]?.id, images[0]?.truth?.id);
}

test('the detector returns the image size', () => {
  const { width, height }: DetectedMarkers = detector.detect(jpeg);
  assert.deepEqual({ width, height }, { width: 640, height: 480 });
});

test('rejects an image whose size differs from the expected size', () => {
  assert.throws(() => detector.detect(jpeg, { width: 1280, height: 720 }), isUnusable);
});

for (const [width, height] of [
  [4, 4],
  [8, 3],
  [19, 4],
  [64, 4],
  [31, 480],
  [65_535, 65_535],
  [0, 480],
  [640, 0],
] as const) {
  test(`the detector rejects an image of ${width} × ${height} pixels`, () => {
    assert.throws(() => detector.detect(withSize(width, height)), isUnusable);
    detectsAsBefore();
  });
}

test('rejects an image whose data has more rows than its header states', () => {
  assert.throws(() => detector.detect(withSize(640, 240)), isUnusable);
});

test('rejects an image whose data has fewer rows than its header states', () => {
  assert.throws(() => detector.detect(withSize(640, 960)), isUnusable);
});

test('rejects an image that is truncated at any position', () => {
  for (let length = 0; length < jpeg.length; length += 1 + Math.floor(jpeg.length / 150))
    assert.throws(() => detector.detect(jpeg.subarray(0, length)), isUnusable, `${length} bytes`);
  assert.throws(() => detector.detect(jpeg.subarray(0, jpeg.length - 1)), isUnusable);
  detectsAsBefore();
});

test('the detector rejects random bytes', () => {
  const random = randomFrom(1);
  for (let nth = 0; nth < 50; nth++) {
    const bytes = Buffer.from(Array.from({ length: 2000 }, () => Math.floor(256 * random())));
    assert.throws(() => detector.detect(bytes), isUnusable);
    bytes.set([0xff, 0xd8, 0xff]);
    assert.throws(() => detector.detect(bytes), isUnusable);
  }
});

test('the detector rejects a progressive JPEG', () => {
  const copy = Buffer.from(jpeg);
  copy[copy.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc2;
  assert.throws(() => detector.detect(copy), isUnusable);
});

test('decodes or rejects an image with random errors and still detects markers afterwards', () => {
  const random = randomFrom(2);
  for (let nth = 0; nth < 150; nth++) {
    const copy = Buffer.from(jpeg);
    // In half of the images, all errors are in the headers.
    const length = nth % 2 === 0 ? 640 : copy.length;
    for (let errors = 0; errors < 5; errors++)
      copy[Math.floor(length * random())] = Math.floor(256 * random());
    try {
      detector.detect(copy, camera);
    } catch (error) {
      assert.ok(isUnusable(error), String(error));
    }
  }
  detectsAsBefore();
});

test('uses at most 8 MB more memory after many images', () => {
  const used = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  detectsAsBefore();
  const before = used();
  for (let nth = 0; nth < 60; nth++) detectsAsBefore();
  assert.ok(used() - before < 8e6, `${used() - before} bytes more`);
});

test.run();
