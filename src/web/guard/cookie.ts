import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { parseToken } from '../../access/secrets.js';
import { ABSOLUTE_MS } from '../../access/sessions/sessions.js';

/**
 * Cookies know no ports: every other service on the machine gets ours and could overwrite it, so the name carries the
 * port. Over TLS the prefix makes the browser see to that, and to `Secure`; over plain http it would drop the cookie.
 */
function nameOf({ socket }: IncomingMessage): string {
  return isEncrypted(socket as TLSSocket) ? '__Host-sessie' : `sessie_p${socket.localPort ?? 0}`;
}

function isEncrypted(socket: Partial<TLSSocket>): boolean {
  return socket.encrypted === true;
}

/** Each one costs a look into the database. */
const MAX_COOKIES = 16;

/**
 * The values of all cookies with the session's name and form: another service on the machine can set one that the browser
 * sends before ours.
 */
export function sessionCookies(req: IncomingMessage): string[] {
  const { cookie } = req.headers;
  if (!cookie) return [];
  const start = `${nameOf(req)}=`;
  const own = cookie.split(';').flatMap((part) => {
    const text = part.trim();
    return text.startsWith(start) ? [text.slice(start.length)] : [];
  });
  return own.filter((value) => parseToken(value) !== undefined).slice(0, MAX_COOKIES);
}

/** `Lax`, not `Strict`: the way back from a payment provider's page is a link from another site. */
export function setSessionCookie(req: Request, res: Response, value: string): void {
  append(req, res, value, Math.floor(ABSOLUTE_MS / 1000));
}

export function clearSessionCookie(req: Request, res: Response): void {
  append(req, res, '', 0);
}

function append(req: Request, res: Response, value: string, maxAgeS: number): void {
  // Also behind a trusted proxy that speaks TLS.
  const secure = req.secure ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
  res.append('set-cookie', `${nameOf(req)}=${value}; ${attributes}`);
}
