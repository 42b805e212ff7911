/** The token that permits stops after the session has expired; empty if the page has no token. */
let token = '';

/** Stores the token from the latest event stream. Ignores null. */
export function storeStopToken(newer: string | null): void {
  if (newer !== null) token = newer;
}

export function stopTokenHeader(): Record<string, string> {
  return token === '' ? {} : { 'x-stop-token': token };
}

/** Returns the token's remaining validity in ms, from the response to a request that contained the token. */
export function stopTimeOf(answer: Response): number {
  return Number(answer.headers.get('x-stop-token-expires-in') ?? 0) * 1000;
}
