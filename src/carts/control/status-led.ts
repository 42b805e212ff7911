/** What the status LED tells from across the hall. Off means that the gateway is down. */
export type LedPattern = 'ready' | 'moving' | 'estop' | 'serial-down' | 'broker-down';

const SLOT_MS = 125;
/** One character for each eighth of a second, repeated for ever. */
const PATTERNS: Record<LedPattern, string> = {
  ready: '####----',
  moving: '#',
  estop: '#-',
  'broker-down': '#-#-------------',
  'serial-down': '#-#-#-----------',
};

/** Whether the LED is on at this moment of the monotonic clock. Pure. */
export function ledLevel(pattern: LedPattern, nowMs: number): boolean {
  const slots = PATTERNS[pattern];
  return slots[Math.floor(nowMs / SLOT_MS) % slots.length] === '#';
}
