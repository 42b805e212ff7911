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

export type SerialSettings = FromSchema<typeof serialSchema>;
export type KinematicsSettings = FromSchema<typeof kinematicsSchema>;
