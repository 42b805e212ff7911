import {
  type Field,
  i8,
  i16,
  i32,
  listField,
  nullable,
  numbered,
  oneOfField,
  u8,
  u16,
  u32,
  version,
} from './fields.js';

export const TYPE_BYTES = {
  HELLO: 0x01,
  HEARTBEAT: 0x02,
  SENSORS: 0x04,
  MOVE: 0x10,
  JOG: 0x11,
  STOP: 0x12,
  ESTOP: 0x13,
  ESTOP_RESET: 0x14,
  LIMITS: 0x15,
  FIELD: 0x16,
  HELLO_R: 0x81,
  STATUS: 0x82,
  EVENT: 0x83,
  RANGES: 0x86,
  SENSORS_R: 0x87,
  ACK: 0x90,
  NACK: 0x91,
} as const;

export type FrameType = keyof typeof TYPE_BYTES;

/** Frames of version 1.1, which a host sends only if `CAPS.protectiveField` is set. */
export const FIELD_TYPES = ['SENSORS', 'SENSORS_R', 'FIELD', 'RANGES'] as const satisfies FrameType[];

const MAX_SENSORS = 8;

const armed = numbered(0, [false, true]);
const category = numbered(0, [0, 1, 2]);
const state = numbered(0, ['BOOT', 'IDLE', 'RUNNING', 'STOPPING', 'ESTOP', 'FAULT', 'LINK_LOST']);
const event = numbered(1, ['started', 'finished', 'failed', 'cancelled', 'expired', 'fault']);
// Code 1 (bad CRC) is never sent: a frame with a bad CRC gets no reply, because its header is unreliable.
const nackCode = numbered(2, [
  'BAD_LENGTH',
  'UNKNOWN_TYPE',
  'BAD_SESSION',
  'ESTOP_ACTIVE',
  'FAULT',
  'BUSY',
  'RANGE',
  'EXPIRED',
  'UNSUPPORTED',
  'DISARMED',
]);
// 0 is not a frame type, but is sent in the reply to a frame of unknown type.
const ofType = oneOfField(
  new Map<number, FrameType | 'UNKNOWN'>([
    [0, 'UNKNOWN'],
    ...Object.entries(TYPE_BYTES).map(([name, byte]) => [byte, name as FrameType] as const),
  ]),
);
const celsius = nullable(i8, -128);

/**
 * Frame payloads, with fields in wire order. The field names contain the units: Mm, Mmps (mm/s), Mmps2, Ddeg
 * (0.1 degree, positive = left), Ddegps, Ms, Ds (0.1 s), Mv (mV), Ca (10 mA), C (degrees Celsius). `wireId`
 * identifies a motion; 0 means none or any.
 */
