/**
 * The answers to requests for all routes, as a text that shows a useful diff. Requests with the same answer are
 * grouped:
 *
 *     GET /carts
 *       none@login expired@login
 *         missing any json html-second image: 401 json NOT_LOGGED_IN
 *         html: 303 - location=/login?next=<path>
 */

/** Values of the `Accept` header by the names in the golden data; `undefined` sends no header. */
export const ACCEPTS: Readonly<Record<string, string | undefined>> = {
  missing: undefined,
  any: '*/*',
  html: 'text/html',
  json: 'application/json',
  'html-second': 'text/html;q=0.5,application/json',
  image: 'image/png',
};
const ACCEPT_NAMES: readonly string[] = Object.keys(ACCEPTS);
export const LANGUAGES = ['en', 'nl'] as const;
/** `login`: every request requires a login; `lan`: the local network is trusted. */
export const NETWORKS = ['login', 'lan'] as const;

export interface Cell {
  caller: string;
  network: (typeof NETWORKS)[number];
  accept: string;
  language: (typeof LANGUAGES)[number];
}

export interface Answer {
  /** Status, kind of body and headers. */
  head: string;
  /** The title of a page in quotation marks, or the code of an error. */
  facts: string;
}

/** Answers by row, such as `GET /carts`, and by cell. */
export type Golden = Map<string, Map<string, Answer>>;

export const keyOf = ({ caller, network, accept, language }: Cell): string =>
  `${caller}@${network} ${accept}.${language}`;

export function textOf({ head, facts }: Answer): string {
  return facts === '' ? head : `${head} ${facts}`;
}

/** Groups names such as `none@login`. A name without a suffix means both networks. */
export function callersText(names: readonly string[], callers: readonly string[]): string {
  const given = new Set(names);
  const on = (network: string): string[] => callers.filter((caller) => given.has(`${caller}@${network}`));
  const [login, lan] = [on('login'), on('lan')];
  const both = login.filter((caller) => lan.includes(caller));
  const only = (list: string[]): string[] => list.filter((caller) => !both.includes(caller));
  const parts = [
    ...callerNames(both, callers, ''),
    ...callerNames(only(login), callers, '@login'),
    ...callerNames(only(lan), callers, '@lan'),
  ];
  return parts.join(' ');
}

/** All callers with which the row is compared. */
const EVERYONE = 'everyone';

const isKey = (caller: string): boolean => caller.startsWith('key:');

function callerNames(names: readonly string[], callers: readonly string[], suffix: string): string[] {
  const keys = callers.filter(isKey);
  const missing = keys.filter((key) => !names.includes(key)).map((key) => key.slice('key:'.length));
  const others = names.filter((name) => !isKey(name)).map((name) => name + suffix);
  if (missing.length === 0) return [...others, `keys${suffix}`];
  if (missing.length <= keys.length / 2) return [...others, `keys-but:${missing.join(',')}${suffix}`];
  return [...others, ...names.filter(isKey).map((name) => name + suffix)];
}

function callersOf(text: string, callers: readonly string[]): string[] {
  return text.split(' ').flatMap((token) => {
    const [name = '', network] = token.split('@');
    const networks = network === undefined ? NETWORKS : [network];
    return namesOf(name, callers).flatMap((caller) => networks.map((one) => `${caller}@${one}`));
  });
}

function namesOf(token: string, callers: readonly string[]): string[] {
  if (token === EVERYONE) return [...callers];
  if (token === 'keys') return callers.filter(isKey);
  if (!token.startsWith('keys-but:')) return [token];
  const missing = token.slice('keys-but:'.length).split(',');
  return callers.filter((caller) => isKey(caller) && !missing.includes(caller.slice('key:'.length)));
}

function acceptsText(names: readonly string[]): string {
  return names.length === ACCEPT_NAMES.length && names.every((name) => ACCEPT_NAMES.includes(name))
    ? 'all'
    : names.join(' ');
}

function acceptsOf(text: string): { accept: string; language: Cell['language'] }[] {
  return text.split(' ').flatMap((token) => {
    const [name = '', only] = token.split('.');
    const languages = LANGUAGES.filter((language) => only === undefined || only === language);
    return (name === 'all' ? ACCEPT_NAMES : [name]).flatMap((accept) =>
      languages.map((language) => ({ accept, language })),
    );
  });
}

/**
 * Returns the lines of one caller by their `Accept` headers. Answers in both languages share a line if they differ
 * only in the title: `"Drive|Rijden"`.
 */
function callerText(answers: ReadonlyMap<string, Answer>): string {
  const lines = ACCEPT_NAMES.flatMap((accept) => {
    const [en, nl] = LANGUAGES.map((language) => answers.get(`${accept}.${language}`));
    const both = en && nl ? pairText(en, nl) : undefined;
    if (both !== undefined) return [{ name: accept, text: both }];
    if (en && nl)
      return [
        { name: `${accept}.en`, text: textOf(en) },
        { name: `${accept}.nl`, text: textOf(nl) },
      ];
    const only = en ?? nl;
    return only ? [{ name: accept, text: textOf(only) }] : [];
  });
  return grouped(lines, ({ text }) => text)
    .map(([text, same]) => `    ${acceptsText(same.map(({ name }) => name))}: ${text}\n`)
    .join('');
}

