import type { Cancel } from './ports/clock.js';

/** Returns a function that calls all of these functions. */
export function cancelAll(cancels: readonly Cancel[]): Cancel {
  return () => {
    for (const cancel of cancels) cancel();
  };
}
