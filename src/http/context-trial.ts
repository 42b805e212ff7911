import type { TrialNote } from '../carts/wire.js';

/** A change of the settings that waits to be confirmed, in words; for the server's pages and for the scripts in them. */
export function trialWords({ what, by, leftMs }: Pick<TrialNote, 'what' | 'by' | 'leftMs'>): string {
  const made = `${what} changed by ${by}.`;
  if (leftMs <= 0) return `${made} Not confirmed in time: rolled back as soon as the cart stands still.`;
  return `${made} Rolled back in ${Math.ceil(leftMs / 1000)} s unless it is confirmed.`;
}
