import { find } from '../../browser/dom.js';

/**
 * Replaces the sign of each number with a direction button, because number pads on phones have no minus key.
 * A typed minus sign selects the direction of its own number only; a direction selected with the button stays
 * until `resetDirections`. The form still sends signed numbers.
 */
export function initSignedFields(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-sign]')) {
    const input = find<HTMLInputElement>(`#${button.dataset.sign}`, form);
    if (!input) continue;
    let before = input.value;
    const draw = (event?: Event): void => {
      if (input.value.startsWith('-')) {
        input.value = input.value.slice(1);
        input.dataset.negative ??= 'typed';
      } else if (input.dataset.negative === 'typed' && beginsNumber(input, before, event)) {
        delete input.dataset.negative;
      }
      before = input.value;
      button.textContent = (isNegative(input) ? button.dataset.minus : button.dataset.plus) ?? '';
    };
    button.addEventListener('click', () => {
      if (isNegative(input)) delete input.dataset.negative;
      else input.dataset.negative = 'pressed';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    input.addEventListener('input', draw);
    form.addEventListener('formdata', ({ formData }) => {
      if (input.value !== '') formData.set(input.name, String(signedValue(input)));
    });
    draw();
  }
}

/** Returns true if the field was cleared, or if the whole number has just been entered or pasted. */
function beginsNumber(input: HTMLInputElement, before: string, event: Event | undefined): boolean {
  // After a minus sign alone, the field's value is also empty.
  if (input.value === '') return !input.validity.badInput;
  if (!(event instanceof InputEvent)) return false;
  const { inputType, data } = event;
  // A composition contains the digits that have already been typed.
  const isContinued = inputType === 'insertCompositionText' && input.value.startsWith(before);
  return /^insertFrom/.test(inputType) || (data === input.value && !isContinued);
}

/**
 * Selects Forward and Left in each field that still contains the number that was sent. A backward or right number
 * becomes 0, because sending it again would move the cart in the opposite direction.
 */
export function resetDirections(form: HTMLFormElement, sent: Readonly<Record<string, unknown>>): void {
  for (const { dataset } of form.querySelectorAll<HTMLButtonElement>('[data-sign]')) {
    const input = find<HTMLInputElement>(`#${dataset.sign}`, form);
    if (!input || !isNegative(input) || sent[input.name] !== signedValue(input)) continue;
    input.value = '0';
    delete input.dataset.negative;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Returns the value in the field's unit, negative for backward or right. */
export function signedValue(input: HTMLInputElement): number {
  const amount = Number(input.value);
  return isNegative(input) && amount !== 0 ? -amount : amount;
}

function isNegative({ dataset }: HTMLInputElement): boolean {
  return dataset.negative !== undefined;
}
