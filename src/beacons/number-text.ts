export const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** Replaces a decimal comma and a typographic minus sign, so that `Number` can parse the string. */
export function plainNumber(text: string): string {
  return text.trim().replace(',', '.').replace('−', '-');
}
