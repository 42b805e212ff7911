/** What a form sends for a beacon: the texts of its fields, by name. */
type BeaconTexts = Readonly<Record<string, unknown>>;

const TEXTS = ['id', 'description', 'longDescription'] as const;
const NUMBERS = ['txPower', 'lat', 'long'] as const;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/**
 * The beacon of a form, still to be checked: an empty field is left out, and what is no number stays the text it is, so
 * that the check of beacons names it.
 */
export function beaconOfForm(texts: BeaconTexts): Record<string, string | number> {
  const beacon: Record<string, string | number> = {};
  for (const name of TEXTS) {
    const text = textOf(texts[name]);
    if (text !== '') beacon[name] = name === 'id' ? text.trim() : text;
  }
  for (const name of NUMBERS) {
    // A comma is what half of Europe has on its keypad.
    const text = textOf(texts[name]).trim().replace(',', '.');
    if (text !== '') beacon[name] = NUMBER.test(text) ? Number(text) : text;
  }
  return beacon;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
