import type { Frame, FrameBody, FrameOf, NackCode, ResetCause } from '../../carts/index.js';
import {
  CAPS,
  Deframer,
  encodeFrame,
  encodeLine,
  frameOfLine,
  jsonLineOf,
  LineReader,
  RESET_CAUSES,
} from '../../carts/pure.js';
import { HARDWARE } from './motions.js';

/** `head` and `nack` are set if the frame requires a reply. */
export interface BrokenFrame {
  head?: { seq: number; session: number };
  nack?: NackCode;
}

/** A plain-line command from existing Arduino sketches. Distance in mm; angle in degrees, positive left. */
export interface PlainCommand {
  distanceMm: number;
  angleDeg: number;
}

export interface SimulatedDialect {
  push(bytes: Uint8Array): void;
  encode(frame: Frame): Uint8Array;
  /** Sent when the controller starts, so that bytes already on the line cannot corrupt a frame. */
  readonly opening: Uint8Array;
}

export type DialectName = 'cgw1' | 'json-lines';

export interface DialectEvents {
  onFrame: (frame: Frame) => void;
  onBroken: (broken: BrokenFrame) => void;
  onPlain: (command: PlainCommand) => void;
}

export function createDialect(name: DialectName, events: DialectEvents): SimulatedDialect {
  return name === 'cgw1' ? cgw1(events) : jsonLines(events);
}

const NACK_CODES = { type: 'UNKNOWN_TYPE', length: 'BAD_LENGTH', value: 'RANGE' } as const;

function cgw1({ onFrame, onBroken }: DialectEvents): SimulatedDialect {
  const deframer = new Deframer(onFrame, (cause, head) => {
    const isAnswered = cause === 'type' || cause === 'length' || cause === 'value';
    onBroken(head && isAnswered ? { head, nack: NACK_CODES[cause] } : {});
  });
  return { push: (bytes) => deframer.push(bytes), encode: encodeFrame, opening: Uint8Array.of(0) };
}

const COMMANDS = new Set<unknown>(['hello', 'hb', 'move', 'jog', 'stop', 'estop', 'reset', 'limits']);

/** Accepts lines that have no checksum, but always sends a checksum. */
function jsonLines({ onFrame, onBroken, onPlain }: DialectEvents): SimulatedDialect {
  const reader = new LineReader(
    (object) => {
      const plain = plainCommand(object);
      if (plain) return onPlain(plain);
      const frame = frameOfLine(object);
      if (frame) return onFrame(frame);
      onBroken(brokenLine(object));
    },
    { requireChecksum: false },
  );
  const brokenLines = () => reader.counters.checksum + reader.counters.overlong;
  return {
    push(bytes) {
      const before = brokenLines();
      reader.push(bytes);
      for (let count = before; count < brokenLines(); count++) onBroken({});
    },
    encode: (frame) => encodeLine(jsonLineOf(frame), { checksum: true }),
    opening: new Uint8Array(),
  };
}

function plainCommand(object: unknown): PlainCommand | undefined {
  if (typeof object !== 'object' || object === null) return undefined;
  if (!('distanceID' in object && 'angleID' in object)) return undefined;
  const { distanceID, angleID } = object;
  if (typeof distanceID !== 'number' || typeof angleID !== 'number') return undefined;
  return { distanceMm: distanceID, angleDeg: angleID };
}

function brokenLine(object: unknown): BrokenFrame {
  const { t, seq } = (object ?? {}) as { t?: unknown; seq?: unknown };
  if (!Number.isInteger(seq) || Number(seq) < 0 || Number(seq) > 255) return {};
  return {
    head: { seq: Number(seq), session: 0 },
    nack: COMMANDS.has(t) ? 'RANGE' : 'UNKNOWN_TYPE',
  };
}

const MAX_FRAME = 54;
const FIRMWARE = { major: 1, minor: 0, patch: 0 };
const CAPABILITIES = Object.values(CAPS)
  .filter((bit) => bit !== CAPS.protectiveField)
  .reduce((all, bit) => all | bit, 0);

export interface ControllerBoot {
  count: number;
  cause: ResetCause;
  proto: number;
}

/** Returns the reply to a HELLO. An unsupported version also gets a reply, but no session begins. */
export function helloReply(
  boot: ControllerBoot,
  { hostNonce }: FrameOf<'HELLO'>,
  hasField: boolean,
): Extract<FrameBody, { type: 'HELLO_R' }> {
  return {
    type: 'HELLO_R',
    proto: boot.proto,
    caps: CAPABILITIES | (hasField ? CAPS.protectiveField : 0),
    firmware: FIRMWARE,
    maxFrame: MAX_FRAME,
    maxSpeedMmps: HARDWARE.maxSpeedMmps,
    bootCount: boot.count & 0xffff,
    resetCause: RESET_CAUSES[boot.cause],
    hostNonce,
  };
}

/** Returns an Arduino sketch's startup text, which hosts must ignore because it is not a frame. */
export function banner({ count, cause }: ControllerBoot): string {
  const { major, minor, patch } = FIRMWARE;
  return `\r\nCartwright simulated controller ${major}.${minor}.${patch}, start ${count} (${cause})\r\n`;
}
