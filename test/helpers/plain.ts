/** A value after JSON serialisation, with the English text of messages. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
