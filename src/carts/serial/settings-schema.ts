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
      type: 'string',
      pattern: '^(auto|simulated|/[^\\u0000]{1,255})$',
      fault: 'must be "auto", "simulated", or the path of a device, such as /dev/serial0',
      title: 'Serial device',
      description:
        'A device such as /dev/serial/by-id/…. "auto": /dev/serial0 on a Raspberry Pi, the simulated controller on other machines. "simulated": always the simulated controller.',
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
      type: 'string',
      enum: ['cgw1', 'json-lines', 'roboclaw', 'sabertooth'],
      title: 'Driver',
      description:
        'Protocol of the controller. It is never detected automatically: a wrong byte can turn a wheel. With "roboclaw" and "sabertooth" (packet serial), distance is estimated from speed and time.',
      default: 'cgw1',
    },
    address: {
      type: 'integer',
      minimum: 128,
      maximum: 135,
      title: 'Address (roboclaw, sabertooth)',
      description: 'As set on the board with its button or switches.',
      default: 128,
    },
    heartbeatMs: {
      type: 'integer',
      minimum: 50,
      maximum: 200,
      unit: 'ms',
      title: 'Heartbeat interval',
      description: 'How often the gateway sends a heartbeat to the controller.',
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
      description: 'A frame without an acknowledgement is sent again after this time.',
      default: 60,
    },
    retries: {
      type: 'integer',
      minimum: 0,
      maximum: 5,
      title: 'Retries',
      description: 'After the last retry the cart is stopped and the command fails.',
      default: 2,
    },
    requireChecksum: {
      type: 'boolean',
      title: 'Require checksums (json-lines)',
      description: 'Reject lines from the controller without a checksum.',
      default: true,
    },
    legacyJson: {
      type: 'boolean',
      title: 'Plain lines for an existing sketch (json-lines)',
      description: 'Send {"cartID":1,"distanceID":1000,"angleID":90} and expect no response.',
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
  required: ['type', 'trackMm', 'maxSteerDeg', 'openLoopMmpsAtFull'],
  properties: {
    type: {
      type: 'string',
      enum: ['differential', 'ackermann'],
      title: 'Drive type',
      description: 'Differential: turns in place, then drives. Ackermann: drives at a steering angle.',
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
      description: 'Only for Ackermann.',
      default: 30,
    },
    openLoopMmpsAtFull: {
      type: 'integer',
      minimum: 50,
      maximum: 10_000,
      unit: 'mm/s',
      title: 'Speed at full power (roboclaw, sabertooth)',
      description: 'Measured speed straight ahead at full power. Distances are estimated from it.',
      default: 1000,
    },
  },
} as const;

export type SerialSettings = FromSchema<typeof serialSchema>;
export type KinematicsSettings = FromSchema<typeof kinematicsSchema>;
