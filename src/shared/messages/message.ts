/** Numbers are formatted with the page language's decimal separator. */
export type MessageValue = string | number | MessageData;

/** `code` and `params` select and fill the translation; `text` is the English text. */
export interface MessageData {
  readonly code: string;
  readonly params: Readonly<Record<string, MessageValue>>;
  readonly text: string;
}

/** A message, or a string without a code, for example from a library or another gateway. */
export type Text = string | MessageData;

/** `JSON.stringify` writes a message's English text; `messageJson` also writes the code and parameters. */
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

type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Params<Sentence extends string> = [Names<Sentence>] extends [never]
  ? []
  : [params: Readonly<Record<Names<Sentence>, MessageValue>>];

export interface MessageFactory<Prefix extends string, Sentences extends Readonly<Record<string, string>>> {
  readonly prefix: Prefix;
  <Key extends keyof Sentences & string>(key: Key, ...params: Params<Sentences[Key]>): Message;
  has(key: string): key is keyof Sentences & string;
}

/** A translation must contain every parameter of the English sentence. */
type Translation<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? `${string}{${Name}}${string}` & Translation<Rest>
  : string;

/** The translations of the messages that `declareMessages` has declared, by code. */
export type Translations<Factory> =
  Factory extends MessageFactory<infer Prefix, infer Sentences>
    ? {
        readonly [Key in keyof Sentences & string as `${Prefix}.${Key}`]: Translation<Sentences[Key]>;
      }
    : never;

const declared = new Map<string, string>();

/** Returns the English templates of all modules that have been loaded, by code. */
export function declaredSentences(): ReadonlyMap<string, string> {
  return declared;
}

/** Declares English templates with `{name}` placeholders. A message's code is `<prefix>.<key>`. */
export function declareMessages<
  const Prefix extends string,
  const Sentences extends Readonly<Record<string, string>>,
>(prefix: Prefix, sentences: Sentences): MessageFactory<Prefix, Sentences> {
  // Creates messages without parameters only once, because the control loop uses them many times per second.
  const fixed = new Map<string, Message>();
  for (const [key, text] of Object.entries(sentences)) {
    const code = `${prefix}.${key}`;
    fixed.set(key, new Message({ code, params: {}, text }));
    declared.set(code, text);
  }
  const make = (key: string, params?: Record<string, MessageValue>): Message => {
    const message = fixed.get(key);
    if (!message) throw new TypeError(`message ${key} does not exist in ${prefix}`);
    if (!params) return message;
    return new Message({ code: message.code, params, text: filled(message.text, params, valueText) });
  };
  const has = (key: string): key is keyof Sentences & string => fixed.has(key);
  return Object.assign(make, { prefix, has });
}

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

/** Converts a message that was copied between threads back to a `Message`. */
export function revived(text: Text): Text {
  return typeof text === 'string' ? text : new Message(text);
}

export function textOf(text: Text): string {
  return typeof text === 'string' ? text : text.text;
}

/** Parameters that contain a person's name or an ID, whose spelling never changes. */
const NAMES: readonly string[] = ['holder', 'id', 'name'];

/** Returns true if a message's sentence begins with a name or an ID. `write` returns the text of a nested message. */
export function beginsWithName(
  text: Text,
  sentence: string,
  write: (value: MessageData) => string = textOf,
): boolean {
  if (typeof text === 'string') return false;
  return Object.entries(text.params).some(([key, value]) => {
    if (typeof value === 'number') return false;
    const part = typeof value === 'string' ? value : write(value);
    if (part === '' || !sentence.startsWith(part)) return false;
    return typeof value === 'string' ? NAMES.includes(key) : beginsWithName(value, part, write);
  });
}

/** Converts the first letter to upper case, unless the text begins with a name. */
export function capitalised(text: Text): Text {
  const sentence = textOf(text);
  if (beginsWithName(text, sentence)) return text;
  const begun = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return typeof text === 'string' ? begun : new Message({ ...text, text: begun });
}

export function isMessageData(value: unknown): value is MessageData {
  if (typeof value !== 'object' || value === null) return false;
  return 'code' in value && 'text' in value && 'params' in value && typeof value.params === 'object';
}

/** The header that page scripts use to send the page's language. */
export const PAGE_LANGUAGE_HEADER = 'x-page-language';

/** Serialises messages with their code and parameters. */
export function messageJson(value: object): string {
  return JSON.stringify(value, asData);
}

/** Serialises a text for storage, with its code and parameters if it is a message. */
export function textJson(text: Text): string {
  return typeof text === 'string' ? JSON.stringify(text) : messageJson(text);
}

/** Parses the output of `textJson`. */
export function parseText(json: string): Text {
  return parseMessageJson(json) as Text;
}

/** Serialises each message as the string that `render` returns. */
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