function pairText(en: Answer, nl: Answer): string | undefined {
  const isTitle = en.facts.startsWith('"') && nl.facts.startsWith('"');
  if (en.head !== nl.head || (en.facts !== nl.facts && !isTitle)) return undefined;
  const facts = en.facts === nl.facts ? en.facts : `${en.facts.slice(0, -1)}|${nl.facts.slice(1)}`;
  return textOf({ head: en.head, facts });
}

/** The title of a shared line in one language. */
function factsFor(language: Cell['language'], facts: string): string {
  const [en, nl] = facts.split('|');
  if (nl === undefined) return facts;
  return language === 'en' ? `${en}"` : `"${nl}`;
}

function grouped<T>(items: readonly T[], keyOfItem: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** Returns the lines of one row, without its name. */
function rowText(answers: ReadonlyMap<string, Answer>, callers: readonly string[]): string {
  const byCaller = new Map<string, Map<string, Answer>>();
  for (const [key, answer] of answers) {
    const [caller = '', accept = ''] = key.split(' ');
    const own = byCaller.get(caller) ?? new Map<string, Answer>();
    byCaller.set(caller, own.set(accept, answer));
  }
  const blocks = [...byCaller].map(([caller, own]) => ({ caller, text: callerText(own) }));
  const groups = grouped(blocks, ({ text }) => text);
  return groups
    .map(([text, same]) => {
      const names = same.map(({ caller }) => caller);
      return `  ${groups.length === 1 ? EVERYONE : callersText(names, callers)}\n${text}`;
    })
    .join('');
}

/** A HEAD row whose answers have the status and headers of the GET row, and a row with the same answers. */
const LIKE_GET = '  like GET, without the body\n';
const LIKE = '  like ';

const pathOf = (row: string): string => row.slice(row.indexOf(' ') + 1);
const methodOf = (row: string): string => row.slice(0, row.indexOf(' '));

/** @param like the row with which a row is compared: its answers are omitted if they are the same. */
export function formatGolden(
  golden: Golden,
  callers: readonly string[],
  like: (row: string) => string | undefined,
): string {
  const rows = [...golden].map(([row, answers]) => ({ row, text: bodyOf(row, answers) }));
  return grouped(rows, ({ row, text }) => `${pathOf(row)}\n${text}`)
    .map(([, same]) => {
      const [{ row, text }] = same as [{ row: string; text: string }];
      return `${same.map((one) => methodOf(one.row)).join(' ')} ${pathOf(row)}\n${text}`;
    })
    .join('');

  function bodyOf(row: string, answers: ReadonlyMap<string, Answer>): string {
    const model = like(row);
    const other = model === undefined ? undefined : golden.get(model);
    if (model === undefined || !other) return rowText(answers, callers);
    const isHead = methodOf(row) === 'HEAD';
    const isSame = [...answers].every(([key, answer]) => {
      const theirs = other.get(key);
      return (
        theirs && (isHead ? answer.head === theirs.head && answer.facts === '' : isEqual(answer, theirs))
      );
    });
    if (!isSame) return rowText(answers, callers);
    return isHead ? LIKE_GET : `${LIKE}${model}\n`;
  }
}

const isEqual = (one: Answer, other: Answer): boolean => textOf(one) === textOf(other);

export function parseGolden(text: string, callers: readonly string[]): Golden {
  const golden: Golden = new Map();
  for (const [, names = '', path = '', block = ''] of text.matchAll(/^([A-Z ]+) (\/.*)\n((?: {2}.*\n)*)/gm)) {
    const answers = parseRow(block, `GET ${path}`, golden, callers);
    for (const method of names.split(' ')) golden.set(`${method} ${path}`, answers);
  }
  return golden;
}

function parseRow(
  block: string,
  get: string,
  golden: Golden,
  callers: readonly string[],
): Map<string, Answer> {
  if (block === LIKE_GET) {
    return new Map([...(golden.get(get) ?? [])].map(([key, { head }]) => [key, { head, facts: '' }]));
  }
  if (block.startsWith(LIKE)) return golden.get(block.slice(LIKE.length).trimEnd()) ?? new Map();
  const answers = new Map<string, Answer>();
  let group: string[] = [];
  for (const line of block.split('\n')) {
    const [, accepts, head = '', facts = ''] =
      /^ {4}([^:]+): (.*?)((?: (?:"[^"]*"|[A-Z_]+))*)$/.exec(line) ?? [];
    if (accepts === undefined) group = line === '' ? group : callersOf(line.trim(), callers);
    else {
      for (const { accept, language } of acceptsOf(accepts)) {
        const answer = { head, facts: factsFor(language, facts.trim()) };
        for (const caller of group) answers.set(`${caller} ${accept}.${language}`, answer);
      }
    }
  }
  return answers;
}
