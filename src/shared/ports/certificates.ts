export interface CertificateNames {
  dns: readonly string[];
  ip: readonly string[];
}

interface Validity {
  /** Unix time in ms, inclusive. */
  notBefore: number;
  notAfter: number;
}

/** A request for a new CA, restricted to the names in `permittedDns` and private network addresses. */
export interface CaRequest extends Validity {
  kind: 'ca';
  name: string;
  permittedDns: readonly string[];
}

/** A request for a new server certificate. Names that the CA does not permit are omitted. */
export interface LeafRequest extends Validity {
  kind: 'leaf';
  name: string;
  names: CertificateNames;
  caPem: string;
}

/** Resolves with a PEM string that contains a new certificate and its P-256 key (PKCS #8). */
export type IssueCertificate = (request: CaRequest | LeafRequest) => Promise<string>;
