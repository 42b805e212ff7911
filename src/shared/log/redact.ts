/** Names of fields whose value is nobody's business. */
const SECRET_NAME = /pass(?:word|phrase)?$|secret|token|cookie|authorization|api[-_]?key$|credential/i;

/** Secrets inside a text: setup codes and passwords in addresses, and keys that say what they are. */
const SECRET_TEXTS: readonly [RegExp, string][] = [
  [/([?&]code=)[^&\s"]+/g, '$1***'],
  [/(:\/\/[^/\s:@]*:)[^@\s/]+@/g, '$1***@'],
  [/\b(?:gk|sk|rk|whsec)_[\w-]{8,}/g, '***'],
];

/** A text without the secrets that can be told by their looks. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((clean, [pattern, stand]) => clean.replace(pattern, stand), text);
}

/** For `JSON.stringify`: what a secret's name or looks give away becomes `***`; errors are told in one sentence. */
export function redactor(key: string, value: unknown): unknown {
  if (value instanceof Error) return redactText(value.message);
  if (typeof value === 'string') return value !== '' && SECRET_NAME.test(key) ? '***' : redactText(value);
  return value;
}
