/** Permits stops after the session has expired; empty if this page has none. */
let token = '';

/** Stores the token of the latest event stream. */
export function storeStopToken(newer: string | null): void {
  if (newer !== null) token = newer;
}

/** The header for stops and for querying the token's remaining validity. */
export function stopTokenHeader(): Record<string, string> {
  return token === '' ? {} : { 'x-stop-token': token };
}

/** Remaining validity of the stop token in ms, from a response to a request with the header. */
export function stopTimeOf(answer: Response): number {
  return Number(answer.headers.get('x-stop-token-expires-in') ?? 0) * 1000;
}
