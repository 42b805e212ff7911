export function numberOrText(text: string): number | string {
  const trimmed = text.trim();
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

/** Formats a list of strings or numbers as one entry per line. */
export function listText(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : '';
}

/** Parses one entry per line. Keeps an invalid number as a string, so that validation can report it. */
export function listFrom(text: string, isNumeric: boolean): (string | number)[] {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!isNumeric) return entries;
  return entries.map(numberOrText);
}
