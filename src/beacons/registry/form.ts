import { NUMBER } from '../../shared/validation/number-text.js';

/**
 * Form fields that a beacon does not have: the position in metres, its origin, and the coordinates before the
 * change. `origin` and `at` contain `lat,long`.
 */
export const POSITION_FIELDS = ['east', 'north', 'origin', 'at'] as const;

type BeaconTexts = Readonly<Record<string, unknown>>;

const TEXTS = ['id', 'description', 'longDescription'] as const;
const NUMBERS = ['txPower', 'lat', 'long'] as const;

/** Omits empty fields. An invalid number remains a string, so that validation rejects it. */
export function beaconOfForm(texts: BeaconTexts): Record<string, string | number> {
  const beacon: Record<string, string | number> = {};
  for (const name of TEXTS) {
    const text = textOf(texts[name]);
    if (text !== '') beacon[name] = text;
  }
  for (const name of NUMBERS) {
    // Accepts a decimal comma.
    const text = textOf(texts[name]).trim().replace(',', '.');
    if (text !== '') beacon[name] = NUMBER.test(text) ? Number(text) : text;
  }
  return beacon;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
