import { CAPS, type FrameBody, type FrameOf } from '../../carts/serial/codec/codec.js';
import { RESET_CAUSES, type ResetCause } from '../../carts/serial/codec/event-reasons.js';
import { HARDWARE } from './orders.js';

const MAX_FRAME = 54;
const FIRMWARE = { major: 1, minor: 0, patch: 0 };
const CAPABILITIES = Object.values(CAPS).reduce((all, bit) => all | bit, 0);

/** What a start of the firmware is told about itself. */
export interface Boot {
  /** The first start is 1. */
  count: number;
  cause: ResetCause;
  /** The protocol version that it speaks. */
  proto: number;
}

/** The answer to a HELLO. When the versions do not meet it names the controller's own, and no session begins. */
export function helloReply(
  boot: Boot,
  { hostNonce }: FrameOf<'HELLO'>,
): Extract<FrameBody, { type: 'HELLO_R' }> {
  return {
    type: 'HELLO_R',
    proto: boot.proto,
    caps: CAPABILITIES,
    firmware: FIRMWARE,
    maxFrame: MAX_FRAME,
    maxSpeedMmps: HARDWARE.maxSpeedMmps,
    bootCount: boot.count & 0xffff,
    resetCause: RESET_CAUSES[boot.cause],
    hostNonce,
  };
}

/** What an Arduino sketch prints when it starts: no frame, and no host may stumble over it. */
export function banner({ count, cause }: Boot): string {
  const { major, minor, patch } = FIRMWARE;
  return `\r\nCartwright simulated controller ${major}.${minor}.${patch}, start ${count} (${cause})\r\n`;
}
