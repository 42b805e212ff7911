import type { Message } from './messages/message.js';
import { networkMessage } from './messages/messages.js';

/** System and TLS error codes. The message parameter `host` is the server's name. */
const BY_CODE: Readonly<Record<string, Message>> = {
  ECONNREFUSED: networkMessage('refused'),
  ETIMEDOUT: networkMessage('timeout'),
  ABORT_ERR: networkMessage('timeout'),
  EHOSTUNREACH: networkMessage('unreachable'),
  ENETUNREACH: networkMessage('network-unreachable'),
  ECONNRESET: networkMessage('reset'),
  EPIPE: networkMessage('reset'),
  EPROTO: networkMessage('no-tls'),
  ERR_SSL_WRONG_VERSION_NUMBER: networkMessage('no-tls'),
  ERR_TLS_CERT_ALTNAME_INVALID: networkMessage('other-host'),
  CERT_HAS_EXPIRED: networkMessage('expired'),
  CERT_NOT_YET_VALID: networkMessage('not-yet-valid'),
  DEPTH_ZERO_SELF_SIGNED_CERT: networkMessage('self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: networkMessage('unknown-issuer'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: networkMessage('unknown-issuer'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: networkMessage('unknown-issuer'),
};

/** Describes a failed connection to `host`; returns undefined if the error is not a known network error. */
export function networkFault(thrown: unknown, host: string): Message | undefined {
  // The original code takes precedence: nodemailer replaces the code of a system error and keeps it in `originalCode`.
  const { code, originalCode = code } = Object(thrown) as { code?: unknown; originalCode?: unknown };
  const key = String(originalCode);
  if (key === 'ENOTFOUND') return networkMessage('name-unknown', { host });
  if (key === 'EAI_AGAIN') return networkMessage('name-not-looked-up', { host });
  return Object.hasOwn(BY_CODE, key) ? BY_CODE[key] : undefined;
}
