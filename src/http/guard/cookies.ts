import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseToken } from './authenticator.js';

/**
 * Returns the session cookie's name. All ports on a host share cookies. To prevent other services from overwriting
 * the cookie, its name contains the prefix `__Host-` or, over plain HTTP, where browsers reject this prefix, the
 * port.
 */
export function sessionCookieName({ socket }: IncomingMessage): string {
  return isEncrypted(socket) ? '__Host-sessie' : `sessie_p${socket.localPort ?? 0}`;
}

/** Returns true for a connection over the gateway's own TLS. */
export function isEncrypted(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** Maximum number of session cookies that are read from a request, because each requires a database read. */
const MAX_COOKIES = 16;

/** Returns all well-formed session cookies, because another service may have set the first one. */
export function sessionCookies(req: IncomingMessage): string[] {
  const { cookie } = req.headers;
  if (!cookie) return [];
  const start = `${sessionCookieName(req)}=`;
  const own = cookie.split(';').flatMap((part) => {
    const text = part.trim();
    return text.startsWith(start) ? [text.slice(start.length)] : [];
  });
  return own.filter((value) => parseToken(value) !== undefined).slice(0, MAX_COOKIES);
}
