/** The frames of CGW1 as the objects of json-lines: the same words and rules in another dress, without a session. */
import type { Frame, FrameHead, FrameType } from './frames.js';
import { packRaw } from './raw-frame.js';

interface Dress {
  /** The line's `t`. */
  t: string;
  /** Payload fields and their keys, in the order they are written. */
  keys: Record<string, string>;
}

const DRESSES: Record<FrameType, Dress> = {
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
const ANSWERS = new Set<string>(['HELLO_R', 'ACK', 'NACK']);
const UNANSWERED = new Set<string>(['HEARTBEAT', 'JOG', 'STATUS', ...ANSWERS]);
/** Null, when a line does not have it; every other number is then 0. */
const NULLABLE = new Set(['tempM1C', 'tempM2C', 'soc']);
/** Not in the line of a STATUS, which would be too long with them; read as if never measured. */
const LEFT_OUT = { uptimeMs: 0, batteryCa: 0, tempBoardC: null };

/**
 * The object of a frame's line. What is null is left out, and session, uptime, battery current and board temperature
 * always are.
 */
export function lineOf(frame: Frame): Record<string, unknown> {
  const { t, keys } = DRESSES[frame.type];
  const values: Record<string, unknown> = { ...frame };
  const line: Record<string, unknown> = { v: 1, t };
  if (HAS_WIRE_ID.has(frame.type)) line.id = values.wireId;
  line.seq = frame.seq;
  if (frame.retry) line.re = 1;
  for (const [name, key] of Object.entries(keys)) {
    if (values[name] !== null) line[key] = undress(name, values[name]);
  }
  return line;
}

/**
 * The frame of a line's object, or undefined when it is none of version 1, or holds a value that its frame could
 * not. `session` is 0; `ackReq` and `reply` follow from the type.
 */
export function frameOfLine(object: unknown): Frame | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  const line: Record<string, unknown> = { ...object };
  const type = typeOf(line);
  if (line.v !== 1 || !type) return undefined;
  const head: FrameHead = {
    seq: typeof line.seq === 'number' ? line.seq : 0,
    session: 0,
    ackReq: !UNANSWERED.has(type),
    reply: ANSWERS.has(type),
    retry: line.re === 1,
  };
  const frame: Record<string, unknown> = { type, ...head };
  if (HAS_WIRE_ID.has(type)) frame.wireId = line.id ?? 0;
  if (type === 'STATUS') Object.assign(frame, LEFT_OUT);
  for (const [name, key] of Object.entries(DRESSES[type].keys)) frame[name] = dress(name, line[key]);
  return checked(frame);
}

function typeOf(line: Record<string, unknown>): FrameType | undefined {
  // Both sides say hello; only the controller's says which protocol it chose.
  if (line.t === 'hello') return 'proto' in line ? 'HELLO_R' : 'HELLO';
  const found = Object.entries(DRESSES).find(([, { t }]) => t === line.t);
  return found?.[0] as FrameType | undefined;
}

/** Whatever fits on the CGW1 wire is a frame. */
function checked(frame: Record<string, unknown>): Frame | undefined {
  const candidate = frame as unknown as Frame;
  try {
    packRaw(candidate);
    return candidate;
  } catch {
    return undefined;
  }
}

function undress(name: string, value: unknown): unknown {
  if (name === 'armed') return value ? 1 : 0;
  if (name !== 'firmware' || typeof value !== 'object' || value === null) return value;
  return Object.values(value).join('.');
}

function dress(name: string, value: unknown): unknown {
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
