import type { FromSchema } from 'json-schema-to-ts';
import { RESET_STEPS, SITE_PLAN_STATES } from '../../command/model.js';
import { BUMPER_NAMES } from '../../protective-field/model.js';
import { TRAVEL_DIRECTIONS } from '../../serial/codec/field-rules.js';
import { commandState, HEADER, header, id, reason, result, text } from './schema.js';

/** The field names are from VDA 5050; additional fields are under `x`. */

const rate = { type: 'number', minimum: -100_000, maximum: 100_000 } as const;

const pose = {
  type: 'object',
  required: ['x', 'y', 'theta'],
  properties: { x: { type: 'number' }, y: { type: 'number' }, theta: { type: 'number' } },
} as const;

const amount = { type: ['number', 'null'] } as const;

const telemetry = {
  type: 'object',
  required: [
    'state',
    'faults',
    'progressMm',
    'odoLeftMm',
    'odoRightMm',
    'speedMmps',
    'omegaDdegps',
    'batteryMv',
    'batteryCa',
    'soc',
    'tempBoardC',
    'tempM1C',
    'tempM2C',
  ],
  properties: {
    state: { type: 'string', enum: ['BOOT', 'IDLE', 'RUNNING', 'STOPPING', 'ESTOP', 'FAULT', 'LINK_LOST'] },
    faults: { type: 'array', maxItems: 20, items: text },
    progressMm: { type: 'number' },
    odoLeftMm: { type: 'number' },
    odoRightMm: { type: 'number' },
    speedMmps: { type: 'number' },
    omegaDdegps: { type: 'number' },
    batteryMv: amount,
    batteryCa: amount,
    soc: amount,
    tempBoardC: amount,
    tempM1C: amount,
    tempM2C: amount,
  },
} as const;

const field = {
  type: 'object',
  required: ['sensors', 'bumpers', 'blocked', 'ageS'],
  properties: {
    sensors: {
      type: 'array',
      maxItems: 8,
      items: {
        type: 'object',
        required: ['angleDeg', 'fieldOfViewDeg', 'maxRangeMm', 'rangeMm', 'valid'],
        properties: {
          angleDeg: { type: 'number' },
          fieldOfViewDeg: { type: 'number' },
          maxRangeMm: { type: 'number' },
          rangeMm: amount,
          valid: { type: 'boolean' },
        },
      },
    },
    bumpers: { type: 'array', maxItems: 4, items: { type: 'string', enum: BUMPER_NAMES } },
    blocked: { type: 'array', maxItems: 3, items: { type: 'string', enum: TRAVEL_DIRECTIONS } },
    ageS: { type: 'number' },
  },
} as const;

/** Position on the floor plan, in mm and degrees. */
const location = {
  type: 'object',
  required: ['xMm', 'yMm', 'headingDeg', 'covariance', 'ellipse', 'state', 'ageMs', 'suspiciousMarkers'],
  properties: {
    xMm: { type: 'number' },
    yMm: { type: 'number' },
    headingDeg: { type: 'number' },
    covariance: {
      type: 'array',
      minItems: 3,
      maxItems: 3,
      items: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'number' } },
    },
    ellipse: {
      type: 'object',
      required: ['semiMajorMm', 'semiMinorMm', 'angleDeg', 'probability'],
      properties: {
        semiMajorMm: { type: 'number' },
        semiMinorMm: { type: 'number' },
        angleDeg: { type: 'number' },
        probability: { type: 'number' },
      },
    },
    state: { type: 'string', enum: ['LOST', 'COARSE', 'GOOD'] },
    ageMs: {
      type: 'object',
      required: ['odometry', 'markers', 'beacons'],
      properties: { odometry: amount, markers: amount, beacons: amount },
    },
    suspiciousMarkers: { type: 'array', maxItems: 587, items: { type: 'integer' } },
  },
} as const;

const velocity = { type: 'object', properties: { vx: rate, omega: rate } } as const;

export const visualizationMessageSchema = {
  type: 'object',
  required: [...HEADER],
  properties: { ...header, mobileRobotPosition: pose, velocity },
} as const;

export const stateMessageSchema = {
  type: 'object',
  required: [...HEADER, 'driving', 'safetyState'],
  properties: {
    ...header,
    orderId: { type: 'string', maxLength: 64 },
    driving: { type: 'boolean' },
    paused: { type: 'boolean' },
    instantActionStates: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        required: ['actionId', 'actionStatus'],
        properties: { actionId: id, actionStatus: id, resultDescription: text },
      },
    },
    mobileRobotPosition: pose,
    velocity,
    safetyState: {
      type: 'object',
      required: ['activeEmergencyStop'],
      properties: { activeEmergencyStop: { type: 'string', enum: ['NONE', 'MANUAL', 'REMOTE'] } },
    },
    /** Additional fields of Cartwright gateways, which are copied into the cart's view. */
    x: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64 },
        simulated: { type: 'boolean' },
        online: { type: 'boolean' },
        reason: text,
        controlledBy: id,
        /** How often the gateway's identity has been restored from a backup; absent means 0. */
        generation: { type: 'integer', minimum: 0, maximum: 999_999_999 },
        safety: {
          type: 'object',
          required: ['mayMove', 'reason', 'code', 'emergencyStop', 'input', 'pins', 'resetNeeds'],
          properties: {
            mayMove: { type: 'boolean' },
            reason: text,
            code: { type: 'string', maxLength: 64 },
            emergencyStop: { type: 'string', enum: ['NONE', 'MANUAL', 'REMOTE'] },
            stoppedBy: text,
            stoppedAt: id,
            pressId: id,
            input: { type: 'string', enum: ['healthy', 'asserted', 'unavailable', 'off'] },
            pins: { type: 'string', enum: ['simulated', 'onoff', 'gpiod', 'none'] },
            resetNeeds: text,
            resetStep: {
              type: 'object',
              required: ['code', 'onCart', 'healthyMs'],
              properties: {
                code: { type: 'string', enum: RESET_STEPS },
                onCart: { type: 'boolean' },
                healthyMs: { type: 'number' },
              },
            },
          },
        },
        telemetry,
        field,
        location,
        sitePlan: {
          type: 'object',
          required: ['version', 'planHash', 'state'],
          properties: {
            version: { type: 'integer', minimum: 0 },
            planHash: { type: ['string', 'null'], maxLength: 64 },
            state: { type: 'string', enum: SITE_PLAN_STATES },
          },
        },
        faults: {
          type: 'array',
          maxItems: 20,
          items: { type: 'object', required: ['path', 'message'], properties: { path: text, message: text } },
        },
        commands: {
          type: 'array',
          maxItems: 40,
          items: {
            type: 'object',
            required: ['commandId', 'state'],
            properties: { commandId: id, state: commandState, reason, result },
          },
        },
      },
    },
  },
} as const;

export type VisualizationMessage = FromSchema<typeof visualizationMessageSchema>;
export type StateMessage = FromSchema<typeof stateMessageSchema>;
