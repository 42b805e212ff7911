import { all, find, showText } from '../../web/browser/dom.js';
import { TEXTS } from '../../web/browser/texts.js';

/** Shows the valid range beside a field that contains an invalid number. */
export function initFieldErrors(form: HTMLFormElement): void {
  for (const input of all<HTMLInputElement>('input[type="number"]', form)) {
    const error = find(`#${input.name}-error`, form);
    const check = ({ type }: Pick<Event, 'type'>): void => {
      input.setCustomValidity('');
      // The user may have cleared the field to enter a new number.
      const isTyping = type === 'input' && input.value === '';
      const text = isTyping || input.validity.valid ? '' : rangeText(form, input);
      input.setCustomValidity(text);
      if (text === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
      showText(error, text);
    };
    for (const event of ['input', 'change', 'invalid']) input.addEventListener(event, check);
    check({ type: 'change' });
  }
}

/** For example `Speed: 1 to 300 mm/s`. */
function rangeText(form: HTMLFormElement, { id, min, max, dataset, validity }: HTMLInputElement): string {
  const label = find(`label[for="${id}"]`, form)?.textContent ?? '';
  if (validity.stepMismatch && !validity.rangeOverflow) return TEXTS.noDecimals(label);
  const { unit = '' } = dataset;
  const limit = unit === '°' ? `${max}°` : unit.includes('°') ? `${max} × ${unit}` : `${max} ${unit}`;
  // The direction of a signed number is entered separately.
  return TEXTS.validRange(label, String(Math.max(0, Number(min))), limit);
}
