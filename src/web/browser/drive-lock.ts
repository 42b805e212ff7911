import { freshness, staleSentence } from '../../carts/labels/labels.js';
import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

/** Why the cart in view may not be moved from here now; empty when it may. */
export function lockedBecause(picture: StateStore): string {
  const { selected, selectedID } = picture;
  const ageMs = picture.ageMs(selectedID);
  if (!selected || ageMs === null) return staleSentence(selectedID, null);
  if (!selected.online) return upperFirst(translated(selected.reason));
  if (ageMs > freshness(selected).lockMs) return staleSentence(selectedID, ageMs);
  return selected.safety.mayMove ? '' : upperFirst(translated(selected.safety.reason));
}

/** Why numbers of this page may not be sent any more: they were made for settings that no longer are. */
export function outdatedBecause({ meaning }: StateStore, own: string | undefined): string {
  return meaning === '' || meaning === own ? '' : TEXTS.settingsChanged;
}
