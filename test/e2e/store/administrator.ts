import assert from 'node:assert/strict';
import type { GatewayProcess } from '../../helpers/gateway.js';

export const USER = { username: 'anna', password: 'correct horse battery' };

/** The environment of a gateway with the administrator anna. */
export const ADMINISTRATOR_ENV = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: USER.username,
  CARTWRIGHT_ADMIN_PASSWORD: USER.password,
};

interface Answer {
  status: number;
  text: string;
  /** The URL to which the response redirects; empty if it is not a redirect. */
  location: string;
  /** Empty if the response has none. */
  etag: string;
  json(): Record<string, unknown>;
}

/** Logs in, by default as the administrator, and returns a function that sends requests with the session. */
export async function loggedIn(gateway: Pick<GatewayProcess, 'url'>, user = USER) {
  const send = async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      ...(body ? { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    session = answer.headers.get('set-cookie')?.split(';')[0] ?? session;
    const location = answer.headers.get('location') ?? '';
    return {
      status: answer.status,
      text,
      location,
      etag: answer.headers.get('etag') ?? '',
      json: () => JSON.parse(text) as Record<string, unknown>,
    };
  };
  let session = '';
  assert.equal((await send('POST', '/login', user)).status, 201);
  return (method: string, path: string, body?: object, headers: object = {}) =>
    send(method, path, body, { cookie: session, ...headers });
}
