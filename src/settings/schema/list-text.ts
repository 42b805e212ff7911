/** Formats a list of strings or numbers as one entry per line. */
export function listText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : '';
}

/**
 * Parses text that has one entry per line. Blank lines are ignored. In a list of numbers, an entry that is not
 * a number is kept as a string, so that validation can report it.
 */
export function listFrom(text: string, isNumeric: boolean): (string | number)[] {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!isNumeric) return entries;
  return entries.map((entry) => (/^[+-]?\d+(\.\d+)?$/.test(entry) ? Number(entry) : entry));
}
