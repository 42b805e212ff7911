import type { TrialNote } from '../../carts/control/sse-events.js';
import { t, told } from '../../i18n/live.js';

/** A change of the settings that waits to be confirmed, in words; for the server's pages and for the scripts in them. */
export function trialWords({ what, by, leftMs }: Pick<TrialNote, 'what' | 'by' | 'leftMs'>): string {
  const made = t`${told(what)} changed by ${told(by)}.`;
  if (leftMs <= 0)
    return `${made} ${t`Not confirmed in time: rolled back as soon as the cart stands still.`}`;
  return `${made} ${t`Rolled back in ${Math.ceil(leftMs / 1000)} s unless it is confirmed.`}`;
}
