/**
 * The language that is spoken. Every text stands in the code in English, where it is said; what it is called in Dutch
 * stands in a vocabulary. English needs none: it is what is written.
 */

/** The languages of the console, each by its own name. */
export const LANGUAGES = { en: 'English', nl: 'Nederlands' } as const;

export type Language = keyof typeof LANGUAGES;

/** Dutch by English. `{0}` is the first value of a text, `{1}` the second. */
export type Vocabulary = Readonly<Record<string, string>>;

interface Page {
  document?: { documentElement: { lang: string } };
}

/** In a browser that of the page, for good; on the server English, except inside `speaking`. */
let current: Language = (globalThis as unknown as Page).document?.documentElement.lang === 'nl' ? 'nl' : 'en';

export function language(): Language {
  return current;
}

/** Does `work` in a language. It must be done when it returns: nobody else gets a turn meanwhile. */
export function speaking<T>(wanted: Language, work: () => T extends Promise<unknown> ? never : T): T {
  const before = current;
  current = wanted;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** How dates are written: by day, month and year, with 24 hours. */
export function locale(): string {
  return current === 'nl' ? 'nl-NL' : 'en-GB';
}

/** A number with the decimal sign of the language, and − for minus; zero has no sign. */
export function decimal(value: number, digits: number): string {
  const text = value
    .toFixed(digits)
    .replace(/^-(0(?:\.0+)?)$/, '$1')
    .replace('-', '−');
  return current === 'nl' ? text.replace('.', ',') : text;
}

/** Says a text in the language: t`Cart ${cartID}`, or t('Cart') for one without values. */
export type Translate = (english: string | TemplateStringsArray, ...values: (string | number)[]) => string;

/** A `Translate` with this vocabulary. What is missing is said in English; a test sees to it that nothing is. */
export function translator(dutch: Vocabulary): Translate {
  return (english, ...values) => {
    const key =
      typeof english === 'string' ? english : english.reduce((text, part, at) => `${text}{${at - 1}}${part}`);
    const text = current === 'nl' && Object.hasOwn(dutch, key) ? dutch[key] : key;
    return withValues(text ?? key, values);
  };
}

function withValues(text: string, values: readonly (string | number)[]): string {
  return values.length === 0
    ? text
    : text.replace(/\{(\d)\}/g, (_all, at: string) => String(values[Number(at)]));
}
