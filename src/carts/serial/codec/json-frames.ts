/** CGW1 frames as JSON objects for the json-lines protocol, which has no sessions. */

import { packRaw } from './codec.js';
import { FIELD_TYPES, type Frame, type FrameHead, type FrameType } from './frames.js';

interface LineFormat {
  t: string;
  /** Payload fields and their JSON keys, in output order. */
  keys: Record<string, string>;
}

type LineType = Exclude<FrameType, (typeof FIELD_TYPES)[number]>;

const LINE_FORMATS: Record<LineType, LineFormat> = {
  HELLO: { t: 'hello', keys: { protoMin: 'min', protoMax: 'max', heartbeatTimeoutMs: 'hb', hostNonce: 'n' } },
  HEARTBEAT: { t: 'hb', keys: { armed: 'arm', timeoutMs: 'hb' } },
  MOVE: {
    t: 'move',
    keys: { distanceMm: 'd', angleDdeg: 'a', maxSpeedMmps: 's', ttlMs: 'ttl', maxDurationDs: 'max' },
  },
  JOG: { t: 'jog', keys: { speedMmps: 's', omegaDdegps: 'w', leaseMs: 'lease' } },
  STOP: { t: 'stop', keys: { category: 'c' } },
  ESTOP: { t: 'estop', keys: { source: 'src' } },
  ESTOP_RESET: { t: 'reset', keys: { nonce: 'n' } },
  LIMITS: {
    t: 'limits',
    keys: { maxSpeedMmps: 's', accelMmps2: 'acc', decelMmps2: 'dec', omegaMaxDdegps: 'w' },
  },
  HELLO_R: {
    t: 'hello',
    keys: {
      proto: 'proto',
      caps: 'caps',
      firmware: 'fw',
      maxFrame: 'len',
      maxSpeedMmps: 's',
      bootCount: 'boot',
      resetCause: 'why',
      hostNonce: 'n',
    },
  },
  STATUS: {
    t: 'status',
    keys: {
      state: 'st',
      faults: 'f',
      estopNonce: 'n',
      progressMm: 'd',
      odoLeftMm: 'ol',
      odoRightMm: 'or',
      speedMmps: 's',
      omegaDdegps: 'w',
      batteryMv: 'mv',
      tempM1C: 't1',
      tempM2C: 't2',
      soc: 'ch',
    },
  },
  EVENT: { t: 'event', keys: { event: 'e', code: 'c', finalMm: 'd', finalDdeg: 'a' } },
  ACK: { t: 'ack', keys: { ofType: 'of', code: 'c' } },
  NACK: { t: 'nack', keys: { ofType: 'of', code: 'c' } },
};

const HAS_WIRE_ID = new Set<string>(['MOVE', 'JOG', 'STOP', 'STATUS', 'EVENT', 'ACK', 'NACK']);
const REPLIES = new Set<string>(['HELLO_R', 'ACK', 'NACK']);
const UNACKNOWLEDGED = new Set<string>(['HEARTBEAT', 'JOG', 'STATUS', ...REPLIES]);
/** These fields are null if missing from a line; all other missing numbers are read as 0. */
const NULLABLE = new Set(['tempM1C', 'tempM2C', 'soc']);
/** Fields that are omitted from STATUS lines, which would otherwise be too long. */
const OMITTED = { uptimeMs: 0, batteryCa: 0, tempBoardC: null };

function isLineType(type: FrameType): type is LineType {
  return !(FIELD_TYPES as readonly FrameType[]).includes(type);
}

/**
 * Omits null values and the fields in `OMITTED`. Throws a RangeError for a frame of the protective field,
 * which the json-lines protocol does not support.
 */
export function jsonLineOf(frame: Frame): Record<string, unknown> {
  if (!isLineType(frame.type)) throw new RangeError(`json-lines has no ${frame.type}`);
  const { t, keys } = LINE_FORMATS[frame.type];
  const values: Record<string, unknown> = { ...frame };
  const line: Record<string, unknown> = { v: 1, t };
  if (HAS_WIRE_ID.has(frame.type)) line.id = values.wireId;
  line.seq = frame.seq;
  if (frame.retry) line.re = 1;
  for (const [name, key] of Object.entries(keys)) {
    if (values[name] !== null) line[key] = toJson(name, values[name]);
  }
  return line;
}

/** Returns a frame with session 0, or undefined if the object is not a valid version 1 frame. */
export function frameOfLine(object: unknown): Frame | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const line: Record<string, unknown> = { ...object };
  const type = typeOf(line);
  if (line.v !== 1 || !type) return undefined;
  const head: FrameHead = {
    seq: typeof line.seq === 'number' ? line.seq : 0,
    session: 0,
    ackReq: !UNACKNOWLEDGED.has(type),
    reply: REPLIES.has(type),
    retry: line.re === 1,
  };
  const frame: Record<string, unknown> = { type, ...head };
  if (HAS_WIRE_ID.has(type)) frame.wireId = line.id ?? 0;
  if (type === 'STATUS') Object.assign(frame, OMITTED);
  for (const [name, key] of Object.entries(LINE_FORMATS[type].keys)) frame[name] = fromJson(name, line[key]);
  return checked(frame);
}

function typeOf(line: Record<string, unknown>): LineType | undefined {
  // Both sides send `hello`; only the controller's message contains the chosen protocol version.
  if (line.t === 'hello') return 'proto' in line ? 'HELLO_R' : 'HELLO';
  const found = Object.entries(LINE_FORMATS).find(([, { t }]) => t === line.t);
  return found?.[0] as LineType | undefined;
}

function checked(frame: Record<string, unknown>): Frame | undefined {
  const candidate = frame as unknown as Frame;
  try {
    packRaw(candidate);
    return candidate;
  } catch {
    return undefined;
  }
}

function toJson(name: string, value: unknown): unknown {
  if (name === 'armed') return value ? 1 : 0;
  if (name !== 'firmware' || typeof value !== 'object' || value === null) return value;
  return Object.values(value).join('.');
}

function fromJson(name: string, value: unknown): unknown {
  if (name === 'armed') return value === 1 ? true : value === 0 ? false : value;
  if (name === 'firmware') {
    const [major = 0, minor = 0, patch = 0] = String(value ?? '')
      .split('.')
      .map(Number);
    return { major, minor, patch };
  }
  if (name === 'ofType') return value ?? 'UNKNOWN';
  return value ?? (NULLABLE.has(name) ? null : 0);
}
