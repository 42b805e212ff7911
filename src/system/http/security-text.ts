import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import { packageFacts } from '../../shared/package-root.js';
import type { Clock } from '../../shared/ports/clock.js';
import { systemMessage } from '../messages.js';
import { healthApi } from './openapi.js';

/** The specification recommends less than a year. */
const VALID_MS = 364 * 24 * 3_600_000;

interface SecurityContact {
  /** The URI for reports of vulnerabilities. */
  contact: string;
  /** The last day of support, such as `2031-11-30`. */
  until: string;
  /** Unix time in ms. */
  nowMs: number;
}

/** Returns a `security.txt` file (https://www.rfc-editor.org/rfc/rfc9116), which expires when the support ends. */
export function securityText({ contact, until, nowMs }: SecurityContact): string {
  const endMs = Date.parse(`${until}T23:59:59Z`);
  const expires = new Date(Math.min(endMs, nowMs + VALID_MS)).toISOString();
  return [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en, nl', ''].join('\r\n');
}

export function securityTextRoute(
  clock: Pick<Clock, 'wallTime'>,
  { support } = packageFacts(),
): DeclaredRouter {
  const router = routerOf(healthApi);
  router.on('GET /.well-known/security.txt', (_req, res) => {
    if (support.contact === '') throw new GatewayError('NOT_FOUND', systemMessage('no-security-contact'));
    res.type('text/plain').send(securityText({ ...support, nowMs: clock.wallTime() }));
  });
  return router;
}
