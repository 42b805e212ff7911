import { decimal, language, type Vocabulary } from './language.js';

/** What is wrong with a field begins with its name: `distanceID must be at least 1`. */
const FIELD = /^([\w/.-]+ )((?:must|is|has) .+)$/s;

interface Pattern {
  english: RegExp;
  dutch: string;
  /** It says something itself, and does not only join what others say. */
  hasWords: boolean;
}

/** What is longer is no sentence of ours: to take it apart takes the square of its length, and other carts send texts too. */
const LONGEST = 300;
/** The same carts say the same again and again. */
const REMEMBERED = 500;

/**
 * Translates sentences that were made elsewhere: the carts and the camera say why in English, to everybody at once, and a
 * page says it in its own language. A text is found whole or by a pattern with `{0}` where a value stands, and what
 * stands there is translated as well. A pattern without words, such as `{0}: {1}`, takes apart what was found no other
 * way. What is not known stays as it is.
 */
export function retelling(vocabulary: Vocabulary): (english: string) => string {
  const patterns = patternsOf(vocabulary);
  const sentences = patterns.filter(({ hasWords }) => hasWords);
  const joints = patterns.filter(({ hasWords }) => !hasWords);

  const by = (list: readonly Pattern[], text: string): string | undefined => {
    for (const { english, dutch } of list) {
      const [, ...values] = english.exec(text) ?? [];
      if (values.length > 0)
        return dutch.replace(/\{(\d)\}/g, (_all, at: string) => told(values[Number(at)] ?? ''));
    }
    return undefined;
  };
  const whole = (text: string): string | undefined =>
    Object.hasOwn(vocabulary, text) ? vocabulary[text] : by(sentences, text);
  /** A clause may have become the start of a sentence. */
  const begun = (text: string): string | undefined => {
    const said = whole(flip(text, 'toLowerCase'));
    return said && flip(said, 'toUpperCase');
  };
  const faulty = (text: string): string | undefined => {
    const [, field = '', fault = ''] = FIELD.exec(text) ?? [];
    const said = whole(fault);
    return said && `${field}${said}`;
  };
  const remembered = new Map<string, string>();
  const told = (text: string): string => {
    if (language() === 'en' || text === '' || text.length > LONGEST) return text;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const said = whole(text) ?? begun(text) ?? faulty(text) ?? by(joints, text) ?? numbered(text);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(text, said);
    return said;
  };
  return told;
}

function patternsOf(vocabulary: Vocabulary): Pattern[] {
  const patterns = Object.entries(vocabulary).filter(([english]) => english.includes('{0}'));
  // The one that says most itself fits best.
  return patterns
    .sort(([a], [b]) => b.length - a.length)
    .map(([english, dutch]) => ({ english: patternOf(english), dutch, hasWords: /\p{L}/u.test(english) }));
}

function patternOf(english: string): RegExp {
  const text = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.+?)');
  return new RegExp(`^${text}$`, 's');
}

/** The same text with another first letter. */
function flip(text: string, how: 'toLowerCase' | 'toUpperCase'): string {
  return text.charAt(0)[how]() + text.slice(1);
}

/** `0.7 s` with the decimal sign of the language; everything else as it is. */
function numbered(text: string): string {
  const [all, whole = '', fraction = '', unit = ''] = /^(\d+)\.(\d+)((?: \S+)?)$/.exec(text) ?? [];
  return all === undefined ? text : `${decimal(Number(`${whole}.${fraction}`), fraction.length)}${unit}`;
}
