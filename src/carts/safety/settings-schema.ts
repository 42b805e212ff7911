import type { FromSchema } from 'json-schema-to-ts';

const bcm = { type: 'integer', minimum: 0, maximum: 27 } as const;

export const gpioSchema = {
  type: 'object',
  title: 'E-stop',
  additionalProperties: false,
  apply: 'restart',
  default: {},
  required: ['mode', 'chip', 'base', 'estop', 'enable', 'readBack', 'led'],
  properties: {
    mode: {
      type: 'string',
      enum: ['auto', 'required', 'off'],
      valueTitles: { auto: 'Automatic', required: 'Always real pins', off: 'No pins' },
      title: 'GPIO mode',
      description: 'Automatic: real pins on a Raspberry Pi, simulated pins on other machines.',
      default: 'auto',
    },
    chip: {
      type: 'string',
      pattern: '^[A-Za-z0-9._:@,-]{1,63}$',
      fault: 'must be a GPIO chip label without spaces',
      title: 'GPIO chip',
      description:
        'The label shown by gpiodetect. "auto" finds the chip for the 40-pin header on a Raspberry Pi.',
      default: 'auto',
    },
    base: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 4096,
      title: 'First GPIO number',
      description: "The chip's base number in /sys/class/gpio. Needed only if the label is not unique.",
      default: null,
    },
    estop: {
      type: 'object',
      title: 'E-stop input',
      additionalProperties: false,
      default: {},
      required: ['bcm', 'releaseMs', 'allowRemoteReset'],
      properties: {
        bcm: { ...bcm, title: 'Pin', description: 'BCM number. A low level means stop.', default: 17 },
        releaseMs: {
          type: 'integer',
          minimum: 500,
          maximum: 10_000,
          unit: 'ms',
          title: 'Release time',
          description: 'The input must be healthy for this long before a stop can be reset.',
          default: 1000,
        },
        allowRemoteReset: {
          basic: true,
          type: 'boolean',
          title: 'Allow remote reset',
          description: 'Allows an E-stop triggered by the button on the cart to be reset from a page.',
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
        activeHigh: { type: 'boolean', title: 'Active high', description: 'Output polarity.', default: true },
        mode: {
          type: 'string',
          enum: ['pulse', 'level'],
          valueTitles: { pulse: 'Pulse', level: 'Level' },
          title: 'Signal',
          description:
            'Pulse: motor enable turns off by itself if the gateway fails. Level: the systemd service turns motor enable off if the gateway fails.',
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
          description:
            'BCM number of the input for the auxiliary contact. Leave empty if no contact is connected.',
          default: null,
        },
        activeHigh: {
          type: 'boolean',
          title: 'Active high',
          description: 'Turn this off for a mirror contact, which is closed while the motors have no power.',
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
      basic: true,
      type: 'boolean',
      title: 'Drive without an E-stop input',
      description:
        'Required to drive a real cart when GPIO mode is "No pins". The gateway logs a warning at every startup.',
      default: false,
    },
    allowNoWatchdog: {
      basic: true,
      type: 'boolean',
      title: 'Drive without a confirmed watchdog',
      description:
        'For a controller that has no watchdog (legacyJson) or whose watchdog cannot be confirmed (sabertooth).',
      default: false,
    },
    allowUnknownCarts: {
      basic: true,
      type: 'boolean',
      title: 'Allow commands to unlisted carts',
      description:
        'If off, commands are accepted only for this cart and for the carts listed under Other carts.',
      default: false,
    },
  },
} as const;

export type GpioSettings = FromSchema<typeof gpioSchema>;
export type SafetySettings = FromSchema<typeof safetySchema>;
