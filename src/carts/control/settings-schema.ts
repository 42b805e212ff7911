import type { FromSchema } from 'json-schema-to-ts';

/**
 * The sections of variables.json that the carts room obeys. `settings/schema/schema.ts` puts them together with the other
 * rooms' sections; title, description, unit and range are what the form on the page shows. `apply` says when a change
 * takes effect: `live` at once, `idle` only while no cart of this gateway moves.
 */

/** Hard bounds of the three integers of a cart command, whatever the settings say. */
export const HARD = { cartIdMax: 65_535, distanceMax: 100_000, angleMax: 360 } as const;

export const cartIdSchema = { type: 'integer', minimum: 1, maximum: HARD.cartIdMax } as const;

const topicLevel = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{1,32}$',
  fault: 'must be 1 to 32 letters, digits, _ and -',
} as const;

export const gatewaySchema = {
  type: 'object',
  title: 'This gateway',
  additionalProperties: false,
  apply: 'restart',
  default: {},
  required: ['cartID', 'fleet', 'manufacturer', 'name', 'announce'],
  properties: {
    cartID: {
      ...cartIdSchema,
      title: 'Cart number',
      description: 'The cart that this gateway rides on. Its commands go to the serial line.',
      default: 1,
    },
    fleet: {
      ...topicLevel,
      title: 'Fleet',
      description: 'Third level of the MQTT topics: letters, digits, _ and -.',
      default: 'site1',
    },
    manufacturer: {
      ...topicLevel,
      title: 'Manufacturer',
      description: 'Goes into the header of every MQTT message.',
      default: 'cartwright',
    },
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      title: 'Name',
      description: 'Shown on every page.',
      default: 'Cart 1',
    },
    announce: {
      type: 'boolean',
      title: 'Announce on the local network',
      description: 'Programs and phones on the same network find the gateway by its name (mDNS).',
      default: true,
    },
  },
} as const;

export const serialSchema = {
  type: 'object',
  title: 'Motor controller',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: [
    'path',
    'baudRate',
    'driver',
    'address',
    'heartbeatMs',
    'timeoutMs',
    'ackTimeoutMs',
    'retries',
    'requireChecksum',
    'legacyJson',
  ],
  properties: {
    path: {
      type: 'string',
      pattern: '^(auto|simulated|/[^\\u0000]{1,255})$',
      fault: 'must be "auto", "simulated", or the path of a device, such as /dev/serial0',
      title: 'Serial device',
      description:
        'A device such as /dev/serial/by-id/…; "auto" is /dev/serial0 on a Raspberry Pi and the simulated controller on any other machine; "simulated" is the simulated controller everywhere.',
      default: 'auto',
    },
    baudRate: {
      type: 'integer',
      enum: [9600, 19200, 38400, 57600, 115200, 230400, 250000, 460800],
      unit: 'baud',
      title: 'Speed',
      description:
        'CGW1 wants 57600 or more. A Sabertooth leaves its factory with 9600, a RoboClaw mostly with 38400.',
      default: 115200,
    },
    driver: {
      type: 'string',
      enum: ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'],
      title: 'Driver',
      description:
        'What the controller speaks. Never guessed: a wrong byte can turn a wheel. "roboclaw" and "sabertooth" (packet serial) measure no distance: it is estimated from speed and time.',
      default: 'cgw1',
    },
    address: {
      type: 'integer',
      minimum: 128,
      maximum: 135,
      title: 'Address (roboclaw, sabertooth)',
      description: 'As it is set on the board with its button or its switches.',
      default: 128,
    },
    heartbeatMs: {
      type: 'integer',
      minimum: 50,
      maximum: 200,
      unit: 'ms',
      title: 'Heartbeat every',
      description: 'How often the controller hears from the gateway.',
      default: 100,
    },
    timeoutMs: {
      type: 'integer',
      minimum: 250,
      maximum: 2000,
      unit: 'ms',
      title: 'Stop after silence of',
      description: 'The controller stops the cart by itself when it hears nothing for this long.',
      default: 500,
    },
    ackTimeoutMs: {
      type: 'integer',
      minimum: 20,
      maximum: 500,
      unit: 'ms',
      title: 'Acknowledgement within',
      description: 'How long a frame may stay unanswered before it is sent again.',
      default: 60,
    },
    retries: {
      type: 'integer',
      minimum: 0,
      maximum: 5,
      title: 'Sent again at most',
      description: 'After that the cart is stopped and the command has failed.',
      default: 2,
    },
    requireChecksum: {
      type: 'boolean',
      title: 'Require checksums (json-lines)',
      description: 'Refuse lines from the controller that carry no checksum.',
      default: true,
    },
    legacyJson: {
      type: 'boolean',
      title: 'Plain lines for an existing sketch (json-lines)',
      description: 'Send {"cartID":1,"distanceID":1000,"angleID":90} and expect no answer.',
      default: false,
    },
  },
} as const;

