import { type BenchEvent, CYCLES_PER_MS } from './bench.js';

/** The sketch's constants: speed at full PWM, and deceleration. */
const FULL_SPEED_MMPS = 800;
const DECEL_MMPS2 = 500;
/** The sketch changes the speed once per tick. */
export const TICK_MS = 10;

/** The stop of a cart whose host was killed, in the board's time. */
export interface Kill {
  /** Time from the last byte of the last complete frame to the first reduction in speed. */
  brakeMs: number;
  /** The duration of the ramp minus the duration that the speed and the deceleration require. */
  rampErrorMs: number;
  /** Time from zero duty to motor enable off. */
  offMs: number;
  ended: boolean;
}

interface Killed {
  /** Cycle of the last byte of the last frame before the kill, and the duty at that time. */
  receivedAt: number;
  duty: number;
  /** The events since the kill. */
  events: readonly BenchEvent[];
}

export function killOf({ receivedAt, duty, events }: Killed): Kill {
  let speed = Math.abs(duty);
  let brake: { cycle: number; speed: number } | undefined;
  let lastMs = receivedAt;
  for (const one of events) {
    if (one.event === 'received') lastMs = one.cycle;
    if (one.event !== 'motor' || one.side !== 'left') continue;
    if (!brake && Math.abs(one.duty) < speed) brake = { cycle: one.cycle, speed };
    speed = Math.abs(one.duty);
  }
  const levels = events.flatMap((one) => (one.event === 'enable' ? [one] : []));
  const off = levels[0]?.cycle ?? Number.NaN;
  const zero = events.find((one) => one.event === 'motor' && one.duty === 0)?.cycle ?? Number.NaN;
  const rampMs = (((brake?.speed ?? 0) / 255) * FULL_SPEED_MMPS * 1000) / DECEL_MMPS2;
  return {
    brakeMs: ((brake?.cycle ?? Number.NaN) - lastMs) / CYCLES_PER_MS,
    rampErrorMs: (off - (brake?.cycle ?? Number.NaN)) / CYCLES_PER_MS - rampMs,
    offMs: (off - zero) / CYCLES_PER_MS,
    ended: levels.length === 1 && levels[0]?.level === 0,
  };
}

/** True if the cart begins to brake in time and motor enable goes low as soon as the ramp ends. */
export function isInTime({ brakeMs, rampErrorMs, offMs, ended }: Kill): boolean {
  const isBraking = brakeMs >= 500 && brakeMs <= 515;
  return isBraking && Math.abs(rampErrorMs) <= 2 * TICK_MS && Math.abs(offMs) <= TICK_MS + 1 && ended;
}

export function killSummary(kills: readonly Kill[]): string {
  const range = (pick: (kill: Kill) => number, digits: number) => {
    const values = kills.map(pick);
    return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)} ms`;
  };
  return [
    `${kills.length} kills: braking begins after ${range(({ brakeMs }) => brakeMs, 1)}`,
    `ramp error ${range(({ rampErrorMs }) => rampErrorMs, 1)}`,
    `zero duty to enable off ${range(({ offMs }) => offMs, 3)}`,
  ].join(', ');
}
