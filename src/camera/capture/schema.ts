import type { FromSchema } from 'json-schema-to-ts';
import { faultAnnotation } from '../../shared/validation/messages.js';
import { cameraMessage } from '../messages.js';
import { colour, lens } from './picture-schema.js';

/** The ranges are those of rpicam-apps, which validate few of their options. */

const side = { type: 'integer', multipleOf: 2, minimum: 64, unit: 'px' } as const;
const quality = { type: 'integer', minimum: 10, maximum: 95, unit: '%' } as const;
const flag = { type: 'boolean', default: false } as const;

const image = {
  width: {
    ...side,
    maximum: 1920,
    title: 'Width',
    description: 'For the live view. Must be an even number.',
    default: 1280,
  },
  height: {
    ...side,
    maximum: 1080,
    title: 'Height',
    description: 'For the live view. Must be an even number.',
    default: 720,
  },
  framerate: {
    type: 'integer',
    minimum: 1,
    maximum: 60,
    unit: '/s',
    title: 'Images per second',
    description: 'For the live view. The camera might not reach this rate.',
    default: 30,
  },
  quality: {
    ...quality,
    title: 'Quality',
    description: 'For the live view. Higher values give better images but need more bandwidth.',
    default: 70,
  },
  photoWidth: {
    group: 'Photos',
    ...side,
    maximum: 4608,
    title: 'Photo width',
    description: 'Must be an even number.',
    default: 1920,
  },
  photoHeight: {
    group: 'Photos',
    ...side,
    maximum: 3456,
    title: 'Photo height',
    description: 'Must be an even number.',
    default: 1080,
  },
  photoQuality: {
    group: 'Photos',
    ...quality,
    title: 'Photo quality',
    description: 'Quality of the saved JPEG image.',
    default: 93,
  },
  hflip: {
    group: 'Mirroring',
    ...flag,
    title: 'Mirror horizontally',
    description: 'For a camera that faces a mirror.',
  },
  vflip: {
    group: 'Mirroring',
    ...flag,
    title: 'Mirror vertically',
    description: 'For a camera that faces a mirror.',
  },
  rotation: {
    type: 'integer',
    enum: [0, 180],
    unit: '°',
    title: 'Rotation',
    description: 'Use 180 for a camera that is mounted upside down.',
    default: 0,
  },
} as const;

const exposure = {
  shutterUs: {
    group: 'Exposure',
    type: 'integer',
    minimum: 0,
    maximum: 6_000_000,
    unit: 'µs',
    title: 'Exposure time',
    description:
      '0 means automatic. In the live view, the exposure time cannot exceed the time between two images.',
    default: 0,
  },
  gain: {
    group: 'Exposure',
    type: 'number',
    minimum: 0,
    maximum: 16,
    title: 'Gain',
    description: '0 means automatic. Higher values make the image brighter but add noise.',
    default: 0,
  },
  ev: {
    group: 'Exposure',
    type: 'number',
    minimum: -10,
    maximum: 10,
    title: 'Exposure compensation',
    description: 'In EV. Applies to automatic exposure.',
    default: 0,
  },
  exposure: {
    group: 'Exposure',
    type: 'string',
    enum: ['normal', 'sport', 'long'],
    valueTitles: { normal: 'Normal', sport: 'Sport', long: 'Long' },
    title: 'Exposure mode',
    description: 'Sport prefers short exposure times; Long prefers long exposure times.',
    default: 'normal',
  },
  metering: {
    group: 'Exposure',
    type: 'string',
    enum: ['centre', 'spot', 'average'],
    valueTitles: { centre: 'Centre-weighted', spot: 'Spot', average: 'Average' },
    title: 'Metering',
    description: 'The part of the image measured for automatic exposure.',
    default: 'centre',
  },
} as const;

export const cameraSchema = {
  type: 'object',
  title: 'Camera',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: [
    'enabled',
    'mode',
    'device',
    'timeoutMs',
    'width',
    'height',
    'framerate',
    'quality',
    'photoWidth',
    'photoHeight',
    'photoQuality',
    'hflip',
    'vflip',
    'rotation',
    'shutterUs',
    'gain',
    'ev',
    'exposure',
    'metering',
    'awb',
    'awbGains',
    'denoise',
    'brightness',
    'contrast',
    'saturation',
    'sharpness',
    'roi',
    'autofocusMode',
    'lensPosition',
  ],
  properties: {
    enabled: {
      type: 'boolean',
      title: 'Enable camera',
      description: 'If off, the gateway does not use the camera.',
      default: true,
    },
    mode: {
      type: 'string',
      enum: ['auto', 'pi', 'simulated'],
      valueTitles: { auto: 'Automatic', pi: 'Raspberry Pi camera', simulated: 'Simulated' },
      title: 'Camera source',
      description:
        'Automatic: the real camera, or a simulated camera on a machine that is not a Raspberry Pi and has no camera program.',
      default: 'auto',
    },
    device: {
      group: 'Camera',
      type: 'string',
      pattern: '^(auto|[0-9]{1,2})$',
      ...faultAnnotation(cameraMessage('fault.device')),
      title: 'Camera',
      description:
        '"auto" uses the first camera. To use a different camera, enter its number; numbering starts at 0.',
      default: 'auto',
    },
    timeoutMs: {
      group: 'Camera',
      type: 'integer',
      minimum: 1000,
      maximum: 60_000,
      unit: 'ms',
      title: 'First-image timeout',
      description: 'The camera restarts if the first image does not arrive within this time.',
      default: 8000,
    },
    ...image,
    ...exposure,
    ...colour,
    ...lens,
  },
} as const;

export type CameraSettings = FromSchema<typeof cameraSchema>;
