/** The value of a placeholder. Numbers are formatted with the page language's decimal separator. */
export type MessageValue = string | number | MessageData;

/** A translatable message: `code` and `params` select and fill the translation; `text` is the English text. */
export interface MessageData {
  readonly code: string;
  readonly params: Readonly<Record<string, MessageValue>>;
  readonly text: string;
}

/** A message, or text without a code, for example from a library or another gateway. */
export type Text = string | MessageData;

/**
 * A message from this gateway. It serialises to its English text; use `messageJson` to include its code and
 * parameters.
 */
export class Message implements MessageData {
  readonly code: string;
  readonly params: Readonly<Record<string, MessageValue>>;
  readonly text: string;

  constructor({ code, params, text }: MessageData) {
    this.code = code;
    this.params = params;
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** The placeholder names in a template. */
type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Params<Sentence extends string> = [Names<Sentence>] extends [never]
  ? []
  : [params: Readonly<Record<Names<Sentence>, MessageValue>>];

/** Creates a module's messages from their keys. */
export interface MessageFactory<Sentences extends Readonly<Record<string, string>>> {
  <Key extends keyof Sentences & string>(key: Key, ...params: Params<Sentences[Key]>): Message;
  has(key: string): key is keyof Sentences & string;
  /** English templates, keyed by code. */
  readonly sentences: Readonly<Record<string, string>>;
}

/**
 * Declares a module's English templates, with `{name}` for placeholders. A message's code is `<prefix>.<key>`
 * and does not depend on its text.
 */
export function declareMessages<const Sentences extends Readonly<Record<string, string>>>(
  prefix: string,
  sentences: Sentences,
): MessageFactory<Sentences> {
  // Messages without placeholders are created once, because the control loop uses them many times per second.
  const fixed = new Map(
    Object.entries(sentences).map(([key, text]) => [
      key,
      new Message({ code: `${prefix}.${key}`, params: {}, text }),
    ]),
  );
  const make = (key: string, params?: Record<string, MessageValue>): Message => {
    const message = fixed.get(key);
    if (!message) throw new TypeError(`message ${key} does not exist in ${prefix}`);
    if (!params) return message;
    return new Message({ code: message.code, params, text: filled(message.text, params, valueText) });
  };
  const byCode = [...fixed.values()].map(({ code, text }) => [code, text]);
  const has = (key: string): key is keyof Sentences & string => fixed.has(key);
  return Object.assign(make, { has, sentences: Object.fromEntries(byCode) });
}

/** Fills the placeholders in a template. @param write converts a value to text. */
export function filled(
  sentence: string,
  params: Readonly<Record<string, MessageValue>>,
  write: (value: MessageValue) => string,
): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name];
    return value === undefined ? place : write(value);
  });
}

/** Restores the class of a message after it was copied between threads. */
export function revived(text: Text): Text {
  return typeof text === 'string' ? text : new Message(text);
}

/** Returns the English text. */
export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

export function capitalised(text: Text): Text {
  const sentence = textOf(text);
  const begun = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return typeof text === 'string' ? begun : new Message({ ...text, text: begun });
}

function isMessageData(value: unknown): value is MessageData {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && 'text' in value && 'params' in value && typeof value.params === 'object';
}

/** The request header in which page scripts send the page's language. */
export const PAGE_LANGUAGE_HEADER = 'x-page-language';

/** Serialises to JSON in which messages include their code and parameters. */
export function messageJson(value: object): string {
  return JSON.stringify(value, asData);
}

/** Serialises to JSON in which each message is replaced by the text that `render` returns. */
export function renderedJson(value: object, render: (message: Message) => string): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    const raw = this[key];
    return raw instanceof Message ? render(raw) : member;
  });
}

/** Parses the output of `messageJson` and restores its messages. */
export function parseMessageJson(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown) => (isMessageData(value) ? new Message(value) : value));
}

function asData(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const raw = this[key];
  return raw instanceof Message ? raw : value;
}

function valueText(value: MessageValue): string {
  return typeof value === 'object' ? value.text : String(value);
}
