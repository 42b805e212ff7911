import type { Text } from '../../shared/messages/message.js';
import type { CertificateFacts } from './certificate.js';
import { type Validity, validityOf } from './validity.js';

/** The state of HTTPS, in the format of the `GET /system/tls` response. */
export interface TlsView {
  /** `local`: the gateway's own CA issued the certificate. `configured`: the gateway cannot renew it. */
  source: 'none' | 'local' | 'configured';
  state: Validity | 'none';
  /** The HTTPS port; null if HTTPS is not served. */
  port: number | null;
  /** Names and addresses in the certificate. */
  names: string[];
  /** ISO 8601; null if there is no certificate. */
  notBefore: string | null;
  notAfter: string | null;
  ca: { name: string; fingerprint: string; notAfter: string } | null;
  /** Whether pages are redirected to HTTPS; `suspended` while the certificate is not valid. */
  redirect: 'off' | 'on' | 'suspended';
  /** The problem and its remedy; empty if there is no problem. */
  fault: Text;
}

interface TlsViewInput extends Pick<TlsView, 'source' | 'port' | 'redirect' | 'fault'> {
  leaf: CertificateFacts | undefined;
  ca: CertificateFacts | undefined;
  nowMs: number;
}

export function tlsView({ leaf, ca, nowMs, ...rest }: TlsViewInput): TlsView {
  return {
    ...rest,
    state: leaf ? validityOf(leaf, nowMs) : 'none',
    names: leaf ? [...leaf.names.dns, ...leaf.names.ip] : [],
    notBefore: leaf ? isoOf(leaf.notBefore) : null,
    notAfter: leaf ? isoOf(leaf.notAfter) : null,
    ca: ca ? { name: ca.name, fingerprint: ca.fingerprint, notAfter: isoOf(ca.notAfter) } : null,
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
