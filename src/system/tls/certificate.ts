import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { CertificateNames } from '../../shared/ports/certificates.js';

/** The certificate fields that the gateway uses. Times are Unix times in ms. */
export interface CertificateFacts {
  /** Common name of the subject. */
  name: string;
  names: CertificateNames;
  notBefore: number;
  notAfter: number;
  /** SHA-256 as pairs of hexadecimal digits, such as `AB:CD:…`. */
  fingerprint: string;
}

/** Reads the first certificate in a PEM string. Throws if the string contains no certificate. */
export function certificateFacts(pem: string | Buffer): CertificateFacts {
  const certificate = new X509Certificate(pem);
  const { subject, subjectAltName = '', validFrom, validTo, fingerprint256: fingerprint } = certificate;
  const entries = subjectAltName.split(', ');
  const valuesOf = (type: string): string[] =>
    entries.flatMap((entry) => (entry.startsWith(type) ? [entry.slice(type.length)] : []));
  return {
    name: /^CN=(.*)$/m.exec(subject)?.[1] ?? '',
    names: { dns: valuesOf('DNS:'), ip: valuesOf('IP Address:').map(shortAddress) },
    notBefore: Date.parse(validFrom),
    notAfter: Date.parse(validTo),
    fingerprint,
  };
}

/** A PEM string that contains a certificate and its private key, and facts from the certificate. */
export interface Pair {
  pem: string;
  facts: CertificateFacts;
}

/** Throws if the string contains no certificate, no key, or a key for a different certificate. */
export function pairOf(pem: string): Pair {
  if (!new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem))) {
    throw new Error('the key does not match the certificate');
  }
  return { pem, facts: certificateFacts(pem) };
}

/** True if the certificate was signed with the CA's key. */
export function isIssuedBy(pem: string, caPem: string): boolean {
  return new X509Certificate(pem).verify(new X509Certificate(caPem).publicKey);
}

export function publicPart(pem: string): string {
  return new X509Certificate(pem).toString();
}

/** Shortens an IPv6 address as the operating system does: `0:0:0:0:0:0:0:1` becomes `::1`. */
function shortAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
