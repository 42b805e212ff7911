import { freshness, staleSentence } from '../../../carts/labels/labels.js';
import { upperFirst } from '../../../i18n/format.js';
import { translated } from '../../../i18n/messages.js';
import type { StateStore } from '../live/state-store.js';
import { TEXTS } from '../texts.js';

/** Returns the reason why this page must not move the selected cart, or an empty string if there is none. */
export function driveLockReason(state: StateStore): string {
  const { selected, selectedID } = state;
  const ageMs = state.ageMs(selectedID);
  if (!selected || ageMs === null) return staleSentence(selectedID, null);
  if (!selected.online) return upperFirst(translated(selected.reason));
  if (ageMs > freshness(selected).lockMs) return staleSentence(selectedID, ageMs);
  return selected.safety.mayMove ? '' : upperFirst(translated(selected.safety.reason));
}

/** Returns the reason why this page's values are outdated, or an empty string if they are not. */
export function outdatedReason({ meaning }: StateStore, own: string | undefined): string {
  return meaning === '' || meaning === own ? '' : TEXTS.settingsChanged;
}
