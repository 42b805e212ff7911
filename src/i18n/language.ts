/**
 * The console's languages, each under its own name. English texts are in the code; Dutch is in vocabularies.
 */
export const LANGUAGES = { en: 'English', nl: 'Nederlands' } as const;

export type Language = keyof typeof LANGUAGES;

/** Dutch texts by English text or by message code. `{0}` is the first value of a text, `{1}` the second. */
export type Vocabulary = Readonly<Record<string, string>>;

interface Page {
  document?: { documentElement: { lang: string } };
}

/** In a browser, the page's language; on the server, English, except inside `withLanguage`. */
let current: Language = (globalThis as unknown as Page).document?.documentElement.lang === 'nl' ? 'nl' : 'en';

export function language(): Language {
  return current;
}

/** Runs `work` in a language. It must be synchronous: the language is one variable. */
export function withLanguage<T>(temporary: Language, work: () => T extends Promise<unknown> ? never : T): T {
  const before = current;
  current = temporary;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The locale of dates and times: day, month, year, 24 hours. */
export function locale(): string {
  return current === 'nl' ? 'nl-NL' : 'en-GB';
}

/** A number with the language's decimal separator and `−` as the minus sign; zero has no sign. */
export function decimal(value: number, digits: number): string {
  const text = value
    .toFixed(digits)
    .replace(/^-(0(?:\.0+)?)$/, '$1')
    .replace('-', '−');
  return current === 'nl' ? text.replace('.', ',') : text;
}

/** Translates a text into the current language: t`Cart ${cartID}`, or t('Cart') without values. */
export type Translate = (english: string | TemplateStringsArray, ...values: (string | number)[]) => string;

/** A `Translate` with this vocabulary. A missing text stays in English; a test fails when one is missing. */
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
