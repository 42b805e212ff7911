/** Stops carts after the session has expired, and does nothing else; empty: none was given to this page. */
let token = '';

/** Keeps the token of the newest stream. */
export function keepStopToken(newer: string | null): void {
  if (newer !== null) token = newer;
}

/** The header for requests that stop, and for the question how long stops still work. */
export function stopTokenHeader(): Record<string, string> {
  return token === '' ? {} : { 'x-stop-token': token };
}

/** For how long stops still work without a session, ms: as the gateway answered a request with the header. */
export function stopTimeOf(answer: Response): number {
  return Number(answer.headers.get('x-stop-token-expires-in') ?? 0) * 1000;
}
