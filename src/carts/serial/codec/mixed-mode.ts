/**
 * Commands for a forward speed and a turn speed; RoboClaw and Sabertooth use the same command numbers. A
 * board drives the motors only after it has received both commands. Source: RoboClaw user manual, chapter
 * "Packet Serial"; Sabertooth 2x12 user guide, page 18.
 */
export const MIXED = {
  forward: 8,
  backward: 9,
  right: 10,
  left: 11,
  /** 0 = full reverse, 64 = stop, 127 = full forward. */
  drive: 12,
  /** 0 = full left, 64 = straight, 127 = full right. */
  turn: 13,
  /** In units of 100 ms; 0 disables the timeout. */
  serialTimeout: 14,
} as const;

export type MixedCommand = readonly [command: number, value: number];

/** Speed steps from standstill to full power, in each direction. */
export const FULL_STEPS = 127;

const NEUTRAL = 64;

export const ZERO_SPEED: readonly MixedCommand[] = [
  [MIXED.drive, NEUTRAL],
  [MIXED.turn, NEUTRAL],
];

/** Speeds are in steps from −127 to 127; positive values mean forward and left. */
export function speedCommands(ahead: number, left: number): readonly MixedCommand[] {
  return [
    [ahead < 0 ? MIXED.backward : MIXED.forward, Math.abs(ahead)],
    [left > 0 ? MIXED.left : MIXED.right, Math.abs(left)],
  ];
}

export function timeoutUnits(ms: number): number {
  return Math.ceil(ms / 100);
}
