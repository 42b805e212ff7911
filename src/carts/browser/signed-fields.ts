import { find } from '../../web/browser/dom.js';

/**
 * Splits each signed number into an amount without sign and a button for its direction, because number pads on
 * phones have no minus key. The form still sends signed numbers.
 */
export function initSignedFields(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-sign]')) {
    const input = find<HTMLInputElement>(`#${button.dataset.sign}`, form);
    if (!input) continue;
    // A typed or server-rendered minus sign becomes the direction.
    const draw = (): void => {
      if (input.value.startsWith('-')) {
        input.value = input.value.slice(1);
        input.dataset.negative = '';
      }
      button.textContent = (isNegative(input) ? button.dataset.minus : button.dataset.plus) ?? '';
    };
    button.addEventListener('click', () => {
      input.toggleAttribute('data-negative');
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    input.addEventListener('input', draw);
    form.addEventListener('formdata', ({ formData }) => {
      if (input.value !== '') formData.set(input.name, String(signedValue(input)));
    });
    draw();
  }
}

/** The number in the field's unit; negative to the back or to the right. */
export function signedValue(input: HTMLInputElement): number {
  const amount = Number(input.value);
  return isNegative(input) && amount !== 0 ? -amount : amount;
}

export function setSignedValue(input: HTMLInputElement, value: number): void {
  input.toggleAttribute('data-negative', value < 0);
  input.value = String(Math.abs(value));
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function isNegative({ dataset }: HTMLInputElement): boolean {
  return dataset.negative !== undefined;
}
