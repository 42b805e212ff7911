import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { safeOptions } from '../../../../src/adapters/libcamera/safe-options.js';
import { stillOptions, streamOptions } from '../../../../src/camera/capture/options.js';
import { type CameraSettings, cameraSchema } from '../../../../src/camera/capture/schema.js';
import { readDocument } from '../../../../src/settings/document/document.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { checkerFor } from '../../../../src/shared/validation/validate.js';
import { plain } from '../../../helpers/plain.js';
import { HOSTILE } from '../options-hostile.js';

const test = suite('camera program options');

const check = checkerFor<CameraSettings>(cameraSchema);
const camera = (changes: object = {}): CameraSettings => ({ ...defaultSettings().camera, ...changes });

/** The string that node-libcamera would insert into a command line. */
const pasted = (options: Record<string, unknown>): string =>
  Object.entries(options)
    .map(
      ([key, value]) =>
        `--${key} ${typeof value === 'object' ? Object.values(value ?? {}).join(',') : value}`,
    )
    .join(' ');

test("omits options that have the program's default value", () => {
  assert.deepEqual(streamOptions(camera()), {
    nopreview: true,
    codec: 'mjpeg',
    timeout: 0,
    width: 1280,
    height: 720,
    framerate: 30,
    quality: 70,
  });
  assert.deepEqual(stillOptions(camera()), {
    nopreview: true,
    timeout: 500,
    width: 1920,
    height: 1080,
    quality: 93,
    thumb: { width: 480, height: 270, quality: 70 },
  });
});

test('converts every setting to an option that passes the final check', () => {
  const all = camera({
    device: '1',
    hflip: true,
    vflip: true,
    rotation: 180,
    shutterUs: 20_000,
    gain: 2.5,
    ev: -1.5,
    exposure: 'sport',
    metering: 'spot',
    awb: 'cloudy',
    awbGains: { red: 1.5, blue: 2 },
    denoise: 'cdn_off',
    brightness: -0.2,
    contrast: 1.2,
    saturation: 0,
    sharpness: 2,
    roi: { x: 0.25, y: 0, width: 0.5, height: 1 },
    autofocusMode: 'manual',
    lensPosition: 0,
  });
  const expected = {
    nopreview: true,
    camera: '1',
    hflip: true,
    vflip: true,
    rotation: 180,
    gain: 2.5,
    ev: -1.5,
    exposure: 'sport',
    metering: 'spot',
    awb: 'cloudy',
    awbgains: [1.5, 2],
    denoise: 'cdn_off',
    brightness: -0.2,
    contrast: 1.2,
    saturation: 0,
    sharpness: 2,
    roi: { x: 0.25, y: 0, w: 0.5, h: 1 },
    'autofocus-mode': 'manual',
    'lens-position': 0,
    width: 1920,
    height: 1080,
    quality: 93,
    timeout: 500,
    shutter: 20_000,
    thumb: { width: 480, height: 270, quality: 70 },
  };
  assert.deepEqual(stillOptions(all), expected);
  assert.deepEqual(safeOptions(stillOptions(all)), expected);
});

test('a thumbnail has the same aspect ratio as the photo', () => {
  const thumb = (photoWidth: number, photoHeight: number): unknown =>
    stillOptions(camera({ photoWidth, photoHeight })).thumb;
  assert.deepEqual(thumb(4608, 2592), { width: 480, height: 270, quality: 70 });
  assert.deepEqual(thumb(640, 480), { width: 480, height: 360, quality: 70 });
  assert.deepEqual(thumb(1080, 1920), { width: 270, height: 480, quality: 70 });
  assert.deepEqual(thumb(64, 64), { width: 64, height: 64, quality: 70 });
});

test('limits the exposure time of the live view, but not of a photo, to the frame interval', () => {
  const long = camera({ shutterUs: 6_000_000, framerate: 25 });
  assert.equal(streamOptions(long).shutter, 40_000);
  assert.equal(stillOptions(long).shutter, 6_000_000);
});

