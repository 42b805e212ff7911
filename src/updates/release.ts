import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The processor architectures of releases, named as in Node's `process.arch`. */
const ARCHITECTURES = ['arm64', 'arm', 'x64'] as const;
type Architecture = (typeof ARCHITECTURES)[number];

/** Maximum size of a release's signature file, which contains the release notes. */
export const MAX_SIGNATURE_BYTES = 64 * 1024;

const VERSION = '[0-9][0-9A-Za-z.+-]{0,63}';
const NAME = new RegExp(`^(cartwright-(${VERSION})-(${ARCHITECTURES.join('|')})\\.tar\\.gz)(\\.sig)?$`);

/** The information in the name of a release's archive or signature file. */
export interface ReleaseName {
  /** The name of the archive. */
  archive: string;
  version: string;
  architecture: Architecture;
  isSignature: boolean;
}

/** Returns undefined if the name does not have the form of a release archive or its signature file. */
export function releaseNameOf(name: string): ReleaseName | undefined {
  const [, archive, version, found, suffix] = NAME.exec(name) ?? [];
  const architecture = ARCHITECTURES.find((known) => known === found);
  if (archive === undefined || version === undefined || architecture === undefined) return undefined;
  return { archive, version, architecture, isSignature: suffix !== undefined };
}

/** The information in a release's signature file about the archive. */
export interface Statement {
  version: string;
  architecture: Architecture;
  bytes: number;
  /** SHA-256 of the archive, in lower-case hexadecimal digits. */
  sha256: string;
  /** The release notes, in Markdown; can be empty. */
  notes: string;
  /** The bytes that are signed: everything before the last line. */
  signed: Buffer;
  signature: Buffer;
}

/** The first line of every signature file. */
export const FIRST_LINE = 'Cartwright release 1\n';
const HEAD = new RegExp(
  `^${FIRST_LINE}version: (${VERSION})\\narchitecture: (${ARCHITECTURES.join('|')})\\n` +
    'bytes: ([1-9]\\d{0,14})\\nsha256: ([\\da-f]{64})\\n\\n',
);
const LAST_LINE = /^signature: ([A-Za-z0-9+/]{86}==)$/;
const LINE_FEED = 0x0a;

/** Parses a signature file. Returns undefined unless the format is exact. Does not verify the signature. */
export function parseStatement(file: Buffer): Statement | undefined {
  if (file.length > MAX_SIGNATURE_BYTES) return undefined;
  const content = file.at(-1) === LINE_FEED ? file.subarray(0, -1) : file;
  const signed = content.subarray(0, content.lastIndexOf(LINE_FEED) + 1);
  const [, signature] = LAST_LINE.exec(content.subarray(signed.length).toString('latin1')) ?? [];
  const text = utf8Of(signed);
  const [head, version, found, bytes, sha256] = (text && HEAD.exec(text)) || [];
  const architecture = ARCHITECTURES.find((known) => known === found);
  if (!text || !head || !version || !architecture || !sha256 || !signature) return undefined;
  return {
    version,
    architecture,
    bytes: Number(bytes),
    sha256,
    notes: text.slice(head.length).trim(),
    signed,
    signature: Buffer.from(signature, 'base64'),
  };
}

/** Returns undefined if the bytes are not UTF-8 or contain control characters other than tabs and line feeds. */
function utf8Of(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return /[^\P{Cc}\t\n]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A public key with which releases are signed. */
export interface ReleaseKey {
  key: KeyObject;
  /** SHA-256 of the key's SubjectPublicKeyInfo, in lower-case hexadecimal digits. */
  fingerprint: string;
}

const PEM = /-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----/;

/** Reads the key in `systemd/release.pub`, which can begin with a comment. Returns undefined if there is no Ed25519 key. */
export function releaseKeyOf(file: string): ReleaseKey | undefined {
  const [pem] = PEM.exec(file) ?? [];
  if (pem === undefined) return undefined;
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') return undefined;
    const der = key.export({ type: 'spki', format: 'der' });
    return { key, fingerprint: createHash('sha256').update(der).digest('hex') };
  } catch {
    return undefined;
  }
}

export function isSignedBy({ signed, signature }: Statement, { key }: ReleaseKey): boolean {
  return verify(null, signed, key, signature);
}

/**
 * Compares versions as `systemd/verify.sh` does: 1.0.0-rc.1 is older than 1.0.0, and 1.9.0 is older than 1.10.0.
 * Returns a negative number if `a` is older than `b`, and 0 if they are equal.
 */
export function compareVersions(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((version) => version.replace('-', '~').match(/\d+|\D+/g) ?? []);
  // Digits and other characters alternate, and a version begins with a digit.
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one = '', other = ''] = [left[at], right[at]];
    const order = at % 2 === 0 ? Number(BigInt(one || '0') - BigInt(other || '0')) : compareText(one, other);
    if (order !== 0) return order;
  }
  return 0;
}

function compareText(a: string, b: string): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = rankOf(a[at]) - rankOf(b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** The order is `~`, the end of a version, letters, and other characters. */
function rankOf(character = ''): number {
  if (character === '~') return -1;
  if (character === '') return 0;
  const code = character.charCodeAt(0);
  return /[A-Za-z]/.test(character) ? code : code + 256;
}
