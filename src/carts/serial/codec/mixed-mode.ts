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
  /** Sets the timeout in units of 100 ms; 0 disables it. */
  serialTimeout: 14,
} as const;

export type MixedCommand = readonly [command: number, value: number];

/** Speed steps from standstill to full power, in each direction. */
export const FULL_STEPS = 127;

/**
 * Value 0 of commands 8 and 10 is a standstill in every edition of the manuals. Commands 12 and 13 are not used,
 * because the RoboClaw manual describes value 0 of command 13 both as "full left" and as "stop turn".
 */
export const ZERO_SPEED: readonly MixedCommand[] = [
  [MIXED.forward, 0],
  [MIXED.right, 0],
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
