/**
 * Mixed mode: one speed ahead and one to the side, as RoboClaw and Sabertooth number the commands for it. Source: the
 * manuals of both, RoboClaw user manual chapter "Packet Serial", Sabertooth 2x12 user guide page 18. A board moves only
 * after it has had both.
 */
export const MIXED = {
  forward: 8,
  backward: 9,
  right: 10,
  left: 11,
  /** 0 full reverse, 64 stop, 127 full forward. */
  drive: 12,
  /** 0 full left, 64 straight, 127 full right. */
  turn: 13,
  /** In units of 100 ms; 0 = never stop by itself. */
  serialTimeout: 14,
} as const;

/** A command and its data byte. */
export type MixedCommand = readonly [command: number, value: number];

/** Full power, ahead and back, left and right, in steps. */
export const FULL_STEPS = 127;

const NEUTRAL = 64;

/** Both speeds at zero. */
export const STAND: readonly MixedCommand[] = [
  [MIXED.drive, NEUTRAL],
  [MIXED.turn, NEUTRAL],
];

/** Both speeds, in steps of −127 to 127: + = ahead, + = to the left. */
export function speeds(ahead: number, left: number): readonly MixedCommand[] {
  return [
    [ahead < 0 ? MIXED.backward : MIXED.forward, Math.abs(ahead)],
    [left > 0 ? MIXED.left : MIXED.right, Math.abs(left)],
  ];
}

/** A silence in the unit of both boards, rounded up. */
export function timeoutUnits(ms: number): number {
  return Math.ceil(ms / 100);
}
