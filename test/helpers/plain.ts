/** A value as its readers get it: what JSON makes of it, with the English sentences of messages. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
