import { type CartView, cartLabels } from '../../carts/pure.js';
import { t } from '../../i18n/shared-text.js';

/** Names the carts that have not confirmed a stop; empty if all have. */
export function pendingSentence(carts: Iterable<CartView>): string {
  const pending = [...carts].filter(({ stopPending }) => stopPending);
  if (pending.length === 0) return '';
  return t('Stop NOT confirmed by {0}: use the button on the cart. Retrying', cartLabels(pending));
}
