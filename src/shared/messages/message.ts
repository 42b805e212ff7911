/** A value in a sentence. A number is written with the decimal sign of the reader's language. */
export type MessageValue = string | number | MessageData;

/** A sentence as data: `code` and `params` select and fill its translation; `text` is the English sentence. */
export interface MessageData {
  readonly code: string;
  readonly params: Readonly<Record<string, MessageValue>>;
  readonly text: string;
}

/** A sentence: a message, or a text that has no code, such as one of a vendor or of another gateway. */
export type Text = string | MessageData;

/** A message of this gateway. In JSON and in other texts it is its English sentence; pages get it by `messageJson`. */
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

/** The names in braces of a sentence. */
type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Params<Sentence extends string> = [Names<Sentence>] extends [never]
  ? []
  : [params: Readonly<Record<Names<Sentence>, MessageValue>>];

/** The messages of a module: called with a key, it makes the message. */
export interface MessageFactory<Sentences extends Readonly<Record<string, string>>> {
  <Key extends keyof Sentences & string>(key: Key, ...params: Params<Sentences[Key]>): Message;
  has(key: string): key is keyof Sentences & string;
  /** English sentences by code. */
  readonly sentences: Readonly<Record<string, string>>;
}

/**
 * Declares the English sentences of a module, with `{name}` where a value goes. The code of a message is
 * `<prefix>.<key>` and does not change with its sentence.
 */
export function declareMessages<const Sentences extends Readonly<Record<string, string>>>(
  prefix: string,
  sentences: Sentences,
): MessageFactory<Sentences> {
  // Messages without values are made once: the control loop asks for the same ones many times a second.
  const fixed = new Map(
    Object.entries(sentences).map(([key, text]) => [
      key,
      new Message({ code: `${prefix}.${key}`, params: {}, text }),
    ]),
  );
  const make = (key: string, params?: Record<string, MessageValue>): Message => {
    const message = fixed.get(key);
    if (!message) throw new TypeError(`${prefix} has no message ${key}`);
    if (!params) return message;
    return new Message({ code: message.code, params, text: filled(message.text, params, valueText) });
  };
  const byCode = [...fixed.values()].map(({ code, text }) => [code, text]);
  const has = (key: string): key is keyof Sentences & string => fixed.has(key);
  return Object.assign(make, { has, sentences: Object.fromEntries(byCode) });
}

/** A sentence with its values in place. */
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

/** A text that has crossed between threads, where a message loses its class. */
export function revived(text: Text): Text {
  return typeof text === 'string' ? text : new Message(text);
}

/** The English sentence. */
export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

/** The same sentence, begun with a capital. */
export function capitalised(text: Text): Text {
  const sentence = textOf(text);
  const begun = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return typeof text === 'string' ? begun : new Message({ ...text, text: begun });
}

function isMessageData(value: unknown): value is MessageData {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && 'text' in value && 'params' in value && typeof value.params === 'object';
}

/** The request header in which the scripts of a page name its language. */
export const PAGE_LANGUAGE_HEADER = 'x-page-language';

/** JSON in which every message has its code and values beside its English text. */
export function messageJson(value: object): string {
  return JSON.stringify(value, asData);
}

/** JSON in which every message is the text that `render` makes of it. */
export function renderedJson(value: object, render: (message: Message) => string): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, member: unknown) {
    const raw = this[key];
    return raw instanceof Message ? render(raw) : member;
  });
}

/** The value of a text that `messageJson` made, with its messages. */
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
