import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { PRIVATE_NETWORKS } from '../../shared/addresses.js';
import type { CaRequest, CertificateNames, LeafRequest } from '../../shared/ports/certificates.js';

/** RFC 5758, 3.2: ecdsa-with-SHA256 has no parameters. */
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
/** Maximum length of a common name (RFC 5280, appendix A). */
const MAX_COMMON_NAME = 64;

/** Takes up to 1 s on a Raspberry Pi, so it must run on a separate thread. */
export function issue(request: CaRequest | LeafRequest): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);
  const subject = nameOf(request.name);
  const { issuer, extensions, key } =
    request.kind === 'ca'
      ? { issuer: subject, extensions: caExtensions(request, spki), key: privateKey }
      : issuedBy(readCa(request.caPem), request.names, spki);
  const signature = new AlgorithmIdentifier({ algorithm: ECDSA_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature,
    issuer,
    subject,
    validity: new Validity({ notBefore: new Date(request.notBefore), notAfter: new Date(request.notAfter) }),
    subjectPublicKeyInfo: spki,
    extensions: new Extensions(extensions),
  });
  const signatureValue = exact(sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), key));
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue });
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return pemOf(Buffer.from(AsnConvert.serialize(certificate))) + privatePem;
}

function issuedBy(
  { tbs, key }: ReturnType<typeof readCa>,
  names: CertificateNames,
  spki: SubjectPublicKeyInfo,
): { issuer: Name; extensions: Extension[]; key: KeyObject } {
  return { issuer: tbs.subject, extensions: leafExtensions(names, spki, tbs), key };
}

function caExtensions({ permittedDns }: CaRequest, spki: SubjectPublicKeyInfo): Extension[] {
  const permitted = [
    ...permittedDns.map((name) => new GeneralName({ dNSName: name })),
    ...PRIVATE_NETWORKS.map((network) => new GeneralName({ iPAddress: network })),
  ];
  const permittedSubtrees = new GeneralSubtrees(permitted.map((base) => new GeneralSubtree({ base })));
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
    extension(id_ce_nameConstraints, new NameConstraints({ permittedSubtrees }), true),
    extension(id_ce_subjectKeyIdentifier, keyIdentifierOf(spki)),
  ];
}

function leafExtensions(
  names: CertificateNames,
  spki: SubjectPublicKeyInfo,
  issuer: TBSCertificate,
): Extension[] {
  const keyIdentifier = new KeyIdentifier(keyIdentifierOf(issuer.subjectPublicKeyInfo).buffer);
  const authority = new AuthorityKeyIdentifier({ keyIdentifier });
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
    extension(id_ce_subjectAltName, new SubjectAlternativeName(generalNames(names, issuer))),
    extension(id_ce_subjectKeyIdentifier, keyIdentifierOf(spki)),
    extension(id_ce_authorityKeyIdentifier, authority),
  ];
}

/**
 * Omits the names that the CA does not permit, because a single such name makes the whole certificate invalid (RFC
 * 5280, 4.2.1.10).
 */
function generalNames({ dns, ip }: CertificateNames, issuer: TBSCertificate): GeneralName[] {
  const found = issuer.extensions?.find(({ extnID }) => extnID === id_ce_nameConstraints);
  const constraints = found && AsnConvert.parse(found.extnValue.buffer, NameConstraints);
  const suffixes = (constraints?.permittedSubtrees ?? []).flatMap(({ base }) => base.dNSName ?? []);
  const isPermitted = (name: string): boolean =>
    !constraints || suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  return [
    ...dns.filter(isPermitted).map((name) => new GeneralName({ dNSName: name })),
    ...ip.map((address) => new GeneralName({ iPAddress: address })),
  ];
}

function readCa(pem: string) {
  const [body = ''] = /(?<=-----BEGIN CERTIFICATE-----)[^-]+/.exec(pem) ?? [];
  const { tbsCertificate: tbs } = AsnConvert.parse(Buffer.from(body, 'base64'), Certificate);
  return { tbs, key: createPrivateKey(pem) };
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** RFC 7093, 2, method 1: the first 160 bits of the SHA-256 hash of the public key. */
function keyIdentifierOf({ subjectPublicKey }: SubjectPublicKeyInfo): SubjectKeyIdentifier {
  const hash = createHash('sha256').update(Buffer.from(subjectPublicKey)).digest();
  return new SubjectKeyIdentifier(exact(hash.subarray(0, 20)));
}

function nameOf(text: string): Name {
  const value = new AttributeValue({ utf8String: [...text].slice(0, MAX_COMMON_NAME).join('') });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

/** 127 random bits (RFC 5280, 4.1.2.2: positive, at most 20 octets). */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return exact(bytes);
}

/** Copies the bytes out of Node's shared pool. */
function exact(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
