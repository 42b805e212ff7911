import { all, find } from '../../web/browser/dom.js';

/** Buttons that fill in a command that is given often; it is looked at and sent as any other. */
export function armPresets(form: HTMLFormElement): void {
  for (const button of all<HTMLButtonElement>('[data-preset]', form)) {
    const wish = { distanceID: Number(button.dataset.mm), angleID: Number(button.dataset.deg) };
    const fits = Object.entries(wish).every(([name, amount]) => valueFor(form, name, amount) !== undefined);
    button.hidden = !fits;
    button.addEventListener('click', () => {
      for (const [name, amount] of Object.entries(wish)) {
        const input = find<HTMLInputElement>(`#${name}`, form);
        if (!input) continue;
        input.value = String(valueFor(form, name, amount));
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
  }
}

/** An amount in mm or degrees as the field wants it; undefined when the field cannot say it. */
function valueFor(form: HTMLFormElement, name: string, amount: number): number | undefined {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return undefined;
  const value = amount / Number(input.dataset.per);
  const isInRange = value >= Number(input.min) && value <= Number(input.max);
  return Number.isInteger(value) && isInRange ? value : undefined;
}