export const unitsSchema = {
  type: 'object',
  title: 'Units of distanceID and angleID',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['mode', 'distance', 'angle'],
  properties: {
    mode: {
      type: 'string',
      enum: ['direct', 'table'],
      title: 'Numbers are',
      description: '"direct": amounts in the units below. "table": names of entries in the presets.',
      default: 'direct',
    },
    distance: {
      type: 'string',
      enum: ['mm', 'cm', 'dm', 'm'],
      title: 'Distance unit',
      description: 'The smallest is the default, so that a wrong guess moves too little.',
      default: 'mm',
    },
    angle: {
      type: 'string',
      enum: ['deg', 'ddeg', 'cdeg'],
      title: 'Angle unit',
      description: 'Degrees, tenths or hundredths. Positive turns left.',
      default: 'deg',
    },
  },
} as const;

const presetTable = (title: string, unit: string, bound: number) =>
  ({
    type: 'object',
    title,
    propertyNames: { type: 'string', pattern: '^-?\\d{1,9}$' },
    additionalProperties: { type: 'number', minimum: -bound, maximum: bound, unit },
    maxProperties: 200,
    default: {},
  }) as const;

export const presetsSchema = {
  type: 'object',
  title: 'Presets',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['distance', 'angle'],
  properties: {
    distance: presetTable('distanceID to mm', 'mm', HARD.distanceMax),
    angle: presetTable('angleID to degrees', 'deg', HARD.angleMax),
  },
} as const;

export const kinematicsSchema = {
  type: 'object',
  title: 'Kinematics',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['type', 'trackMm', 'maxSteerDeg', 'openLoopMmpsAtFull'],
  properties: {
    type: {
      type: 'string',
      enum: ['differential', 'ackermann'],
      title: 'Drive',
      description: 'Differential: turn in place, then drive. Ackermann: drive at a steering angle.',
      default: 'differential',
    },
    trackMm: {
      type: 'integer',
      minimum: 50,
      maximum: 5000,
      unit: 'mm',
      title: 'Track',
      description: 'Distance between the left and the right wheel.',
      default: 400,
    },
    maxSteerDeg: {
      type: 'integer',
      minimum: 1,
      maximum: 60,
      unit: 'deg',
      title: 'Largest steering angle',
      description: 'Only for Ackermann.',
      default: 30,
    },
    openLoopMmpsAtFull: {
      type: 'integer',
      minimum: 50,
      maximum: 10_000,
      unit: 'mm/s',
      title: 'Speed at full power (roboclaw, sabertooth)',
      description:
        'How fast the cart drives straight ahead at full power: measure it, since distances are estimated with it.',
      default: 1000,
    },
  },
} as const;

