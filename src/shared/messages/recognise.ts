import { declaredSentences, Message, type MessageValue, type Text } from './message.js';
import { joined, principalText } from './messages.js';

/**
 * `literals` is the text around the parameters: `names[i]` is between `literals[i]` and `literals[i + 1]`.
 */
interface Template {
  code: string;
  literals: readonly string[];
  names: readonly string[];
}

interface Catalogue {
  /** The codes of messages without parameters, by text. */
  fixed: ReadonlyMap<string, string>;
  /** The templates by first character (empty if the template begins with a parameter), the most specific first. */
  templates: ReadonlyMap<string, readonly Template[]>;
}

const MAX_REMEMBERED = 1000;
/** Limits the time for a text that was crafted to match many templates. */
const MAX_SEARCHES = 12;
const LISTS = [
  { how: 'join', separator: '; ' },
  { how: 'list', separator: ', ' },
] as const;
const PARAMETER = /\{(\w+)\}/g;
const DURATIONS: readonly string[] = ['shared.ms', 'shared.s', 'shared.min'];

const remembered = new Map<string, Text>();
let catalogue: Catalogue | undefined;

/**
 * Finds the message of an English text from another gateway, because MQTT carries no message codes. A text that no
 * message of this version produces stays a string.
 */
export function recognised(text: Text): Text {
  if (typeof text !== 'string' || text === '') return text;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  catalogue ??= catalogueOf(declaredSentences());
  const found = new Search(catalogue).find(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, found);
  return found;
}

class Search {
  #catalogue: Catalogue;
  #left = MAX_SEARCHES;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  find(text: string): Text {
    return this.#message(text) ?? this.#list(text) ?? text;
  }

  /** Sentences are stored in lower case and are often shown with a capital. */
  #message(text: string): Message | undefined {
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    const start = text.charAt(0).toLowerCase() + text.slice(1);
    return this.#sentence(text, text) ?? (start === text ? undefined : this.#sentence(start, text));
  }

  #sentence(sentence: string, text: string): Message | undefined {
    const { fixed, templates } = this.#catalogue;
    const code = fixed.get(sentence);
    if (code !== undefined) return new Message({ code, params: {}, text });
    for (const start of [sentence.charAt(0), '']) {
      for (const { code, literals, names } of templates.get(start) ?? []) {
        const values = valuesIn(sentence, literals);
        if (!values) continue;
        const params = Object.fromEntries(names.map((name, at) => [name, this.#value(values[at] ?? '')]));
        return new Message({ code, params, text });
      }
    }
    return undefined;
  }

  /** Finds the messages of a list, which is recognised only if all of its members are messages. */
  #list(text: string): Text | undefined {
    for (const { how, separator } of LISTS) {
      const members = text.split(separator);
      if (members.length === 1 || members.length > this.#left) continue;
      const found = members.map((member) => this.#message(member)).filter((member) => member !== undefined);
      if (found.length === members.length) return joined(found, how);
    }
    return undefined;
  }

  /** Returns a parameter's value. A single word is a name, even if a message has the same text. */
  #value(text: string): MessageValue {
    if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
    const principal = principalText(text);
    return typeof principal !== 'string' || !text.includes(' ') ? principal : this.find(text);
  }
}

/** Returns the values of the parameters, each of at least one character; takes linear time. */
function valuesIn(sentence: string, literals: readonly string[]): string[] | undefined {
  const [first = ''] = literals;
  const last = literals.at(-1) ?? '';
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const literal of literals.slice(1, -1)) {
    const at = sentence.indexOf(literal, from + 1);
    if (at < 0) return undefined;
    values.push(sentence.slice(from, at));
    from = at + literal.length;
  }
  const end = sentence.length - last.length;
  if (end <= from) return undefined;
  values.push(sentence.slice(from, end));
  return values;
}

function catalogueOf(sentences: ReadonlyMap<string, string>): Catalogue {
  const fixed = new Map<string, string>();
  const templates = new Map<string, Template[]>();
  const specificFirst = [...sentences].toSorted(([, a], [, b]) => ownLength(b) - ownLength(a));
  for (const [code, sentence] of specificFirst) {
    const literals = sentence.split(/\{\w+\}/);
    const names = [...sentence.matchAll(PARAMETER)].map(([, name = '']) => name);
    const start = (literals[0] ?? '').charAt(0);
    if (names.length === 0) fixed.set(sentence, fixed.get(sentence) ?? code);
    else if (isSpecific(code, literals))
      templates.set(start, [...(templates.get(start) ?? []), { code, literals, names }]);
  }
  return { fixed, templates };
}

/**
 * A template with fewer than two literal words matches too many texts; durations are part of many messages.
 */
function isSpecific(code: string, literals: readonly string[]): boolean {
  if (literals.slice(1, -1).includes('')) return false;
  return DURATIONS.includes(code) || /\w\W+\w/.test(literals.join(' '));
}

function ownLength(sentence: string): number {
  return sentence.replace(PARAMETER, '').length;
}
