import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Config } from '../config.js';

/** A certificate with its chain, and its key: PEM. */
interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

/**
 * The key pair that the configuration names, from where its file lies; undefined for plain HTTP. Rejects with
 * `CONFIG_INVALID` for a file that cannot be read and for two that do not belong together: a gateway that was meant to
 * encrypt does not start without.
 */
export async function readKeyPair({ tls, file }: Config): Promise<KeyPair | undefined> {
  if (!tls) return undefined;
  const read = (name: string): Promise<Buffer> => readFile(resolve(dirname(file), name));
  try {
    const [cert, key] = await Promise.all([read(tls.certFile), read(tls.keyFile)]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (cause) {
    throw new GatewayError('CONFIG_INVALID', `tls in ${file} cannot be used: ${messageOf(cause)}`, { cause });
  }
}
