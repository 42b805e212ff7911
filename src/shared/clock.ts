import type { Clock } from './ports/clock.js';

/**
 * The system's monotonic clock and timers. A Pi has no battery-backed clock, so its wall-clock time may jump.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    return () => clearInterval(timer);
  },
};
