import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { JpegSplitter } from '../../../../src/camera/streaming/splitter.js';
import { randomFrom } from '../../../helpers/random.js';
import { baseline, coded, progressive, segment, withRestarts, withThumbnail } from '../jpeg-samples.js';

const test = suite('JPEG splitter');

const IMAGES = [baseline(), withThumbnail(), progressive(), withRestarts(), baseline(4)];

function split(bytes: Buffer, size = bytes.length, maxBytes?: number): Buffer[] {
  const images: Buffer[] = [];
  const splitter = new JpegSplitter((jpeg) => images.push(jpeg), maxBytes);
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
  return images;
}

test('the splitter returns the same images for any chunk size', () => {
  const stream = Buffer.concat(IMAGES);
  for (const size of [1, 2, 3, 4, 5, 7, 16, 64, 100, 1000, 4096, 70_000]) {
    assert.deepEqual(split(stream, size), IMAGES, `${size} bytes at a time`);
  }
  for (let size = 1; size <= 300; size++) assert.equal(split(stream, size).length, IMAGES.length);
});

test('drops an incomplete image and returns the next one', () => {
  const image = baseline();
  for (const length of [image.length - 1, image.length - 2, Math.floor(image.length * 0.7)]) {
    const stream = Buffer.concat([image.subarray(0, length), baseline(2), baseline(3)]);
    assert.deepEqual(split(stream), [baseline(2), baseline(3)], `${length} bytes of it`);
  }
});

test('the splitter ignores invalid bytes before, between and after images', () => {
  const noise = Buffer.from('HTTP/1.0 200 OK\r\n\r\n--frame\r\n\xff\xff\xd7', 'latin1');
  const stream = Buffer.concat([noise, baseline(1), noise, noise, baseline(2), noise]);
  assert.deepEqual(split(stream, 11), [baseline(1), baseline(2)]);
});

test('drops images that are too short or have no coded data', () => {
  const empty = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xfe, Buffer.alloc(500)),
    Buffer.from([0xff, 0xd9]),
  ]);
  const short = Buffer.from('ffd8ffda0002aaffd9', 'hex');
  assert.deepEqual(split(Buffer.concat([empty, short, baseline()])), [baseline()]);
});

test('drops an image that reaches the size limit without an end marker, and finds the next image', () => {
  const endless = Buffer.concat([baseline().subarray(0, -2), coded(50_000, 3)]);
  const images = split(Buffer.concat([endless, endless, baseline(5)]), 1000, 20_000);
  assert.deepEqual(images, [baseline(5)]);
});

test('detects H.264 from the first byte and does not return an image', () => {
  const h264 = Buffer.concat([Buffer.from([0, 0, 0, 1, 0x67, 0x42]), coded(5000, 8)]);
  const images: Buffer[] = [];
  const splitter = new JpegSplitter((jpeg) => images.push(jpeg));
  assert.equal(splitter.isJpeg, true);
  splitter.push(h264.subarray(0, 1));
  assert.equal(splitter.isJpeg, false);
  splitter.push(h264.subarray(1));
  assert.deepEqual(images, []);
  const good = new JpegSplitter(() => undefined);
  for (const byte of baseline()) good.push(Buffer.from([byte]));
  assert.equal(good.isJpeg, true);
});

test('3,000 corrupted streams do not cause errors, and yield only images with start and end markers', () => {
  const random = randomFrom(19);
  const stream = Buffer.concat(IMAGES);
  let count = 0;
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(stream);
    for (let fault = 0; fault <= round % 8; fault++)
      bytes[Math.floor(random() * bytes.length)] = random() < 0.5 ? 0xff : Math.floor(random() * 256);
    const size = 1 + Math.floor(random() * 3000);
    for (const image of split(bytes, size)) {
      assert.equal(image.readUInt16BE(0), 0xffd8);
      assert.equal(image.readUInt16BE(image.length - 2), 0xffd9);
      count += 1;
    }
  }
  assert.ok(count > 3000, `${count} of ${3000 * IMAGES.length} images`);
});

test('a returned image does not share memory with the input', () => {
  const bytes = Buffer.from(baseline());
  const [image] = split(bytes);
  bytes.fill(0);
  assert.deepEqual(image, baseline());
});

test.run();
