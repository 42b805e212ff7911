import { sentence } from '../../../i18n/format.js';
import { find, setHidden, showText } from '../../browser/dom.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { post } from '../../browser/post.js';
import { TEXTS } from '../../browser/texts.js';
import { isOwnOverride, overrideLeftMs } from '../../browser/zone-override.js';

const SECONDS = 60;
export const ZONE_BLOCKED = 'ZONE_BLOCKED';

/** Offers to switch the zones off after a zone has blocked a motion of this gateway's cart. */
export class ZonesOff {
  readonly #button = find('[data-zones-off]');
  readonly #form = find<HTMLFormElement>('[data-zones-off-form]');

  constructor() {
    this.#form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    // The next request needs its own reason, so the field is emptied.
    this.#form?.addEventListener('toggle', () => {
      this.#form?.reset();
      this.#showError('');
    });
  }

  /** @param isHandBlocked true if a zone has ended hand driving on this page */
  draw(state: StateStore, isHandBlocked: boolean): void {
    const isBlocked = isHandBlocked || find('[data-progress]')?.dataset.code === ZONE_BLOCKED;
    const isOff = overrideLeftMs(state) > 0 && isOwnOverride(state.zoneOverride);
    setHidden(this.#button, !isBlocked || isOff || state.selectedID !== state.ownID);
  }

  async #submit(): Promise<void> {
    const reason = String(new FormData(this.#form).get('reason')).trim();
    const reply = await post('/site-plan/override', { reason, seconds: SECONDS }, { timeoutMs: 10_000 });
    if (reply.ok) this.#form?.hidePopover();
    else if (reply.status === 0) this.#showError(TEXTS.overrideUnsure);
    else this.#showError(`${sentence(reply.message)} ${reply.hint}`.trim());
  }

  #showError(text: string): void {
    showText(find('[data-zones-off-error]', this.#form), text);
  }
}
