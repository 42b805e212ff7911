import { all } from '../../web/browser/dom.js';
import { initHoldButtons } from '../../web/browser/hold.js';
import { TEXTS } from '../../web/browser/texts.js';

/** Numbers in the units of the form's fields. */
export type PresetMotion = Readonly<Record<'distanceID' | 'angleID', number>>;

interface PresetOptions {
  onHold: (motion: PresetMotion) => void;
  onEarly: () => void;
}

/** Sends a preset's command when its button is held. Hides presets that exceed the limits in the settings. */
export function initPresets(form: HTMLFormElement, { onHold, onEarly }: PresetOptions): void {
  for (const button of all<HTMLButtonElement>('[data-preset]', form)) {
    button.hidden = motionOf(form, button) === undefined;
  }
  initHoldButtons({
    buttons: '[data-preset]',
    question: TEXTS.confirmPreset,
    done: (button) => {
      const motion = motionOf(form, button);
      if (motion) onHold(motion);
    },
    early: onEarly,
  });
}

/** Returns undefined if the form's fields cannot represent the motion. */
function motionOf(form: HTMLFormElement, { dataset }: HTMLElement): PresetMotion | undefined {
  const distanceID = valueFor(form, 'distanceID', Number(dataset.mm));
  const angleID = valueFor(form, 'angleID', Number(dataset.deg));
  return distanceID === undefined || angleID === undefined ? undefined : { distanceID, angleID };
}

/** Converts mm or degrees to the unit of a field; undefined if the field cannot represent the amount. */
function valueFor(form: HTMLFormElement, name: string, amount: number): number | undefined {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) return undefined;
  const value = amount / Number(input.dataset.per);
  const isInRange = value >= Number(input.min) && value <= Number(input.max);
  return Number.isInteger(value) && isInRange ? value : undefined;
}
