import type { FromSchema } from 'json-schema-to-ts';

const lease = { type: 'integer', minimum: 1, maximum: 0xffff_ffff } as const;

export const driveMessageSchemas = {
  /** Takes the lease, or requests it if another client holds the lease. */
  take: {
    type: 'object',
    additionalProperties: false,
    required: ['say'],
    properties: { say: { const: 'take' } },
  },
  /** Hands the lease to the client with the oldest request; accepted only from the lease holder. */
  'hand-over': {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease'],
    properties: { say: { const: 'hand-over' }, lease },
  },
  /** Releases the lease or cancels the request for it. */
  leave: {
    type: 'object',
    additionalProperties: false,
    required: ['say'],
    properties: { say: { const: 'leave' } },
  },
  /** Position of the controls, sent ten times a second while they are held. */
  drive: {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease', 'seq', 'speed', 'turn', 'heard'],
    properties: {
      say: { const: 'drive' },
      lease,
      seq: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
      /** Positive values drive forward. */
      speed: { type: 'integer', minimum: -10_000, maximum: 10_000, unit: 'mm/s' },
      /** Positive values turn left. */
      turn: { type: 'integer', minimum: -360, maximum: 360, unit: 'deg/s' },
      /** Sequence number of the latest state that the page has received. */
      heard: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
    },
  },
  /** The operator holds the control of a motion, such as the run of a route. Sent ten times a second. */
  hold: {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease', 'seq', 'runId', 'heard'],
    properties: {
      say: { const: 'hold' },
      lease,
      seq: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
      runId: { type: 'string', minLength: 1, maxLength: 64 },
      /** Sequence number of the latest state that the page has received. */
      heard: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
    },
  },
  /** The operator released the controls, or their positions are no longer reliable. */
  'let-go': {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease', 'why'],
    properties: {
      say: { const: 'let-go' },
      lease,
      why: { enum: ['released', 'hidden', 'blurred', 'input', 'stale', 'offline'] },
    },
  },
  /** Accepted from every client. Faster than the stop routes, because the socket is already open. */
  stop: {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'kind', 'cartID'],
    properties: {
      say: { const: 'stop' },
      kind: { enum: ['stop', 'estop'] },
      /** `null` stops every cart. */
      cartID: { type: ['integer', 'null'], minimum: 1, maximum: 65_535 },
      /** Any value is accepted, so that an invalid value cannot prevent a latching stop. */
      pressId: {},
    },
  },
} as const;

type Schemas = typeof driveMessageSchemas;
export type DriveMessageType = keyof Schemas;
type DriveMessageOf<K extends DriveMessageType> = FromSchema<Schemas[K]>;
export type DriveMessage = { [K in DriveMessageType]: DriveMessageOf<K> }[DriveMessageType];
export type LetGo = DriveMessageOf<'let-go'>['why'];
