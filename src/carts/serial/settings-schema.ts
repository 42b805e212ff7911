import type { FromSchema } from 'json-schema-to-ts';

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
      basic: true,
      type: 'string',
      pattern: '^(auto|simulated|/[^\\u0000]{1,255})$',
      fault: 'must be "auto", "simulated" or a device path, such as /dev/serial0',
      title: 'Serial device',
      description:
        'Path of a device, such as /dev/serial/by-id/…. "auto" uses /dev/serial0 on a Raspberry Pi and a simulated controller on other machines. "simulated" always uses a simulated controller.',
      default: 'auto',
    },
    baudRate: {
      type: 'integer',
      enum: [9600, 19200, 38400, 57600, 115200, 230400, 250000, 460800],
      unit: 'baud',
      title: 'Baud rate',
      description:
        'CGW1 requires at least 57600. Factory settings: 9600 for a Sabertooth, 38400 for most RoboClaws.',
      default: 115200,
    },
    driver: {
      basic: true,
      type: 'string',
      enum: ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'],
      valueTitles: {
        cgw1: 'CGW1',
        'json-lines': 'JSON lines',
        roboclaw: 'RoboClaw',
        sabertooth: 'Sabertooth',
      },
      title: 'Driver',
      description:
        "The controller's protocol. The gateway never detects it automatically, because a wrong byte can turn a wheel. With RoboClaw and Sabertooth (packet serial), the distance is estimated from speed and time.",
      default: 'cgw1',
    },
    address: {
      type: 'integer',
      minimum: 128,
      maximum: 135,
      title: 'Address (RoboClaw, Sabertooth)',
      description: 'The address set with the button or the switches on the board.',
      default: 128,
    },
    heartbeatMs: {
      type: 'integer',
      minimum: 50,
      maximum: 200,
      unit: 'ms',
      title: 'Heartbeat interval',
      description: 'Time between heartbeats from the gateway to the controller.',
      default: 100,
    },
    timeoutMs: {
      type: 'integer',
      minimum: 250,
      maximum: 2000,
      unit: 'ms',
      title: 'Heartbeat timeout',
      description: 'The controller stops the cart if it receives nothing for this long.',
      default: 500,
    },
    ackTimeoutMs: {
      type: 'integer',
      minimum: 20,
      maximum: 500,
      unit: 'ms',
      title: 'Acknowledgement timeout',
      description: 'If a frame is not acknowledged within this time, the gateway sends it again.',
      default: 60,
    },
    retries: {
      type: 'integer',
      minimum: 0,
      maximum: 5,
      title: 'Retries',
      description: 'If the last retry fails, the cart is stopped and the command fails.',
      default: 2,
    },
    requireChecksum: {
      type: 'boolean',
      title: 'Require checksums (JSON lines)',
      description: 'Reject lines from the controller that have no checksum.',
      default: true,
    },
    legacyJson: {
      type: 'boolean',
      title: 'Plain JSON for existing sketches (JSON lines)',
      description:
        'The gateway sends lines such as {"cartID":1,"distanceID":1000,"angleID":90} and expects no response.',
      default: false,
    },
  },
} as const;

export const kinematicsSchema = {
  type: 'object',
  title: 'Kinematics',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['type', 'trackMm', 'maxSteerDeg', 'openLoopMmpsAtFull', 'footprint'],
  properties: {
    type: {
      type: 'string',
      enum: ['differential', 'ackermann'],
      valueTitles: { differential: 'Differential', ackermann: 'Ackermann' },
      title: 'Drive type',
      description:
        'Differential: the cart turns in place, then drives. Ackermann: the cart steers with its front wheels while driving.',
      default: 'differential',
    },
    trackMm: {
      type: 'integer',
      minimum: 50,
      maximum: 5000,
      unit: 'mm',
      title: 'Track width',
      description: 'Distance between the left and right wheels.',
      default: 400,
    },
    maxSteerDeg: {
      type: 'integer',
      minimum: 1,
      maximum: 60,
      unit: 'deg',
      title: 'Maximum steering angle',
      description: 'Applies only to Ackermann drive.',
      default: 30,
    },
    openLoopMmpsAtFull: {
      type: 'integer',
      minimum: 50,
      maximum: 10_000,
      unit: 'mm/s',
      title: 'Speed at full power (RoboClaw, Sabertooth)',
      description:
        'Speed measured while the cart drives straight ahead at full power. Used to estimate distances.',
      default: 1000,
    },
    footprint: {
      type: 'array',
      title: 'Footprint',
      description:
        'Corners of the outline of the cart and its load, seen from above: 3 to 16 corners in any order, measured from the middle of the drive axle. Notches between the corners count as part of the cart. Without corners, zones cannot be used.',
      maxItems: 16,
      default: [],
      examples: [
        [
          { xMm: 400, yMm: 250 },
          { xMm: -200, yMm: 250 },
          { xMm: -200, yMm: -250 },
          { xMm: 400, yMm: -250 },
        ],
      ],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['xMm', 'yMm'],
        properties: {
          xMm: { type: 'integer', minimum: -5000, maximum: 5000, unit: 'mm', title: 'Forward' },
          yMm: { type: 'integer', minimum: -5000, maximum: 5000, unit: 'mm', title: 'Left' },
        },
      },
    },
  },
} as const;

export type SerialSettings = FromSchema<typeof serialSchema>;
export type KinematicsSettings = FromSchema<typeof kinematicsSchema>;
