import { createPrivateKey, createSecretKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { KeyPair } from '../../http/server/fast-express.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorReason } from '../../shared/files.js';
import { textOf } from '../../shared/messages/message.js';
import type { Config } from '../config.js';

/** 128 bits as hexadecimal digits. */
const MIN_KEY_LENGTH = 32;

/** Reads a secret from an environment variable or a systemd credential. */
export function secretOf(env: NodeJS.ProcessEnv, variable: string, credential: string): string | undefined {
  const { [variable]: text, CREDENTIALS_DIRECTORY: directory } = env;
  if (text) return text;
  if (!directory) return undefined;
  try {
    return readFileSync(join(directory, credential), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the key shared by a site's gateways: `CARTWRIGHT_SITE_KEY` or the systemd credential `site-key`. Throws
 * `CONFIG_INVALID` if the key is too short.
 */
export function siteKeyOf(env: NodeJS.ProcessEnv): KeyObject | undefined {
  const text = secretOf(env, 'CARTWRIGHT_SITE_KEY', 'site-key');
  if (text === undefined) return undefined;
  if (text.length < MIN_KEY_LENGTH) {
    throw new GatewayError('CONFIG_INVALID', `the site key has fewer than ${MIN_KEY_LENGTH} characters`, {
      hint: 'Create a site key with: openssl rand -hex 32',
    });
  }
  return createSecretKey(text, 'utf8');
}

/** Rejects with `CONFIG_INVALID` if a TLS file is unusable, because the gateway must not fall back to plain HTTP. */
export async function readKeyPair({ tls, file }: Config): Promise<KeyPair | undefined> {
  if (!tls) return undefined;
  const certFile = resolve(dirname(file), tls.certFile);
  const keyFile = resolve(dirname(file), tls.keyFile);
  const [cert, key] = await Promise.all([readTlsFile('certFile', certFile), readTlsFile('keyFile', keyFile)]);
  const certificate = certificateIn(cert, certFile);
  if (!certificate.checkPrivateKey(privateKeyIn(key, keyFile))) {
    throw tlsFault(`the key in ${keyFile} (tls.keyFile) does not belong to the certificate in ${certFile}`, {
      hint: `Set tls.certFile and tls.keyFile to files of one pair, with the gateway's own certificate first in ${certFile}.`,
    });
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw tlsFault(`the certificate in ${certFile} and its key cannot be used: ${messageOf(cause)}`, {
      hint: 'Create a certificate with a stronger key or signature.',
      cause,
    });
  }
  return { cert, key };
}

type TlsField = keyof NonNullable<Config['tls']>;

function tlsFault(text: string, details: { hint: string; cause?: unknown }): GatewayError {
  return new GatewayError('CONFIG_INVALID', text, details);
}

async function readTlsFile(field: TlsField, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw tlsFault(`${path} (tls.${field}) cannot be read: ${textOf(fileErrorReason(cause))}`, {
      hint: `Set tls.${field} to a file that the gateway's user can read.`,
      cause,
    });
  }
}

function certificateIn(pem: Buffer, path: string): X509Certificate {
  try {
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(pem);
  } catch (cause) {
    throw tlsFault(`the certificate in ${path} (tls.certFile) is damaged: ${messageOf(cause)}`, {
      hint: 'Copy the file again.',
      cause,
    });
  }
  const isKey = pem.includes('PRIVATE KEY-----');
  throw tlsFault(`${path} (tls.certFile) contains no certificate in PEM format`, {
    hint: isKey
      ? 'The file contains a key: swap tls.certFile and tls.keyFile.'
      : `Convert the certificate to PEM: openssl x509 -in ${path} -out certificate.pem`,
  });
}

function privateKeyIn(pem: Buffer, path: string): KeyObject {
  if (pem.includes('BEGIN ENCRYPTED PRIVATE KEY') || pem.includes('Proc-Type: 4,ENCRYPTED')) {
    throw tlsFault(`the key in ${path} (tls.keyFile) is encrypted`, {
      hint: `Remove the passphrase: openssl pkey -in ${path} -out key.pem`,
    });
  }
  try {
    if (pem.includes('PRIVATE KEY-----')) return createPrivateKey(pem);
  } catch (cause) {
    throw tlsFault(`the key in ${path} (tls.keyFile) is damaged: ${messageOf(cause)}`, {
      hint: 'Copy the file again.',
      cause,
    });
  }
  const isCertificate = pem.includes('-----BEGIN CERTIFICATE-----');
  throw tlsFault(`${path} (tls.keyFile) contains no private key in PEM format`, {
    hint: isCertificate
      ? 'The file contains only a certificate: set tls.keyFile to the file with its key.'
      : `Convert the key to PEM: openssl pkey -in ${path} -out key.pem`,
  });
}
