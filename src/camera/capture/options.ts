import type { OptionValue, ProgramOptions } from '../../shared/ports/camera.js';
import type { CameraSettings } from './schema.js';

/** How long a photo's automatic exposure and white balance may settle, ms. */
const SETTLE_MS = 500;

/** What rpicam-vid is called with, less its output: JPEGs without end. */
export function streamOptions(camera: CameraSettings): ProgramOptions {
  const { width, height, framerate, quality } = camera;
  return given({
    ...commonOptions(camera),
    codec: 'mjpeg',
    ...{ width, height, framerate, quality },
    timeout: 0,
    shutter: unless(0, streamShutterUs(camera)),
  });
}

/** What rpicam-still is called with, less its output. */
export function stillOptions(camera: CameraSettings): ProgramOptions {
  return given({
    ...commonOptions(camera),
    width: camera.photoWidth,
    height: camera.photoHeight,
    quality: camera.photoQuality,
    thumb: thumbnailOf(camera),
    timeout: SETTLE_MS,
    shutter: unless(0, camera.shutterUs),
  });
}

/** The longer side of a thumbnail, px; with this quality it fits into the 64 KiB of an EXIF segment. */
const THUMBNAIL_SIDE = 480;
const THUMBNAIL_QUALITY = 70;

/** A thumbnail of the photo's own ratio: the program's default is 320 x 240 whatever the photo, and distorts the others. */
function thumbnailOf({ photoWidth, photoHeight }: CameraSettings): OptionValue {
  const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(photoWidth, photoHeight));
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2));
  return { width: even(photoWidth), height: even(photoHeight), quality: THUMBNAIL_QUALITY };
}

/** The exposure time of the live picture, µs: a picture cannot take longer than its turn. 0 is automatic. */
export function streamShutterUs({ shutterUs, framerate }: CameraSettings): number {
  return Math.min(shutterUs, Math.floor(1_000_000 / framerate));
}

type Candidates = Record<string, OptionValue | false | null | undefined>;

function commonOptions(camera: CameraSettings): Candidates {
  const { awbGains, roi } = camera;
  const isWhole = roi.x === 0 && roi.y === 0 && roi.width === 1 && roi.height === 1;
  return {
    nopreview: true,
    camera: unless('auto', camera.device),
    hflip: camera.hflip,
    vflip: camera.vflip,
    rotation: unless(0, camera.rotation),
    gain: unless(0, camera.gain),
    ev: unless(0, camera.ev),
    exposure: unless('normal', camera.exposure),
    metering: unless('centre', camera.metering),
    awb: unless('auto', camera.awb),
    awbgains: awbGains.red !== null && awbGains.blue !== null && [awbGains.red, awbGains.blue],
    denoise: unless('auto', camera.denoise),
    brightness: unless(0, camera.brightness),
    contrast: unless(1, camera.contrast),
    saturation: unless(1, camera.saturation),
    sharpness: unless(1, camera.sharpness),
    roi: !isWhole && { x: roi.x, y: roi.y, w: roi.width, h: roi.height },
    'autofocus-mode': unless('default', camera.autofocusMode),
    'lens-position': camera.lensPosition,
  };
}

/** A default is left to the program: an option that is not there cannot be refused. */
function unless<T>(usual: T, value: T): T | undefined {
  return value === usual ? undefined : value;
}

/** node-libcamera writes a key without a value as `--key`, which means "on": what is not set must not be there. */
function given(candidates: Candidates): ProgramOptions {
  const entries = Object.entries(candidates);
  const set = entries.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  );
  return Object.fromEntries(set) as ProgramOptions;
}