export const PAYLOADS = {
  HELLO: { protoMin: u8, protoMax: u8, heartbeatTimeoutMs: u16, hostNonce: u32 },
  HEARTBEAT: { armed, timeoutMs: u16 },
  SENSORS: {},
  /** `ttlMs` is the time limit for the motion to start. */
  MOVE: { wireId: u32, distanceMm: i32, angleDdeg: i16, maxSpeedMmps: u16, ttlMs: u16, maxDurationDs: u16 },
  JOG: { wireId: u32, speedMmps: i16, omegaDdegps: i16, leaseMs: u16 },
  STOP: { category, wireId: u32 },
  ESTOP: { source: u8 },
  /** `nonce` is the `estopNonce` from the latest STATUS. */
  ESTOP_RESET: { nonce: u16 },
  LIMITS: { maxSpeedMmps: u16, accelMmps2: u16, decelMmps2: u16, omegaMaxDdegps: u16 },
  /** Bit 0 of `flags`: the field is on. The controller uses at least its own margin and reaction time. */
  FIELD: { marginMm: u16, reactionMs: u16, flags: u8 },
  /** `caps`: see CAPS. `hostNonce`: copied from the HELLO. */
  HELLO_R: {
    proto: u8,
    caps: u16,
    firmware: version,
    maxFrame: u8,
    maxSpeedMmps: u16,
    bootCount: u16,
    resetCause: u8,
    hostNonce: u32,
  },
  /** `faults`: see FAULTS. Temperatures and `soc` (percent) are null if not measured. */
  STATUS: {
    uptimeMs: u32,
    state,
    faults: u16,
    estopNonce: u16,
    wireId: u32,
    progressMm: i32,
    odoLeftMm: i32,
    odoRightMm: i32,
    speedMmps: i16,
    omegaDdegps: i16,
    batteryMv: u16,
    batteryCa: i16,
    tempBoardC: celsius,
    tempM1C: celsius,
    tempM2C: celsius,
    soc: nullable(u8, 255),
  },
  EVENT: { wireId: u32, event, code: u8, finalMm: i32, finalDdeg: i16 },
  /**
   * `bumpers` and `blocked`: see BUMPERS and BLOCKED. `rangeMm` is null if nothing is within range; `ageCs`
   * is null if the measurement is older than 2.54 s or missing. Bit 0 of a sensor's `flags`: the measurement
   * is valid.
   */
  RANGES: {
    bumpers: u8,
    blocked: u8,
    ranges: listField(MAX_SENSORS, {
      sensor: u8,
      rangeMm: nullable(u16, 0xffff),
      ageCs: nullable(u8, 0xff),
      flags: u8,
    }),
  },
  /** The angle is relative to straight ahead; 180° is straight back. */
  SENSORS_R: { sensors: listField(MAX_SENSORS, { angleDdeg: i16, fieldOfViewDeg: u8, maxRangeCm: u16 }) },
  ACK: { ofType, code: u8, wireId: u32 },
  NACK: { ofType, code: nackCode, wireId: u32 },
} as const satisfies Record<FrameType, Record<string, Field<unknown>>>;

/**
 * `seq` counts the frames in one direction from 0 to 255 and wraps around; a reply has its request's `seq`.
 * `ackReq` requests an ACK or NACK. `retry` marks a frame that is resent.
 */
export interface FrameHead {
  seq: number;
  session: number;
  ackReq: boolean;
  reply: boolean;
  retry: boolean;
}

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type Payload<T extends FrameType> = {
  -readonly [K in keyof (typeof PAYLOADS)[T]]: ValueOf<(typeof PAYLOADS)[T][K]>;
};

export type FrameBody = { [T in FrameType]: { type: T } & Payload<T> }[FrameType];

export type Frame = FrameHead & FrameBody;

export type FrameOf<T extends FrameType> = Extract<Frame, { type: T }>;

export type ControllerState = FrameOf<'STATUS'>['state'];
export type NackCode = FrameOf<'NACK'>['code'];

/** Bits of `HELLO_R.caps`. `simulated`: the controller has no hardware. */
export const CAPS = {
  closedLoopDistance: 1 << 0,
  heading: 1 << 1,
  odometry: 1 << 2,
  battery: 1 << 3,
  motorTemp: 1 << 4,
  estopInput: 1 << 5,
  brake: 1 << 6,
  protectiveField: 1 << 7,
  simulated: 1 << 15,
} as const;

export const FAULTS = {
  undervolt: 1 << 0,
  overcurrent: 1 << 1,
  overtempM1: 1 << 2,
  overtempM2: 1 << 3,
  overtempBoard: 1 << 4,
  encoder: 1 << 5,
  stall: 1 << 6,
  watchdogReset: 1 << 7,
  brownout: 1 << 8,
  linkLost: 1 << 9,
  crcBurst: 1 << 10,
  obstacle: 1 << 11,
  sensorSilent: 1 << 12,
  estopInput: 1 << 13,
} as const;

/** Bits of `RANGES.bumpers`. */
export const BUMPERS = {
  frontLeft: 1 << 0,
  frontRight: 1 << 1,
  rearLeft: 1 << 2,
  rearRight: 1 << 3,
} as const;

/** Bits of `RANGES.blocked`: the directions in which the controller rejects motion. */
export const BLOCKED = { forward: 1 << 0, backward: 1 << 1, sensorSilent: 1 << 2, turning: 1 << 3 } as const;

type FaultName = keyof typeof FAULTS;

/** Names of the bits that are set, lowest bit first; undefined bits are ignored. */
export function faultNames(faults: number): FaultName[] {
  return (Object.keys(FAULTS) as FaultName[]).filter((name) => faults & FAULTS[name]);
}
