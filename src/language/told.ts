import { decimal, language, type Vocabulary } from './language.js';

/** What is wrong with a field begins with its name: `distanceID must be at least 1`. */
const FIELD = /^([\w/.-]+ )((?:must|is|has) .+)$/s;

interface Pattern {
  english: RegExp;
  dutch: string;
}

/**
 * Translates sentences that were made elsewhere: the carts and the camera say why in English, to everybody at once, and a
 * page says it in its own language. A text is found whole or by a pattern with `{0}` where a value stands, and what
 * stands there is translated as well. What is not known stays as it is.
 */
export function retelling(vocabulary: Vocabulary): (english: string) => string {
  const patterns = Object.entries(vocabulary)
    .filter(([english]) => english.includes('{0}'))
    // The one that says most itself fits best.
    .sort(([a], [b]) => b.length - a.length)
    .map(([english, dutch]): Pattern => ({ english: patternOf(english), dutch }));
  const exactly = (text: string): string | undefined => {
    if (Object.hasOwn(vocabulary, text)) return vocabulary[text];
    for (const { english, dutch } of patterns) {
      const [, ...values] = english.exec(text) ?? [];
      if (values.length > 0)
        return dutch.replace(/\{(\d)\}/g, (_all, at: string) => told(values[Number(at)] ?? ''));
    }
    return undefined;
  };
  const told = (english: string): string => {
    if (language() === 'en' || english === '') return english;
    const begun = exactly(flip(english, 'toLowerCase'));
    return exactly(english) ?? (begun === undefined ? faulty(english) : flip(begun, 'toUpperCase'));
  };
  const faulty = (english: string): string => {
    const [, field = '', fault = ''] = FIELD.exec(english) ?? [];
    const said = exactly(fault);
    return said === undefined ? numbered(english) : `${field}${said}`;
  };
  return told;
}

function patternOf(english: string): RegExp {
  const text = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.+?)');
  return new RegExp(`^${text}$`, 's');
}

/** The same text with another first letter: a clause may have become the start of a sentence. */
function flip(text: string, how: 'toLowerCase' | 'toUpperCase'): string {
  return text.charAt(0)[how]() + text.slice(1);
}

/** `0.7 s` with the decimal sign of the language; everything else as it is. */
function numbered(text: string): string {
  const [all, whole = '', fraction = '', unit = ''] = /^(\d+)\.(\d+)((?: \S+)?)$/.exec(text) ?? [];
  return all === undefined ? text : `${decimal(Number(`${whole}.${fraction}`), fraction.length)}${unit}`;
}
