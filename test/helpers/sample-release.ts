import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A new key with which to sign releases. */
export interface SigningKey {
  privateKey: KeyObject;
  /** The content of `systemd/release.pub`. */
  pem: string;
}

export function signingKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, pem: `A comment.\n${pem}` };
}

interface ReleaseOptions {
  key: SigningKey;
  version?: string;
  architecture?: string;
  notes?: string;
  /** Changes the text before it is signed. */
  change?: (text: string) => string;
}

/** The two files of a release, whose archive contains no program. */
export interface SampleRelease {
  file: string;
  archive: Buffer;
  signature: Buffer;
}

export function sampleRelease({
  key,
  version = '9.0.0',
  architecture = process.arch,
  notes = '- New: a test\n',
  change = (text) => text,
}: ReleaseOptions): SampleRelease {
  const archive = gzipSync(Buffer.alloc(3000, version));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const text = change(
    `Cartwright release 1\nversion: ${version}\narchitecture: ${architecture}\n` +
      `bytes: ${archive.length}\nsha256: ${sha256}\n\n${notes}`,
  );
  const signature = sign(null, Buffer.from(text), key.privateKey).toString('base64');
  return {
    file: `cartwright-${version}-${architecture}.tar.gz`,
    archive,
    signature: Buffer.from(`${text}signature: ${signature}\n`),
  };
}
