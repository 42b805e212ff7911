import type { Message } from '../../shared/messages/message.js';
import { momentMessage } from '../../shared/messages/moment.js';
import type { CertificateNames } from '../../shared/ports/certificates.js';
import type { CertificateFacts } from './certificate.js';
import { tlsMessage } from './messages.js';

const DAY_MS = 86_400_000;
/** New certificates are backdated, so that devices whose clocks are up to a day slow accept them. */
export const BACKDATED_MS = DAY_MS;
export const CA_MS = 3652 * DAY_MS;
/** Browsers accept a validity period of at most 398 days. */
const LEAF_MS = 397 * DAY_MS;
const RENEW_MS = 30 * DAY_MS;

/**
 * Times outside this range are wrong, because this version dates from 2026, and an offline Pi may start in 1970.
 */
const PLAUSIBLE = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2037, 0, 1) };

export type Validity = 'valid' | 'not-yet-valid' | 'expired';

export function validityOf({ notBefore, notAfter }: CertificateFacts, nowMs: number): Validity {
  if (nowMs < notBefore) return 'not-yet-valid';
  return nowMs > notAfter ? 'expired' : 'valid';
}

/** Returns the reason why no certificate can be issued at `nowMs`, or undefined. */
export function clockFault(nowMs: number, ca?: CertificateFacts): Message | undefined {
  if (nowMs < PLAUSIBLE.from || nowMs >= PLAUSIBLE.until) {
    return tlsMessage('clock-implausible', { time: momentMessage(nowMs, 'minute') });
  }
  if (ca && nowMs < ca.notBefore) {
    return tlsMessage('clock-before-ca', {
      time: momentMessage(nowMs, 'minute'),
      day: momentMessage(ca.notBefore, 'day'),
    });
  }
  return undefined;
}

/** Returns the problem with the certificates at `nowMs` and its remedy, or undefined. */
export function validityFault(
  leaf: CertificateFacts,
  ca: CertificateFacts | undefined,
  nowMs: number,
): Message | undefined {
  const fault = ca && clockFault(nowMs, ca);
  if (fault) return fault;
  if (ca && nowMs > ca.notAfter) return tlsMessage('ca-expired', { day: momentMessage(ca.notAfter, 'day') });
  const state = validityOf(leaf, nowMs);
  if (state === 'expired') return tlsMessage('expired', { day: momentMessage(leaf.notAfter, 'day') });
  if (state === 'not-yet-valid')
    return tlsMessage('not-yet-valid', { day: momentMessage(leaf.notBefore, 'day') });
  return undefined;
}

/** Like `validityFault`, but for a configured certificate, which the gateway cannot renew. */
export function configuredFault(leaf: CertificateFacts, file: string, nowMs: number): Message | undefined {
  const state = validityOf(leaf, nowMs);
  if (state === 'expired')
    return tlsMessage('expired-configured', { file, day: momentMessage(leaf.notAfter, 'day') });
  if (state === 'not-yet-valid')
    return tlsMessage('not-yet-valid-configured', { file, day: momentMessage(leaf.notBefore, 'day') });
  return undefined;
}

/** True if the leaf is not yet valid, lacks a wanted name, or expires soon and can be extended. */
export function isRenewalDue(
  leaf: CertificateFacts,
  ca: CertificateFacts,
  wanted: CertificateNames,
  nowMs: number,
): boolean {
  if (validityOf(leaf, nowMs) === 'not-yet-valid') return true;
  if (leaf.notAfter - nowMs < RENEW_MS && leafEnd(ca, nowMs) - leaf.notAfter >= DAY_MS) return true;
  return !covers(leaf.names, wanted);
}

/** Returns the expiry time of a leaf issued at `nowMs`, which is never later than the CA's expiry time. */
export function leafEnd({ notAfter }: CertificateFacts, nowMs: number): number {
  return Math.min(nowMs - BACKDATED_MS + LEAF_MS, notAfter);
}

function covers(names: CertificateNames, wanted: CertificateNames): boolean {
  return (
    wanted.dns.every((name) => names.dns.includes(name)) &&
    wanted.ip.every((address) => names.ip.includes(address))
  );
}
