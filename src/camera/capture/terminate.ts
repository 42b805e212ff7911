import type { CameraProgram } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';

const TERM_MS = 1500;
const KILL_MS = 1000;

/**
 * Ends a camera program: its connection is reset, which it notices when it sends; one that sends nothing is told by
 * SIGTERM, and killed when that does not help. The answer calls the rest off, once it has ended.
 */
export function endProgram(program: CameraProgram, clock: Clock, termMs = TERM_MS): Cancel {
  program.cut();
  let cancel = clock.after(termMs, () => {
    program.signal('SIGTERM');
    // Again and again: one that has only just begun cannot be signalled yet.
    cancel = clock.every(KILL_MS, () => program.signal('SIGKILL'));
  });
  return () => cancel();
}
