/** How a CSV file separates fields and decimals. */
export interface CsvStyle {
  readonly separator: ',' | ';';
  readonly decimalMark: '.' | ',';
}

/** RFC 4180, for programs. */
export const PLAIN_CSV: CsvStyle = { separator: ',', decimalMark: '.' };

/** For spreadsheet programs in languages with a decimal comma, such as a Dutch Excel. */
export const EXCEL_CSV: CsvStyle = { separator: ';', decimalMark: ',' };

/** Makes spreadsheet programs read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

export function decimalText(number: number | string, { decimalMark }: CsvStyle): string {
  return String(number).replace('.', decimalMark);
}

/** Quotes a field as specified in RFC 4180. */
export function quotedField(text: string, { separator }: CsvStyle): string {
  const isSpecial = text.includes(separator) || /["\r\n]/.test(text);
  return isSpecial ? `"${text.replaceAll('"', '""')}"` : text;
}
