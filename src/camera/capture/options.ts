import type { OptionValue, ProgramOptions } from '../../shared/ports/camera.js';
import type { CameraSettings } from './schema.js';

/** Time in ms for automatic exposure and white balance to settle before a photo. */
const SETTLE_MS = 500;

/** Returns the options for an endless JPEG stream, without the output option. */
export function streamOptions(camera: CameraSettings): ProgramOptions {
  const { width, height, framerate, quality } = camera;
  return withoutUnset({
    ...commonOptions(camera),
    codec: 'mjpeg',
    width,
    height,
    framerate,
    quality,
    timeout: 0,
    shutter: unless(0, streamShutterUs(camera)),
  });
}

export function stillOptions(camera: CameraSettings): ProgramOptions {
  return withoutUnset({
    ...commonOptions(camera),
    width: camera.photoWidth,
    height: camera.photoHeight,
    quality: camera.photoQuality,
    thumb: thumbnailOf(camera),
    timeout: SETTLE_MS,
    shutter: unless(0, camera.shutterUs),
  });
}

/** The thumbnail's longer side in px. A thumbnail of this size fits into a 64 KiB EXIF segment. */
const THUMBNAIL_SIDE = 480;
const THUMBNAIL_QUALITY = 70;

/** Uses the photo's aspect ratio, because the program's default of 320×240 would distort any other ratio. */
function thumbnailOf({ photoWidth, photoHeight }: CameraSettings): OptionValue {
  const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(photoWidth, photoHeight));
  const even = (side: number): number => Math.max(2, 2 * Math.round((side * scale) / 2));
  return { width: even(photoWidth), height: even(photoHeight), quality: THUMBNAIL_QUALITY };
}

/** Returns the exposure time in µs, at most the frame interval; 0 means automatic. */
export function streamShutterUs({ shutterUs, framerate }: CameraSettings): number {
  return Math.min(shutterUs, Math.floor(1_000_000 / framerate));
}

type Candidates = Record<string, OptionValue | false | null | undefined>;

function commonOptions(camera: CameraSettings): Candidates {
  const { awbGains, roi } = camera;
  const isFullImage = roi.x === 0 && roi.y === 0 && roi.width === 1 && roi.height === 1;
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
    roi: !isFullImage && { x: roi.x, y: roi.y, w: roi.width, h: roi.height },
    'autofocus-mode': unless('default', camera.autofocusMode),
    'lens-position': camera.lensPosition,
  };
}

/** Returns undefined for the default value, because the program cannot reject an option that is omitted. */
function unless<T>(defaultValue: T, value: T): T | undefined {
  return value === defaultValue ? undefined : value;
}

/** Omits keys without a value, because node-libcamera would pass them as `--key`, which means "on". */
function withoutUnset(candidates: Candidates): ProgramOptions {
  const entries = Object.entries(candidates);
  const set = entries.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  );
  return Object.fromEntries(set) as ProgramOptions;
}
