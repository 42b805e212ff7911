export const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** Replaces a decimal comma and a typographic minus sign, so that `Number` can parse the string. */
export function plainNumber(text: string): string {
  return text.trim().replace(',', '.').replace('−', '-');
}

/** Returns the number in a form field. Any other text remains a string, which validation rejects. */
export function fieldNumber(text: string): number | string {
  const plain = plainNumber(text);
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : plain;
}
