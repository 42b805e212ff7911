import { freshness, staleSentence } from '../../carts/labels/labels.js';
import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

/** The reason why this page must not move the selected cart now; empty if it may. */
export function driveLockReason(state: StateStore): string {
  const { selected, selectedID } = state;
  const ageMs = state.ageMs(selectedID);
  if (!selected || ageMs === null) return staleSentence(selectedID, null);
  if (!selected.online) return upperFirst(translated(selected.reason));
  if (ageMs > freshness(selected).lockMs) return staleSentence(selectedID, ageMs);
  return selected.safety.mayMove ? '' : upperFirst(translated(selected.safety.reason));
}

/**
 * The reason why values from this page must not be sent: the settings have changed since it was loaded. Empty
 * if they have not.
 */
export function outdatedReason({ meaning }: StateStore, own: string | undefined): string {
  return meaning === '' || meaning === own ? '' : TEXTS.settingsChanged;
}
