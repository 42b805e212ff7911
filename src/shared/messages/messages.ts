import { declareMessages, type Message, type Text } from './message.js';

/** Messages of several modules. */
export const sharedMessage = declareMessages('shared', {
  stopping: 'the gateway is stopping',
  'with-detail': '{reason} ({detail})',
  sentence: '{text}.',
  sentences: '{first}. {second}',
  both: '{first}: {second}',
  join: '{first}; {second}',
  list: '{first}, {second}',
  ms: '{n} ms',
  s: '{n} s',
  min: '{n} min',
  operator: 'the operator',
  key: 'key {name}',
  gateway: 'gateway {id}',
  'through-gateway': '{name} (gateway {id})',
  'disk-full': 'the disk is full',
  'disk-quota': 'the disk quota is used up',
  'disk-read-only': 'the file system is read-only',
  'disk-forbidden': 'the gateway is not allowed to',
  'file-missing': 'the file or its directory is not there',
  'file-not-a-directory': 'a part of the path is not a directory',
  'file-is-directory': 'it is a directory',
  'disk-fault': 'the disk reports a fault',
  'files-too-many': 'too many files are open',
  'file-refused': 'the file system refuses',
});

/** Several texts as one, with `; ` or commas between them; empty for none. */
export function joined(texts: readonly Text[], how: 'join' | 'list' = 'join'): Text {
  const [first = '', ...others] = texts;
  return others.reduce<Text>((before, text) => sharedMessage(how, { first: before, second: text }), first);
}

/** A rounded duration: `250 ms`, `1.5 s`, `12 s`, `3 min`. */
export function span(ms: number): Message {
  if (ms < 995) return sharedMessage('ms', { n: Number(ms.toPrecision(2)) });
  if (ms < 9_950) return sharedMessage('s', { n: Math.round(ms / 100) / 10 });
  if (ms < 119_500) return sharedMessage('s', { n: Math.round(ms / 1000) });
  return sharedMessage('min', { n: Math.round(ms / 60_000) });
}

/**
 * A principal as a text. Principals are identifiers: the name of a user, or one of the forms that `nameOf` (access) and
 * `actionsOrigin` (carts) give to keys and gateways.
 */
export function principalText(principal: Text): Text {
  if (typeof principal !== 'string') return principal;
  if (principal === sharedMessage('operator').text) return sharedMessage('operator');
  const [, name, through = ''] = /^(.+) \(gateway ([^()]+)\)$/.exec(principal) ?? [];
  if (name !== undefined) return sharedMessage('through-gateway', { name: principalText(name), id: through });
  const [, kind, id = ''] = /^(key|gateway) (.+)$/.exec(principal) ?? [];
  if (kind === undefined) return principal;
  return kind === 'key' ? sharedMessage('key', { name: id }) : sharedMessage('gateway', { id });
}
