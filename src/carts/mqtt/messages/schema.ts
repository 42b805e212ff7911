import type { FromSchema } from 'json-schema-to-ts';
import { MAX_WIRE_LENGTH } from '../../../shared/actor.js';
import { COMMAND_STATES } from '../../command/model.js';
import { cartIdSchema, HARD } from '../../command/request-schema.js';

/** Schemas of received messages, based on VDA 5050. Other gateway versions may send unknown fields. */

export const id = { type: 'string', minLength: 1, maxLength: MAX_WIRE_LENGTH } as const;
export const text = { type: 'string', maxLength: 512 } as const;
const u32 = { type: 'integer', minimum: 0, maximum: 4_294_967_295 } as const;

export const header = { headerId: u32, cartID: cartIdSchema, gatewayId: id, sessionId: id } as const;
export const HEADER = ['headerId', 'cartID', 'gatewayId', 'sessionId'] as const;

export const reason = {
  type: 'object',
  required: ['code', 'text'],
  properties: { code: id, text, zoneId: id, freeDistanceMm: { type: 'number', minimum: 0 } },
} as const;

export const result = {
  type: 'object',
  required: ['distanceMm', 'angleDeg', 'estimated'],
  properties: {
    distanceMm: { type: 'number' },
    angleDeg: { type: 'number' },
    estimated: { type: 'boolean' },
  },
} as const;

export const commandState = { type: 'string', enum: COMMAND_STATES } as const;

/** The target cart's state that a request is based on. */
export const basisSchema = {
  type: 'object',
  required: ['sessionId', 'stateHeaderId'],
  properties: { sessionId: id, stateHeaderId: u32 },
} as const;

/** The user, API key or gateway that sent the request, and the gateway that received it. */
const origin = {
  type: 'object',
  required: ['gatewayId', 'principal'],
  properties: { gatewayId: id, source: { type: 'string', maxLength: 16 }, principal: id },
} as const;

export const commandMessageSchema = {
  type: 'object',
  required: [
    ...HEADER,
    'commandId',
    'seq',
    'distanceID',
    'angleID',
    'distanceMm',
    'angleDeg',
    'maxSpeed',
    'ttlMs',
    'basis',
    'origin',
  ],
  properties: {
    ...header,
    commandId: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    },
    /** Counts one sender's commands to one cart, so that an older command never replaces a newer one. */
    seq: u32,
    kind: { type: 'string', enum: ['move', 'jog', 'stop'] },
    distanceID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    angleID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    distanceMm: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    angleDeg: { type: 'number', minimum: -HARD.angleMax, maximum: HARD.angleMax },
    maxSpeed: { type: 'integer', minimum: 1, maximum: 3000 },
    ttlMs: { type: 'integer', minimum: 100, maximum: 10_000 },
    onBusy: { type: 'string', enum: ['replace', 'reject', 'queue'] },
    basis: basisSchema,
    origin,
  },
} as const;

export const ackMessageSchema = {
  type: 'object',
  required: [...HEADER, 'commandId', 'state'],
  properties: {
    ...header,
    commandId: id,
    state: commandState,
    reason,
    result,
    inReplyTo: {
      type: 'object',
      required: ['gatewayId'],
      properties: { gatewayId: id, sessionId: id },
    },
  },
} as const;

export const instantActionsMessageSchema = {
  type: 'object',
  required: ['headerId', 'gatewayId', 'sessionId', 'actions'],
  properties: {
    headerId: u32,
    gatewayId: id,
    sessionId: id,
    /** Used only for display, and only if the broker authenticates its clients. */
    origin,
    actions: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        required: ['actionType', 'actionId'],
        properties: {
          actionType: id,
          actionId: id,
          actionParameters: {
            type: 'array',
            maxItems: 20,
            items: { type: 'object', required: ['key', 'value'], properties: { key: id, value: {} } },
          },
        },
      },
    },
  },
} as const;

export const connectionMessageSchema = {
  type: 'object',
  required: [...HEADER, 'connectionState'],
  properties: {
    ...header,
    connectionState: {
      type: 'string',
      // VDA 5050 3.0 uses CONNECTION_BROKEN; 2.1 uses CONNECTIONBROKEN.
      enum: ['ONLINE', 'OFFLINE', 'HIBERNATING', 'CONNECTION_BROKEN', 'CONNECTIONBROKEN'],
    },
  },
} as const;

export const heartbeatMessageSchema = {
  type: 'object',
  required: [...HEADER, 'counter', 'signature'],
  properties: {
    ...header,
    /** Increases with every heartbeat in a session. */
    counter: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    /** HMAC-SHA256, base64url. */
    signature: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
  },
} as const;

export type CommandMessage = FromSchema<typeof commandMessageSchema>;
export type AckMessage = FromSchema<typeof ackMessageSchema>;
export type InstantActionsMessage = FromSchema<typeof instantActionsMessageSchema>;
export type ConnectionMessage = FromSchema<typeof connectionMessageSchema>;
export type HeartbeatMessage = FromSchema<typeof heartbeatMessageSchema>;
export type Basis = FromSchema<typeof basisSchema>;
