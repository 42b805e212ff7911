/** Returns a value as it is after JSON serialisation, with messages in English. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
