import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { parseToken } from './authenticator.js';

/**
 * All ports on a host share cookies. So that other services do not overwrite the session cookie, its name
 * contains the prefix `__Host-` or, over plain HTTP, where browsers reject this prefix, the port.
 */
function nameOf({ socket }: IncomingMessage): string {
  return isEncrypted(socket) ? '__Host-sessie' : `sessie_p${socket.localPort ?? 0}`;
}

/** True for a connection over the gateway's own TLS. */
export function isEncrypted(socket: Socket): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** Limited, because each session cookie requires a database read. */
const MAX_COOKIES = 16;

/** Returns all well-formed session cookies, because another service may have set the first one. */
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

/** `Lax` instead of `Strict`, because the payment provider's page links back to the gateway. */
export function setSessionCookie(req: Request, res: Response, value: string, maxAgeMs: number): void {
  append(req, res, value, Math.floor(maxAgeMs / 1000));
}

export function clearSessionCookie(req: Request, res: Response): void {
  append(req, res, '', 0);
}

function append(req: Request, res: Response, value: string, maxAgeS: number): void {
  // `req.secure` is also true behind a trusted TLS proxy.
  const secure = req.secure ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
  res.append('set-cookie', `${nameOf(req)}=${value}; ${attributes}`);
}
