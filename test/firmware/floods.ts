import { cobsEncode, type FrameBody } from '../../src/carts/serial/codec/codec.js';
import { type Random, wireOf } from '../unit/carts/serial/codec/codec-samples.js';
import type { BenchScript } from './bench-script.js';

const own = { protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500 } as const;
const limits = { maxSpeedMmps: 400, accelMmps2: 400, decelMmps2: 500, omegaMaxDdegps: 900 } as const;
const target = { distanceMm: 900, angleDdeg: 0, maxSpeedMmps: 300, ttlMs: 1500, maxDurationDs: 80 } as const;

/** Frames and noise that arrive back to back. */
export const FLOODS: Readonly<Record<string, (script: BenchScript, random: Random) => Uint8Array>> = {
  HELLO: frame({ type: 'HELLO', ...own, hostNonce: 7 }),
  HEARTBEAT: frame({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }),
  MOVE: frame({ type: 'MOVE', wireId: 9, ...target }),
  'known MOVE': frame({ type: 'MOVE', wireId: 100, ...target }),
  JOG: frame({ type: 'JOG', wireId: 5, speedMmps: 100, omegaDdegps: 0, leaseMs: 500 }),
  STOP: frame({ type: 'STOP', category: 2, wireId: 8 }),
  ESTOP_RESET: frame({ type: 'ESTOP_RESET', nonce: 3 }),
  LIMITS: frame({ type: 'LIMITS', ...limits }),
  ACK: frame({ type: 'ACK', ofType: 'EVENT', code: 0, wireId: 8 }),
  NACK: frame({ type: 'NACK', ofType: 'EVENT', code: 'RANGE', wireId: 8 }),
  'frame of another session': (script) =>
    script.frame({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }, { session: 9 }),
  'unknown type': (_, random) => wireOf([0x11, 0x44, random.int(0, 255), 0x3c]),
  'wrong length': (_, random) => wireOf([0x11, 0x12, random.int(0, 255), 0x3c, 1, 2]),
  'longest frame': (_, random) => wireOf([0x11, 0x77, 1, 0x3c, ...random.bytes(48)]),
  'own STATUS': (_, random) => wireOf([0x10, 0x82, 1, 0x3c, ...random.bytes(37)]),
  'wrong CRC': (_, random) => Buffer.concat([cobsEncode(random.bytes(20)), Buffer.of(0)]),
  zeros: () => Buffer.alloc(20),
  'noise without zeros': (_, random) => random.bytes(30).map((byte) => byte || 1),
  noise: (_, random) => random.bytes(30).map((byte) => (byte < 40 ? 0 : byte)),
  BUILD: () => wireOf([0x11, 0x03, 1, 0x3c]),
  SENSORS: () => wireOf([0x11, 0x04, 1, 0x3c]),
  FIELD: () => wireOf([0x11, 0x16, 1, 0x3c, 150, 0, 150, 0, 1]),
  ESTOP: frame({ type: 'ESTOP', source: 1 }),
};

function frame(body: FrameBody) {
  return (script: BenchScript) => script.frame(body);
}

/** Transmits for about `ms` milliseconds without a gap. */
export function flood(script: BenchScript, random: Random, name: string, ms: number): void {
  const make = FLOODS[name] ?? (() => Buffer.alloc(0));
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < ms * 11.52; ) {
    const part = make(script, random);
    parts.push(part);
    bytes += part.length;
  }
  script.bytes(Buffer.concat(parts));
}
