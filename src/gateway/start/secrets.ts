import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';

/** 128 bits as hexadecimal digits. */
const MIN_KEY_LENGTH = 32;

/** A secret from the environment, or from a credential of systemd; undefined when neither has it. */
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
 * The key that all gateways of a site share: `CARTWRIGHT_SITE_KEY`, else systemd's credential `site-key`. Throws
 * CONFIG_INVALID for one that is too short.
 */
export function siteKeyOf(env: NodeJS.ProcessEnv): KeyObject | undefined {
  const text = secretOf(env, 'CARTWRIGHT_SITE_KEY', 'site-key');
  if (text === undefined) return undefined;
  if (text.length < MIN_KEY_LENGTH) {
    throw new GatewayError('CONFIG_INVALID', `the site key has fewer than ${MIN_KEY_LENGTH} characters`, {
      hint: 'Make one with: openssl rand -hex 32',
    });
  }
  return createSecretKey(text, 'utf8');
}
