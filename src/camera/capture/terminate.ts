import type { CameraProgram } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

const TERM_DELAY_MS = 1500;
const KILL_INTERVAL_MS = 1000;

/**
 * Resets the program's connection, then sends SIGTERM and finally SIGKILL.
 * @returns a function that cancels the remaining signals; must be called when the program has ended.
 */
export function terminate(program: CameraProgram, clock: Clock, termMs = TERM_DELAY_MS): Cancel {
  program.cut();
  let cancel = clock.after(termMs, () => {
    program.signal('SIGTERM');
    // SIGKILL is repeated, because `signal` has no effect until the program's PID file exists.
    cancel = clock.every(KILL_INTERVAL_MS, () => program.signal('SIGKILL'));
  });
  return () => cancel();
}
