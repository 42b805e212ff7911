import { all, find } from '../../web/browser/dom.js';
import { initHoldButtons } from '../../web/browser/hold.js';
import { TEXTS } from '../../web/browser/texts.js';
import { setSignedValue } from './signed-fields.js';

interface PresetOptions {
  /** Returns true if the form may be sent now. */
  mayDrive: () => boolean;
  /** Called if a preset button is released before its command is sent. */
  onEarly: () => void;
}

/**
 * Initialises the buttons that send a frequently used command when held. The form's checks apply to the
 * command. Presets that exceed the limits in the settings are hidden.
 */
export function initPresets(form: HTMLFormElement, { mayDrive, onEarly }: PresetOptions): void {
  for (const button of all<HTMLButtonElement>('[data-preset]', form)) {
    button.hidden = !fits(form, button);
  }
  initHoldButtons({
    buttons: '[data-preset]',
    question: TEXTS.confirmPreset,
    done: (button) => {
      if (!mayDrive()) return;
      for (const [name, amount] of amountsOf(button)) {
        const input = find<HTMLInputElement>(`#${name}`, form);
        const value = valueFor(form, name, amount);
        if (!input || value === undefined) return;
        setSignedValue(input, value);
      }
      form.requestSubmit();
    },
    early: onEarly,
  });
}

function amountsOf({ dataset }: HTMLElement): [name: string, amount: number][] {
  return [
    ['distanceID', Number(dataset.mm)],
    ['angleID', Number(dataset.deg)],
  ];
}

function fits(form: HTMLFormElement, button: HTMLElement): boolean {
  return amountsOf(button).every(([name, amount]) => valueFor(form, name, amount) !== undefined);
}

/**
 * Converts an amount in mm or degrees to the unit of a field. Returns undefined if the field cannot represent
 * the amount.
 */
function valueFor(form: HTMLFormElement, name: string, amount: number): number | undefined {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return undefined;
  const value = amount / Number(input.dataset.per);
  const isInRange = value >= Number(input.min) && value <= Number(input.max);
  return Number.isInteger(value) && isInRange ? value : undefined;
}
