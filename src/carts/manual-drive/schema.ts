import type { FromSchema } from 'json-schema-to-ts';

const lease = { type: 'integer', minimum: 1, maximum: 0xffff_ffff } as const;

/** What the page of a driver says on the drive socket, one JSON text for each word. */
export const driveMessageSchemas = {
  /** Gives me the lease; while somebody else has it, I ask for it. */
  take: {
    type: 'object',
    additionalProperties: false,
    required: ['say'],
    properties: { say: { const: 'take' } },
  },
  /** The lease goes to whoever has asked first; only its holder can say so. */
  'hand-over': {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease'],
    properties: { say: { const: 'hand-over' }, lease },
  },
  /** I do not want the lease any more, or do not ask for it any more. */
  leave: {
    type: 'object',
    additionalProperties: false,
    required: ['say'],
    properties: { say: { const: 'leave' } },
  },
  /** What the controls say now, ten times a second for as long as they are held. */
  drive: {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'lease', 'seq', 'speed', 'turn', 'heard'],
    properties: {
      say: { const: 'drive' },
      lease,
      /** Rises with every word. */
      seq: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
      /** + = forward. */
      speed: { type: 'integer', minimum: -10_000, maximum: 10_000, unit: 'mm/s' },
      /** + = to the left. */
      turn: { type: 'integer', minimum: -360, maximum: 360, unit: 'deg/s' },
      /** The number of the newest state that the page has: what the driver saw when he decided. */
      heard: { type: 'integer', minimum: 1, maximum: 0xffff_ffff },
    },
  },
  /** The controls are not held any more: by the driver's will, or because the page cannot trust them any more. */
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
  /** Stops, as the routes for it do; from anybody at the socket. A socket is open already when it is needed. */
  stop: {
    type: 'object',
    additionalProperties: false,
    required: ['say', 'kind', 'cartID'],
    properties: {
      say: { const: 'stop' },
      kind: { enum: ['stop', 'estop'] },
      /** null = every cart. */
      cartID: { type: ['integer', 'null'], minimum: 1, maximum: 65_535 },
    },
  },
} as const;

type Schemas = typeof driveMessageSchemas;
export type DriveMessageType = keyof Schemas;
type DriveMessageOf<K extends DriveMessageType> = FromSchema<Schemas[K]>;
export type DriveMessage = { [K in DriveMessageType]: DriveMessageOf<K> }[DriveMessageType];
export type LetGo = DriveMessageOf<'let-go'>['why'];
