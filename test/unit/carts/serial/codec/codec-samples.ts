import {
  cobsEncode,
  crc16,
  type Frame,
  type FrameBody,
  type FrameType,
} from '../../../../../src/carts/serial/codec/codec.js';
import { randomFrom } from '../../../../helpers/random.js';

/** Generates reproducible pseudo-random values. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  /** Returns an integer from `min` to `max`, inclusive, with a bias towards both ends. */
  int(min: number, max: number): number {
    const chance = this.#next();
    if (chance < 0.05) return min;
    if (chance > 0.95) return max;
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  flag(): boolean {
    return this.#next() < 0.5;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.#next() * choices.length)] ?? choices[0];
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => Math.floor(this.#next() * 256));
  }
}

type Samples = { [T in FrameType]: (r: Random) => Extract<FrameBody, { type: T }> };

const u8 = (r: Random) => r.int(0, 255);
const u16 = (r: Random) => r.int(0, 65535);
const i16 = (r: Random) => r.int(-32768, 32767);
const u32 = (r: Random) => r.int(0, 2 ** 32 - 1);
const i32 = (r: Random) => r.int(-(2 ** 31), 2 ** 31 - 1);
const celsius = (r: Random) => r.pick([null, r.int(-127, 127)]);
const ofType = (r: Random) =>
  r.pick<FrameType | 'UNKNOWN'>(['UNKNOWN', 'HELLO', 'MOVE', 'STOP', 'EVENT', 'NACK']);

const listOf = <T>(r: Random, item: () => T): T[] => Array.from({ length: r.int(0, 8) }, item);

/** One sample body per frame type; a missing type is a compile error. */
const SAMPLES: Samples = {
  HELLO: (r) => ({
    type: 'HELLO',
    protoMin: u8(r),
    protoMax: u8(r),
    heartbeatTimeoutMs: u16(r),
    hostNonce: u32(r),
  }),
  HELLO_R: (r) => ({
    type: 'HELLO_R',
    proto: u8(r),
    caps: u16(r),
    firmware: { major: u8(r), minor: u8(r), patch: u8(r) },
    maxFrame: u8(r),
    maxSpeedMmps: u16(r),
    bootCount: u16(r),
    resetCause: u8(r),
    hostNonce: u32(r),
  }),
  HEARTBEAT: (r) => ({ type: 'HEARTBEAT', armed: r.flag(), timeoutMs: u16(r) }),
  MOVE: (r) => ({
    type: 'MOVE',
    wireId: u32(r),
    distanceMm: i32(r),
    angleDdeg: i16(r),
    maxSpeedMmps: u16(r),
    ttlMs: u16(r),
    maxDurationDs: u16(r),
  }),
  JOG: (r) => ({ type: 'JOG', wireId: u32(r), speedMmps: i16(r), omegaDdegps: i16(r), leaseMs: u16(r) }),
  STOP: (r) => ({ type: 'STOP', category: r.pick([0, 1, 2]), wireId: u32(r) }),
  ESTOP: (r) => ({ type: 'ESTOP', source: u8(r) }),
  ESTOP_RESET: (r) => ({ type: 'ESTOP_RESET', nonce: u16(r) }),
  LIMITS: (r) => ({
    type: 'LIMITS',
    maxSpeedMmps: u16(r),
    accelMmps2: u16(r),
    decelMmps2: u16(r),
    omegaMaxDdegps: u16(r),
  }),
  STATUS: (r) => ({
    type: 'STATUS',
    uptimeMs: u32(r),
    state: r.pick(['BOOT', 'IDLE', 'RUNNING', 'STOPPING', 'ESTOP', 'FAULT', 'LINK_LOST']),
    faults: u16(r),
    estopNonce: u16(r),
    wireId: u32(r),
    progressMm: i32(r),
    odoLeftMm: i32(r),
    odoRightMm: i32(r),
    speedMmps: i16(r),
    omegaDdegps: i16(r),
    batteryMv: u16(r),
    batteryCa: i16(r),
    tempBoardC: celsius(r),
    tempM1C: celsius(r),
    tempM2C: celsius(r),
    soc: r.pick([null, r.int(0, 100)]),
  }),
  EVENT: (r) => ({
    type: 'EVENT',
    wireId: u32(r),
    event: r.pick(['started', 'finished', 'failed', 'cancelled', 'expired', 'fault']),
    code: u8(r),
    finalMm: i32(r),
    finalDdeg: i16(r),
  }),
  SENSORS: () => ({ type: 'SENSORS' }),
  FIELD: (r) => ({ type: 'FIELD', marginMm: u16(r), reactionMs: u16(r), flags: u8(r) }),
  RANGES: (r) => ({
    type: 'RANGES',
    bumpers: u8(r),
    blocked: u8(r),
    ranges: listOf(r, () => ({
      sensor: u8(r),
      rangeMm: r.pick([null, r.int(0, 65534)]),
      ageCs: r.pick([null, r.int(0, 254)]),
      flags: u8(r),
    })),
  }),
  SENSORS_R: (r) => ({
    type: 'SENSORS_R',
    sensors: listOf(r, () => ({ angleDdeg: i16(r), fieldOfViewDeg: u8(r), maxRangeCm: u16(r) })),
  }),
  ACK: (r) => ({ type: 'ACK', ofType: ofType(r), code: u8(r), wireId: u32(r) }),
  NACK: (r) => ({
    type: 'NACK',
    ofType: ofType(r),
    code: r.pick([
      'BAD_LENGTH',
      'UNKNOWN_TYPE',
      'BAD_SESSION',
      'ESTOP_ACTIVE',
      'FAULT',
      'BUSY',
      'RANGE',
      'DISARMED',
    ]),
    wireId: u32(r),
  }),
};

/** Encodes a raw frame, which may be invalid, with a valid CRC. */
export function wireOf(raw: ArrayLike<number>): Uint8Array {
  const bytes = Uint8Array.from(raw);
  const crc = crc16(bytes);
  return Uint8Array.of(...cobsEncode(Uint8Array.of(...bytes, crc & 0xff, crc >> 8)), 0);
}

/** Returns one frame of every type, with values from the wire types' full range. */
export function sampleFrames(r: Random): Frame[] {
  return Object.values(SAMPLES).map((sample) => ({
    seq: u8(r),
    session: u8(r),
    ackReq: r.flag(),
    reply: r.flag(),
    retry: r.flag(),
    ...sample(r),
  }));
}
