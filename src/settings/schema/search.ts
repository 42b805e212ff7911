/** Texts in which the search field of the settings page looks for words. */
export interface Searchable {
  section: string;
  group: string;
  label: string;
  help: string;
  /** JSON pointer, such as `/limits/maxSpeedMmps`. */
  pointer: string;
  /** The values of an enumeration, as words. */
  options: readonly string[];
}

/** Returns the words of a query or a text, in lower case. Dots and slashes separate the parts of a key. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s./]+/)
    .filter(Boolean);
}

/** Returns the text in which a setting is searched: `limits maxspeedmmps …` */
export function searchText({ section, group, label, help, pointer, options }: Searchable): string {
  return wordsOf([section, group, label, help, pointer, ...options].join(' ')).join(' ');
}

/** Returns true if the text from `searchText` contains every word of the query. */
export function isFound(query: readonly string[], text: string): boolean {
  return query.every((word) => text.includes(word));
}
