import { begun } from '../../../i18n/messages.js';
import { freshness, staleSentence } from '../../labels/labels.js';
import type { StateStore } from '../live/state-store.js';
import { TEXTS } from '../texts.js';

/** Returns why this page must not move the selected cart; empty if it can move the cart. */
export function driveLockReason(state: StateStore): string {
  return staleReason(state) || statedReason(state);
}

/**
 * Like `driveLockReason`, but returns an empty string if the status line at the top of the page states the reason,
 * and before the first event, while the page still shows its initial state.
 */
export function driveLockNote(state: StateStore): string {
  if (state.carts.size === 0 && state.lostForMs() === 0) return '';
  return statedReason(state) === '' ? staleReason(state) : '';
}

function statedReason({ selected }: StateStore): string {
  if (!selected) return '';
  const { online, reason, safety } = selected;
  if (!online) return begun(reason);
  return safety.mayMove ? '' : begun(safety.reason);
}

function staleReason(state: StateStore): string {
  const { selected, selectedID } = state;
  const ageMs = state.ageMs(selectedID);
  if (!selected || ageMs === null) return staleSentence(selectedID, null);
  return selected.online && ageMs > freshness(selected).lockMs ? staleSentence(selectedID, ageMs) : '';
}

/** Returns why this page's values are outdated; empty if they are current. */
export function outdatedReason({ meaning }: StateStore, own: string | undefined): string {
  return meaning === '' || meaning === own ? '' : TEXTS.settingsChanged;
}
