import type { Request, Response } from 'express';
import { sessionCookieName } from '../../http/guard/cookies.js';
import { MAX_SESSION_MS } from '../sessions/sessions.js';

/**
 * The cookie is valid for the maximum lifetime of a session. `SameSite` is `Lax` instead of `Strict`, because
 * the payment provider's page links back to the gateway.
 */
export function setSessionCookie(req: Request, res: Response, value: string): void {
  append(req, res, value, Math.floor(MAX_SESSION_MS / 1000));
}

export function clearSessionCookie(req: Request, res: Response): void {
  append(req, res, '', 0);
}

function append(req: Request, res: Response, value: string, maxAgeS: number): void {
  // `req.secure` is also true behind a trusted TLS proxy.
  const secure = req.secure ? '; Secure' : '';
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
  res.append('set-cookie', `${sessionCookieName(req)}=${value}; ${attributes}`);
}