export const limitsSchema = {
  type: 'object',
  title: 'Limits',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: [
    'maxDistanceMm',
    'maxAngleDeg',
    'maxSpeedMmps',
    'defaultSpeedMmps',
    'accelMmps2',
    'decelMmps2',
    'minBatteryMv',
    'maxMotorC',
    'ratePerSec',
    'ttlMs',
    'onBusy',
    'remoteHeartbeatMs',
  ],
  properties: {
    maxDistanceMm: {
      type: 'integer',
      minimum: 1,
      maximum: HARD.distanceMax,
      unit: 'mm',
      title: 'Longest move',
      description: 'One command drives no further than this.',
      default: 10_000,
    },
    maxAngleDeg: {
      type: 'integer',
      minimum: 1,
      maximum: HARD.angleMax,
      unit: 'deg',
      title: 'Largest turn',
      description: 'One command turns no further than this.',
      default: 360,
    },
    maxSpeedMmps: {
      type: 'integer',
      minimum: 10,
      maximum: 3000,
      unit: 'mm/s',
      title: 'Top speed',
      description: 'No command is faster, whatever it asks for.',
      default: 300,
    },
    defaultSpeedMmps: {
      type: 'integer',
      minimum: 10,
      maximum: 3000,
      unit: 'mm/s',
      title: 'Usual speed',
      description: 'For commands that name no speed.',
      default: 300,
    },
    accelMmps2: {
      type: 'integer',
      minimum: 10,
      maximum: 5000,
      unit: 'mm/s²',
      title: 'Acceleration',
      description: 'How fast the cart gains speed.',
      default: 500,
    },
    decelMmps2: {
      type: 'integer',
      minimum: 10,
      maximum: 5000,
      unit: 'mm/s²',
      title: 'Braking',
      description: 'How fast the cart loses speed on a stop.',
      default: 500,
    },
    minBatteryMv: {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
      unit: 'mV',
      title: 'Lowest battery voltage',
      description: 'Below it new moves are refused; 10 % lower the cart stops. 0 = not watched.',
      default: 0,
    },
    maxMotorC: {
      type: 'integer',
      minimum: 30,
      maximum: 150,
      unit: '°C',
      title: 'Hottest motor',
      description: 'Above it new moves are refused; 10 °C higher the cart stops.',
      default: 80,
    },
    ratePerSec: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      unit: 'commands/s',
      title: 'Commands a second',
      description: 'For one cart; stops are never counted.',
      default: 20,
    },
    ttlMs: {
      type: 'integer',
      minimum: 100,
      maximum: 10_000,
      unit: 'ms',
      title: 'Must start within',
      description: 'A command that has not started by then never starts.',
      default: 2000,
    },
    onBusy: {
      type: 'string',
      enum: ['replace', 'reject', 'queue'],
      title: 'While the cart is moving',
      description:
        'What a new command does: replace the running one, be refused, or wait its turn (8 at most).',
      default: 'replace',
    },
    remoteHeartbeatMs: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000,
      unit: 'ms',
      title: 'Stop without a site heartbeat after',
      description:
        'A command from another gateway ends with a stop when no signed heartbeat of that gateway has arrived for this long: 500 ms or more. Needs a site key. 0 = not watched.',
      default: 0,
    },
  },
} as const;

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

export const cartListSchema = {
  type: 'array',
  title: 'Other carts',
  apply: 'live',
  maxItems: 1000,
  default: [],
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['cartID', 'name'],
    properties: {
      cartID: { ...cartIdSchema, title: 'Cart number' },
      name: { type: 'string', minLength: 1, maxLength: 64, title: 'Name', default: 'Cart' },
    },
  },
} as const;

export const simulationSchema = {
  type: 'object',
  title: 'Simulation',
  additionalProperties: false,
  apply: 'restart',
  default: {},
  required: ['carts'],
  properties: {
    carts: {
      type: 'array',
      title: 'Simulated carts',
      description: 'Driven over MQTT, only while the motor controller is simulated as well.',
      uniqueItems: true,
      maxItems: 1000,
      items: cartIdSchema,
      default: [2, 3],
    },
  },
} as const;

export type SerialSettings = FromSchema<typeof serialSchema>;
export type UnitsSettings = FromSchema<typeof unitsSchema>;
export type PresetsSettings = FromSchema<typeof presetsSchema>;
export type KinematicsSettings = FromSchema<typeof kinematicsSchema>;
export type LimitsSettings = FromSchema<typeof limitsSchema>;
export type GpioSettings = FromSchema<typeof gpioSchema>;
export type SafetySettings = FromSchema<typeof safetySchema>;

/** The body of `POST /`: the customer's three integers and what may stand beside them. */
export const commandRequestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cartID', 'distanceID', 'angleID'],
  properties: {
    cartID: { ...cartIdSchema },
    distanceID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    angleID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    commandId: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      fault: 'must be a UUID',
    },
    maxSpeed: { type: 'integer', minimum: 1, maximum: 3000, unit: 'mm/s' },
    ttlMs: { type: 'integer', minimum: 100, maximum: 10_000, unit: 'ms' },
    onBusy: { type: 'string', enum: ['replace', 'reject', 'queue'] },
    mode: { type: 'string', enum: ['move', 'jog'] },
    meaning: {
      type: 'string',
      maxLength: 64,
      description:
        'What the numbers were taken to mean, as `/events` tells it. Refused when the settings say otherwise by now.',
    },
  },
} as const;

export type CommandRequest = FromSchema<typeof commandRequestSchema>;
