export interface CertificateNames {
  dns: readonly string[];
  ip: readonly string[];
}

interface Validity {
  /** Unix time in ms, inclusive. */
  notBefore: number;
  notAfter: number;
}

/**
 * A request for a new CA that can issue certificates only for the names in `permittedDns` and for private
 * network addresses.
 */
export interface CaRequest extends Validity {
  kind: 'ca';
  /** Common name. */
  name: string;
  /** DNS names and suffixes. */
  permittedDns: readonly string[];
}

/** A request for a new server certificate. Names that the CA does not permit are omitted. */
export interface LeafRequest extends Validity {
  kind: 'leaf';
  name: string;
  names: CertificateNames;
  /** The CA's certificate and key. */
  caPem: string;
}

/** Resolves with a new certificate and its P-256 key (PKCS #8), both in one PEM string. */
export type IssueCertificate = (request: CaRequest | LeafRequest) => Promise<string>;
