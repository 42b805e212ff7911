import { declareMessages, type Message, type MessageValue, type Text } from './message.js';

export const sharedMessage = declareMessages('shared', {
  stopping: 'the gateway is shutting down',
  'with-detail': '{reason} ({detail})',
  sentence: '{text}.',
  sentences: '{first}. {second}',
  both: '{first}: {second}',
  join: '{first}; {second}',
  list: '{first}, {second}',
  ms: '{n} ms',
  s: '{n} s',
  min: '{n} min',
  degrees: 'degrees',
  'degrees-per-s': 'degrees/s',
  days: 'days',
  'commands-per-s': 'commands/s',
  operator: 'the operator',
  key: 'key {name}',
  gateway: 'gateway {id}',
  'through-gateway': '{name} (gateway {id})',
  'field-changed': 'was changed to "{value}" in the meantime; save again to replace it',
  'field-cleared': 'was cleared in the meantime; save again to replace it',
  'fields-changed': 'The same fields were changed in the meantime. Nothing was saved.',
  'fields-changed-hint': 'Compare the values, then save again.',
  'not-utf8': 'the text is not valid UTF-8',
  'not-utf8-hint': 'Save the file as UTF-8, or send the text in UTF-8.',
  'disk-full': 'the disk is full',
  'disk-quota': 'the disk quota is exceeded',
  'disk-read-only': 'the file system is read-only',
  'disk-forbidden': 'permission denied',
  'file-missing': 'the file or its directory does not exist',
  'file-not-a-directory': 'part of the path is not a directory',
  'file-is-directory': 'the path is a directory',
  'disk-fault': 'disk I/O error',
  'files-too-many': 'too many files are open',
  'tests-too-many': 'too many connection tests are running: try again in a few seconds',
  'file-refused': 'the file system rejected the operation',
});

export const uploadMessage = declareMessages('upload', {
  'too-large': 'the file is too large',
  'no-space': 'there is not enough free space for the file',
  'space-hint': 'Free up space on the disk that contains the data directory.',
  busy: 'another part of a file is being stored',
  order: 'this is not the next part of the file',
  'order-hint': 'Send the part that begins at byte {first}.',
  length: 'the length of the body does not match Content-Range',
  failed: 'the file could not be stored: {reason}',
});

export const networkMessage = declareMessages('network', {
  refused: 'connection refused: the server is not running, or the port is wrong',
  'name-unknown': 'the server name {host} cannot be found',
  'name-not-looked-up': 'the server name {host} could not be looked up: check the network',
  timeout: 'the server did not respond in time',
  unreachable: 'the server is unreachable',
  'network-unreachable': 'the network is unreachable',
  reset: 'the server closed the connection',
  'no-tls': 'TLS failed: the port does not use TLS, or supports only an insecure version',
  'other-host': 'TLS failed: the certificate was issued for a different hostname',
  expired: "TLS failed: the certificate has expired (or this machine's clock is wrong)",
  'not-yet-valid': "TLS failed: the certificate is not yet valid (or this machine's clock is wrong)",
  'self-signed': 'TLS failed: the certificate is self-signed, and this machine does not trust it',
  'unknown-issuer': 'TLS failed: the certificate was issued by a CA that this machine does not trust',
});

/** Joins strings with `; ` or `, `. */
export function joined(texts: readonly Text[], how: 'join' | 'list' = 'join'): Text {
  const [first = '', ...others] = texts;
  return others.reduce<Text>((before, text) => sharedMessage(how, { first: before, second: text }), first);
}

/** Rounds and formats a duration: `250 ms`, `1.5 s`, `12 s`, `3 min`. */
export function span(ms: number): Message {
  if (ms < 995) return sharedMessage('ms', { n: Number(ms.toPrecision(2)) });
  if (ms < 9_950) return sharedMessage('s', { n: Math.round(ms / 100) / 10 });
  if (ms < 119_500) return sharedMessage('s', { n: Math.round(ms / 1000) });
  return sharedMessage('min', { n: Math.round(ms / 60_000) });
}

const UNIT_WORDS = {
  deg: 'degrees',
  degrees: 'degrees',
  'deg/s': 'degrees-per-s',
  days: 'days',
  'commands/s': 'commands-per-s',
} as const;

/** Returns the translatable word for a unit in a sentence. Symbols such as `mm` are the same in all languages. */
export function unitText(unit: string): MessageValue {
  return Object.hasOwn(UNIT_WORDS, unit) ? sharedMessage(UNIT_WORDS[unit as keyof typeof UNIT_WORDS]) : unit;
}

/** Returns the translatable text for a username, or for the identifier of an API key or gateway. */
export function principalText(principal: Text): Text {
  if (typeof principal !== 'string') return principal;
  if (principal === sharedMessage('operator').text) return sharedMessage('operator');
  const [, name, through = ''] = /^(.+) \(gateway ([^()]+)\)$/.exec(principal) ?? [];
  if (name !== undefined) return sharedMessage('through-gateway', { name: principalText(name), id: through });
  const [, kind, id = ''] = /^(key|gateway) (.+)$/.exec(principal) ?? [];
  if (kind === undefined) return principal;
  return kind === 'key' ? sharedMessage('key', { name: id }) : sharedMessage('gateway', { id });
}
