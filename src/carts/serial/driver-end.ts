import type { DriverCounters, MotorDriver } from './driver.js';

export const NO_COUNTERS: DriverCounters = { sent: 0, received: 0, dropped: 0, retried: 0 };

/** Adds the counters of a session to those of earlier sessions. */
export function addCounters(past: DriverCounters, session: DriverCounters): DriverCounters {
  return {
    sent: past.sent + session.sent,
    received: past.received + session.received,
    dropped: past.dropped + session.dropped,
    retried: past.retried + session.retried,
  };
}

/** Best-effort stop before a session ends. */
export function sendFinalStop(driver: MotorDriver): void {
  try {
    driver.stop(1);
    driver.heartbeat(false);
  } catch {
    // The line is lost, so the controller's watchdog stops the cart.
  }
}
