import { freshness, staleSentence } from '../../carts/labels/labels.js';
import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

/** Returns the reason why this page must not move the selected cart now, or an empty string if it may. */
export function driveLockReason(state: StateStore): string {
  const { selected, selectedID } = state;
  const ageMs = state.ageMs(selectedID);
  if (!selected || ageMs === null) return staleSentence(selectedID, null);
  if (!selected.online) return upperFirst(translated(selected.reason));
  if (ageMs > freshness(selected).lockMs) return staleSentence(selectedID, ageMs);
  return selected.safety.mayMove ? '' : upperFirst(translated(selected.safety.reason));
}

/**
 * Returns the reason why values from this page must not be sent (the settings have changed since the page was
 * loaded), or an empty string if the settings have not changed.
 */
export function outdatedReason({ meaning }: StateStore, own: string | undefined): string {
  return meaning === '' || meaning === own ? '' : TEXTS.settingsChanged;
}
