import { find } from '../../web/browser/dom.js';

/**
 * Replaces the sign of each number with a direction button, because number pads on phones have no minus key.
 * The form still sends signed numbers.
 */
export function initSignedFields(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-sign]')) {
    const input = find<HTMLInputElement>(`#${button.dataset.sign}`, form);
    if (!input) continue;
    // A typed or server-rendered minus sign selects the direction.
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

/** Returns the value in the field's unit, negative for backward or right. */
export function signedValue(input: HTMLInputElement): number {
  const amount = Number(input.value);
  return isNegative(input) && amount !== 0 ? -amount : amount;
}

function isNegative({ dataset }: HTMLInputElement): boolean {
  return dataset.negative !== undefined;
}
