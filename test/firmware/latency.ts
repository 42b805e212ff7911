import { FAULTS } from '../../src/carts/serial/codec/codec.js';
import type { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { type BenchEvent, CYCLES_PER_MS, sentFrames } from './bench.js';
import type { BenchScript } from './bench-script.js';

/**
 * Returns the time from each press to motor enable off, in ms: 0 if enable was already off, and Infinity if it
 * stayed on until the next press.
 */
export function latencies(events: BenchEvent[], input: 'estop' | 'bumper' = 'estop'): number[] {
  const times: number[] = [];
  let level = 0;
  let pressedAt: number | undefined;
  for (const one of events) {
    if (one.event === input && one.pressed === 1) {
      if (pressedAt !== undefined) times.push(Number.POSITIVE_INFINITY);
      pressedAt = one.cycle;
      if (level === 1) continue;
      times.push(0);
      pressedAt = undefined;
    }
    if (one.event !== 'enable') continue;
    level = one.level;
    if (level === 1 || pressedAt === undefined) continue;
    times.push((one.cycle - pressedAt) / CYCLES_PER_MS);
    pressedAt = undefined;
  }
  return pressedAt === undefined ? times : [...times, Number.POSITIVE_INFINITY];
}

/** Adds branches to the script; in each branch, one of two sensors falls silent at a random time. */
export function addSilences(script: BenchScript, random: Random, count: number, lastingMs: number): void {
  for (let n = 0; n < count; n++) {
    const waitMs = random.int(0, 100_000) / 1000;
    script.heartbeat().wait(waitMs);
    script.branch(() => {
      script
        .mark('silent')
        .command('range', n % 2, -1)
        .heartbeats(lastingMs);
    });
    script.wait(100 - waitMs);
  }
}

/** Returns the time from each silence to the first report of the fault, in ms. */
export function silenceReports(events: BenchEvent[]): number[] {
  const frames = new Map(sentFrames(events).map(({ cycle, frame }) => [cycle, frame]));
  const times: number[] = [];
  let from: number | undefined;
  for (const one of events) {
    if (one.event === 'mark') from = one.cycle;
    const frame = one.event === 'sent' ? frames.get(one.cycle) : undefined;
    if (from === undefined || frame?.type !== 'STATUS' || !(frame.faults & FAULTS.sensorSilent)) continue;
    times.push((one.cycle - from) / CYCLES_PER_MS);
    from = undefined;
  }
  return times;
}

export function summary(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
