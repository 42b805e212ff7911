import { metres } from '../../../i18n/format.js';
import { all, find, showText } from '../../../web/browser/dom.js';
import { TEXTS } from '../../../web/browser/texts.js';
import { brakingMm, type ManualLimits, scaledLimits } from '../../manual-drive/speed-limits.js';
import { remember, remembered } from '../cockpit/remembered.js';

const KEY = 'manual-speed';

/** The selected percentage of the manual speed limit, which the browser stores. */
export class SpeedChoice {
  #percent = 100;

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

  /** Returns the limits at the selected speed, which never exceed `most`. */
  limits(most: ManualLimits): ManualLimits {
    return scaledLimits(most, this.#percent);
  }

  draw(most: ManualLimits | undefined): void {
    const note = find('[data-speed-note]');
    if (!most) return showText(note, '');
    const { speedMmps, decelMmps2 } = this.limits(most);
    // Rounded up to a whole centimetre, so that the displayed braking distance is never too short.
    const brakes = Math.ceil(brakingMm(speedMmps, decelMmps2) / 10) * 10;
    showText(note, TEXTS.hand.speed(metres(speedMmps), metres(brakes)));
  }
}
