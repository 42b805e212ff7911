import type { FromSchema } from 'json-schema-to-ts';

/** The sections of variables.json that the safety functions obey. */

const bcm = { type: 'integer', minimum: 0, maximum: 27 } as const;

export const gpioSchema = {
  type: 'object',
  title: 'Emergency stop and motor enable',
  additionalProperties: false,
  apply: 'restart',
  default: {},
  required: ['mode', 'chip', 'base', 'estop', 'enable', 'readBack', 'led'],
  properties: {
    mode: {
      type: 'string',
      enum: ['auto', 'required', 'off'],
      title: 'Pins',
      description:
        '"auto": real pins on a Raspberry Pi, simulated ones elsewhere. "required": never simulated. "off": none.',
      default: 'auto',
    },
    chip: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:@,-]{1,63}$',
      fault: 'must be the label of a GPIO chip, without spaces',
      title: 'GPIO chip',
      description:
        'Its label, as gpiodetect shows it. "auto" finds the chip of the 40 pins of a Raspberry Pi.',
      default: 'auto',
    },
    base: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 4096,
      title: 'First GPIO number',
      description: 'The base of the chip under /sys/class/gpio, where its label does not tell it apart.',
      default: null,
    },
    estop: {
      type: 'object',
      title: 'E-stop input',
      additionalProperties: false,
      default: {},
      required: ['bcm', 'releaseMs', 'allowRemoteReset'],
      properties: {
        bcm: { ...bcm, title: 'Pin', description: 'BCM number; low means stop.', default: 17 },
        releaseMs: {
          type: 'integer',
          minimum: 500,
          maximum: 10_000,
          unit: 'ms',
          title: 'Healthy for',
          description: 'The input must be healthy this long before a reset is possible.',
          default: 1000,
        },
        allowRemoteReset: {
          type: 'boolean',
          title: 'Reset from a page',
          description: 'Whether a stop made with the button on the cart may be reset from a page.',
          default: false,
        },
      },
    },
    enable: {
      type: 'object',
      title: 'Motor enable output',
      additionalProperties: false,
      default: {},
      required: ['bcm', 'activeHigh', 'mode'],
      properties: {
        bcm: { ...bcm, title: 'Pin', description: 'BCM number.', default: 27 },
        activeHigh: {
          type: 'boolean',
          title: 'High means on',
          description: 'Polarity of the output.',
          default: true,
        },
        mode: {
          type: 'string',
          enum: ['pulse', 'level'],
          title: 'Signal',
          description:
            '"pulse" drops by itself when the gateway dies; "level" needs the service unit to drop it.',
          default: 'pulse',
        },
      },
    },
    readBack: {
      type: 'object',
      title: 'Motor power read-back',
      additionalProperties: false,
      default: {},
      required: ['bcm', 'activeHigh'],
      properties: {
        bcm: {
          ...bcm,
          type: ['integer', 'null'],
          title: 'Pin',
          description: 'BCM number of the input from the auxiliary contact; empty when none is wired.',
          default: null,
        },
        activeHigh: {
          type: 'boolean',
          title: 'High means on',
          description: 'Off for the usual contact, which is closed while the motors have no power.',
          default: false,
        },
      },
    },
    led: {
      type: 'object',
      title: 'Status LED',
      additionalProperties: false,
      default: {},
      required: ['bcm'],
      properties: { bcm: { ...bcm, title: 'Pin', description: 'BCM number.', default: 22 } },
    },
  },
} as const;

export const safetySchema = {
  type: 'object',
  title: 'Safety',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['acceptNoEstop', 'allowNoWatchdog', 'allowUnknownCarts'],
  properties: {
    acceptNoEstop: {
      type: 'boolean',
      title: 'Drive without an E-stop input',
      description: 'Needed to move a real cart with pins "off". Logged at every start.',
      default: false,
    },
    allowNoWatchdog: {
      type: 'boolean',
      title: 'Drive a controller without a proven watchdog',
      description:
        'Such a controller does not stop by itself when the gateway dies (legacyJson), or cannot confirm that it would (sabertooth).',
      default: false,
    },
    allowUnknownCarts: {
      type: 'boolean',
      title: 'Command carts that are not listed',
      description: 'Otherwise a cart must be this one or in the list of carts.',
      default: false,
    },
  },
} as const;

export type GpioSettings = FromSchema<typeof gpioSchema>;
export type SafetySettings = FromSchema<typeof safetySchema>;
