import { t } from '../../i18n/shared-text.js';

export interface Searchable {
  section: string;
  group: string;
  label: string;
  help: string;
  /** JSON pointer, such as `/limits/maxSpeedMmps`. */
  pointer: string;
  /** The display names of an enumeration's values. */
  options: readonly string[];
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s./]+/)
    .filter(Boolean);
}

/** Returns the searchable text of a setting, such as `limits maxspeedmmps …`. */
export function searchText({ section, group, label, help, pointer, options }: Searchable): string {
  return wordsOf([section, group, label, help, pointer, ...options].join(' ')).join(' ');
}

/** Returns true if the text from `searchText` contains every word of the query. */
export function isFound(query: readonly string[], text: string): boolean {
  return query.every((word) => text.includes(word));
}

/** Returns a text with the numbers of basic and advanced settings in `found`. */
export function foundText(found: readonly { isBasic: boolean }[]): string {
  const basic = found.filter(({ isBasic }) => isBasic).length;
  return t('Found: {0} in Basic, {1} in Advanced', basic, found.length - basic);
}