test('never passes undefined, null or empty values, which would enable node-libcamera options', () => {
  const loose: Record<string, unknown> = { ...camera() };
  for (const name of Object.keys(loose)) {
    if (typeof loose[name] === 'object') continue;
    for (const nothing of [undefined, null, '']) {
      const options = streamOptions({ ...loose, [name]: nothing } as CameraSettings);
      for (const value of Object.values(options))
        assert.ok(value !== undefined && value !== null && value !== '');
    }
  }
  for (const nothing of [undefined, null, '', false])
    assert.throws(() => safeOptions({ vflip: nothing }), /vflip/);
});

test('omits hflip when it is false and passes it without a value when it is true', () => {
  assert.equal('hflip' in streamOptions(camera({ hflip: false })), false);
  assert.equal(streamOptions(camera({ hflip: true })).hflip, true);
});

test('the schema rejects hostile strings in every setting', () => {
  for (const name of Object.keys(cameraSchema.properties)) {
    for (const text of HOSTILE) {
      assert.ok('faults' in check(camera({ [name]: text })), `${name}: ${JSON.stringify(text)}`);
    }
  }
  for (const text of HOSTILE) assert.ok('faults' in check({ ...camera(), [text]: 1 }), JSON.stringify(text));
});

test('the final check rejects a hostile string as a value, as a key and inside a value', () => {
  for (const text of HOSTILE) {
    const shown = JSON.stringify(text);
    assert.throws(() => safeOptions({ exposure: text }), { code: 'CAMERA_BAD_OPTION' }, shown);
    assert.throws(() => safeOptions({ [text]: true }), { code: 'CAMERA_BAD_OPTION' }, shown);
    assert.throws(() => safeOptions({ awbgains: [1, text] }), { code: 'CAMERA_BAD_OPTION' }, shown);
    assert.throws(() => safeOptions({ roi: { x: 0, y: 0, w: 1, h: text } }), /roi/, shown);
    assert.throws(() => safeOptions({ roi: { x: 0, y: 0, w: 1, h: 1, [text]: 1 } }), /roi/, shown);
  }
});

test('rejects objects, functions, symbols and non-finite numbers as option values', () => {
  const disguised = { toString: () => '; touch pwned' };
  for (const value of [
    disguised,
    [disguised],
    () => '; touch pwned',
    Symbol('x'),
    Number.NaN,
    Infinity,
    [1, 2, 3],
    {},
  ])
    for (const key of ['exposure', 'awbgains', 'roi'])
      assert.throws(() => safeOptions({ [key]: value }), { code: 'CAMERA_BAD_OPTION' });
  let reads = 0;
  const changing = {
    get exposure() {
      reads += 1;
      return reads === 1 ? 'sport' : '; touch pwned';
    },
  };
  assert.deepEqual(safeOptions(changing), { exposure: 'sport' });
});

test('accepted options produce a command line without shell metacharacters', () => {
  const line = pasted(
    safeOptions({ ...stillOptions(camera({ roi: { x: 0.1, y: 0, width: 0.5, height: 1 } })) }),
  );
  assert.match(line, /^(--[a-z-]+ [A-Za-z0-9_.,:/+-]+ ?)+$/);
});

test('reports contradictory settings with the field and the limit', () => {
  const faultsOf = (changes: object) => plain([...readDocument({ camera: changes }).invalid.values()].flat());
  assert.deepEqual(faultsOf({ roi: { x: 0.5, width: 0.75 } }), [
    { path: '/camera/roi/width', message: 'must be at most 0.5: x + width must not exceed 1' },
  ]);
  assert.deepEqual(faultsOf({ awbGains: { red: 2 } }), [
    { path: '/camera/awbGains/blue', message: 'is missing: set both gains or neither' },
  ]);
  assert.deepEqual(faultsOf({ roi: { x: 0.9, width: 0.1 }, awbGains: { red: 2, blue: 2 } }), []);
  assert.deepEqual(faultsOf({ framerate: 61 }), [
    { path: '/camera/framerate', message: 'must be at most 60 /s' },
  ]);
});

test.run();
