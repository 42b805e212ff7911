import {
  filled,
  type MessageData,
  type MessageValue,
  type Text,
  textOf,
} from '../shared/messages/message.js';
import { language, type Vocabulary } from './language.js';

/** Translates a message by its code. A text without a code, or with one that has no translation, stays in English. */
export function messageTranslator(dutch: Vocabulary): (text: Text) => string {
  const translate = (text: Text): string => {
    if (typeof text === 'string' || language() === 'en') return textOf(text);
    const { code, params } = text;
    if (!Object.hasOwn(dutch, code)) return text.text;
    const said = filled(dutch[code] ?? '', params, write);
    return beginsWithCapital(text) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  };
  const write = (value: MessageValue): string => {
    if (typeof value === 'number') return String(value).replace('.', ',');
    return translate(value);
  };
  return translate;
}

/** The English sentence was capitalised after it was made, or is written so. */
function beginsWithCapital({ text }: MessageData): boolean {
  const first = text.charAt(0);
  return first !== first.toLowerCase();
}
