import type { FromSchema } from 'json-schema-to-ts';
import { faultAnnotation } from '../../shared/validation/messages.js';
import { cameraMessage } from '../messages.js';

/**
 * The camera's section of variables.json. The ranges are those within which the camera programs (rpicam-apps) make
 * sense of an option; they check little themselves, so nothing else is let through.
 */

const side = { type: 'integer', multipleOf: 2, minimum: 64, unit: 'px' } as const;
const quality = { type: 'integer', minimum: 10, maximum: 95, unit: '%' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const factor = { type: 'number', minimum: 0, maximum: 15.99, default: 1 } as const;
const flag = { type: 'boolean', default: false } as const;

const picture = {
  width: { ...side, maximum: 1920, title: 'Width', description: 'Of the live picture; even.', default: 1280 },
  height: {
    ...side,
    maximum: 1080,
    title: 'Height',
    description: 'Of the live picture; even.',
    default: 720,
  },
  framerate: {
    type: 'integer',
    minimum: 1,
    maximum: 60,
    unit: '/s',
    title: 'Pictures a second',
    description: 'Of the live picture. The camera may give fewer.',
    default: 30,
  },
  quality: {
    ...quality,
    title: 'Quality',
    description: 'Of the live picture: more looks better and is slower to send.',
    default: 70,
  },
  photoWidth: { ...side, maximum: 4608, title: 'Photo width', description: 'Even.', default: 1920 },
  photoHeight: { ...side, maximum: 3456, title: 'Photo height', description: 'Even.', default: 1080 },
  photoQuality: { ...quality, title: 'Photo quality', description: 'Of the saved JPEG.', default: 93 },
  hflip: { ...flag, title: 'Mirror left to right', description: 'For a camera that looks into a mirror.' },
  vflip: { ...flag, title: 'Mirror top to bottom', description: 'For a camera that looks into a mirror.' },
  rotation: {
    type: 'integer',
    enum: [0, 180],
    unit: '°',
    title: 'Turned by',
    description: '180 for a camera that is mounted upside down.',
    default: 0,
  },
} as const;

const exposure = {
  shutterUs: {
    type: 'integer',
    minimum: 0,
    maximum: 6_000_000,
    unit: 'µs',
    title: 'Exposure time',
    description: '0 is automatic. For live pictures no longer than the time of one picture.',
    default: 0,
  },
  gain: {
    type: 'number',
    minimum: 0,
    maximum: 16,
    title: 'Gain',
    description: '0 is automatic; more is brighter and noisier.',
    default: 0,
  },
  ev: {
    type: 'number',
    minimum: -10,
    maximum: 10,
    title: 'Exposure correction',
    description: 'In stops, for the automatic exposure.',
    default: 0,
  },
  exposure: {
    type: 'string',
    enum: ['normal', 'sport', 'long'],
    title: 'Exposure',
    description: '"sport" prefers short times, "long" long ones.',
    default: 'normal',
  },
  metering: {
    type: 'string',
    enum: ['centre', 'spot', 'average'],
    title: 'Metering',
    description: 'Which part of the picture the automatic exposure looks at.',
    default: 'centre',
  },
} as const;

const colour = {
  awb: {
    type: 'string',
    enum: ['auto', 'incandescent', 'tungsten', 'fluorescent', 'indoor', 'daylight', 'cloudy', 'custom'],
    title: 'White balance',
    description: '"custom" takes the one that the camera\'s tuning file defines.',
    default: 'auto',
  },
  awbGains: {
    type: 'object',
    title: 'White balance by hand',
    additionalProperties: false,
    default: {},
    required: ['red', 'blue'],
    properties: {
      red: {
        type: ['number', 'null'],
        minimum: 0.1,
        maximum: 32,
        title: 'Red gain',
        description: 'Empty is automatic; needs the blue gain as well.',
        default: null,
      },
      blue: {
        type: ['number', 'null'],
        minimum: 0.1,
        maximum: 32,
        title: 'Blue gain',
        description: 'Empty is automatic; needs the red gain as well.',
        default: null,
      },
    },
  },
  denoise: {
    type: 'string',
    enum: ['auto', 'off', 'cdn_off', 'cdn_fast', 'cdn_hq'],
    title: 'Noise reduction',
    description: '"cdn" is that of colour alone.',
    default: 'auto',
  },
  brightness: {
    type: 'number',
    minimum: -1,
    maximum: 1,
    title: 'Brightness',
    description: '-1 is black, 1 is white.',
    default: 0,
  },
  contrast: { ...factor, title: 'Contrast', description: '1 is normal.' },
  saturation: { ...factor, title: 'Colour', description: '0 is grey, 1 is normal.' },
  sharpness: { ...factor, title: 'Sharpness', description: '1 is normal.' },
} as const;

const lens = {
  roi: {
    type: 'object',
    title: 'Part of the picture',
    additionalProperties: false,
    default: {},
    required: ['x', 'y', 'width', 'height'],
    properties: {
      x: { ...share, title: 'Left edge', description: '0 is the left of the whole picture.', default: 0 },
      y: { ...share, title: 'Upper edge', description: '0 is the top of the whole picture.', default: 0 },
      width: { ...share, minimum: 0.01, title: 'Share of the width', description: '1 is all.', default: 1 },
      height: { ...share, minimum: 0.01, title: 'Share of the height', description: '1 is all.', default: 1 },
    },
  },
  autofocusMode: {
    type: 'string',
    enum: ['default', 'manual', 'auto', 'continuous'],
    title: 'Focus',
    description: 'Only for cameras that can focus; others refuse it.',
    default: 'default',
  },
  lensPosition: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 32,
    unit: 'dpt',
    title: 'Focus at',
    description: '0 is infinity, 10 is 10 cm. Only with the focus "manual".',
    default: null,
  },
} as const;

export const cameraSchema = {
  type: 'object',
  title: 'Camera',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: [
    ...['enabled', 'mode', 'device', 'timeoutMs', 'width', 'height', 'framerate', 'quality'],
    ...['photoWidth', 'photoHeight', 'photoQuality', 'hflip', 'vflip', 'rotation'],
    ...['shutterUs', 'gain', 'ev', 'exposure', 'metering'],
    ...['awb', 'awbGains', 'denoise', 'brightness', 'contrast', 'saturation', 'sharpness'],
    ...['roi', 'autofocusMode', 'lensPosition'],
  ],
  properties: {
    enabled: {
      type: 'boolean',
      title: 'Use the camera',
      description: 'Off leaves the camera alone.',
      default: true,
    },
    mode: {
      type: 'string',
      enum: ['auto', 'pi', 'simulated'],
      title: 'Kind',
      description:
        '"auto" is the Pi camera, and a simulated one only on a machine that is no Raspberry Pi and has no camera programs.',
      default: 'auto',
    },
    device: {
      type: 'string',
      pattern: '^(auto|[0-9]{1,2})$',
      ...faultAnnotation(cameraMessage('fault.device')),
      title: 'Camera',
      description: '"auto" takes the first one; otherwise its number, from 0.',
      default: 'auto',
    },
    timeoutMs: {
      type: 'integer',
      minimum: 1000,
      maximum: 60_000,
      unit: 'ms',
      title: 'First picture within',
      description: 'The camera is started again when it shows nothing for this long.',
      default: 8000,
    },
    ...picture,
    ...exposure,
    ...colour,
    ...lens,
  },
} as const;

export type CameraSettings = FromSchema<typeof cameraSchema>;
