import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { KeyPair } from '../../web/server/fast-express.js';
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
 * The key shared by a site's gateways: `CARTWRIGHT_SITE_KEY` or the systemd credential `site-key`. Throws
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

/** Rejects with `CONFIG_INVALID` if a TLS file is unusable: the gateway must not fall back to plain HTTP. */
export async function readKeyPair({ tls, file }: Config): Promise<KeyPair | undefined> {
  if (!tls) return undefined;
  const read = (name: string): Promise<Buffer> => readFile(resolve(dirname(file), name));
  try {
    const [cert, key] = await Promise.all([read(tls.certFile), read(tls.keyFile)]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    throw new GatewayError(
      'CONFIG_INVALID',
      `the tls section in ${file} cannot be used: ${messageOf(cause)}`,
      { cause },
    );
  }
}
