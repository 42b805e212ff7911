import { metres } from '../../../i18n/format.js';
import { all, find, showText } from '../../../web/browser/dom.js';
import { TEXTS } from '../../../web/browser/texts.js';
import { type ManualLimits, scaledLimits, stoppingMm } from '../../manual-drive/speed-limits.js';
import { remember, remembered } from '../cockpit/remembered.js';

const KEY = 'manual-speed';

/** The selected percentage of the manual speed limit; the browser stores the selection. */
export class SpeedChoice {
  #percent = 0;

  constructor(onChange: () => void) {
    const stored = remembered(KEY);
    for (const input of all<HTMLInputElement>('[data-speed-choice] input')) {
      if (stored === input.value) input.checked = true;
      if (input.checked) this.#percent = Number(input.value);
      input.addEventListener('change', () => {
        this.#percent = Number(input.value);
        remember(KEY, input.value);
        onChange();
      });
    }
  }

  /** The limits at the selected speed never exceed `most`. */
  limits(most: ManualLimits): ManualLimits {
    return scaledLimits(most, this.#percent);
  }

  /** @param most undefined while the limits are unknown or manual drive is not available. */
  draw(most: ManualLimits | undefined): void {
    find('[data-speed-choice]')?.toggleAttribute('disabled', most === undefined);
    for (const speed of all('[data-speed-of]')) {
      const limits = most && scaledLimits(most, Number(speed.dataset.speedOf));
      showText(speed, limits ? metres(limits.speedMmps).replace(/ m$/, '') : '–');
    }
    const note = find('[data-speed-note]');
    if (!most) return showText(note, '');
    const { speedMmps, decelMmps2 } = this.limits(most);
    // Rounded up to a whole centimetre, so that the displayed distance is never too short.
    const stops = Math.ceil(stoppingMm(speedMmps, decelMmps2) / 10) * 10;
    showText(note, TEXTS.hand.stops(metres(stops)));
  }
}
