/** Stop token, which permits stops after the session has expired; empty if the page has none. */
let token = '';

/** Stores the stop token from the latest event stream. Ignores null. */
export function storeStopToken(newer: string | null): void {
  if (newer !== null) token = newer;
}

/** Returns the header for stops and for requests that query the token's remaining validity. */
export function stopTokenHeader(): Record<string, string> {
  return token === '' ? {} : { 'x-stop-token': token };
}

/**
 * Returns the remaining validity of the stop token in ms, from the response to a request that had this
 * header.
 */
export function stopTimeOf(answer: Response): number {
  return Number(answer.headers.get('x-stop-token-expires-in') ?? 0) * 1000;
}
