import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorReason, readSmallFile } from '../../shared/files.js';
import type { Clock, Log } from '../../shared/ports/ports.js';

/** Larger than the list of every authority that browsers trust. */
const MAX_PEM_BYTES = 512 * 1024;

/** The field of every error about a TLS file. */
export const TLS_FIELD = '/mqtt/tls';

/** Certificate files, PEM; an empty path means none. They are read for every connection, so a renewed one is picked up. */
interface TlsFiles {
  ca: string;
  cert: string;
  key: string;
  /** The name to expect in the certificate; empty = the host. */
  servername: string;
  rejectUnauthorized: boolean;
}

/** Everything needed to reach one broker. */
export interface BusOptions {
  host: string;
  port: number;
  protocol: 'mqtt' | 'mqtts';
  /** `auto` asks for 5 and falls back to 4 (3.1.1): the embedded broker refuses 5. */
  protocolVersion: 4 | 5 | 'auto';
  /** The same at every start, so that a new connection takes over from a dead one. */
  clientId: string;
  /** Empty = none. */
  username?: string;
  password?: string;
  /** 5 when left out: a dead connection is noticed within 1.5 times this. */
  keepaliveS?: number;
  connectTimeoutMs?: number;
  tls?: TlsFiles;
  /** The last will, made anew for every connection; published by the broker retained, QoS 1. */
  will?: () => { topic: string; payload: string };
  /** Whether the broker at this address is the gateway's own. */
  embedded: boolean;
  clock: Clock;
  log: Log;
  /** 0 … 1, for the jitter of the backoff. */
  random?: () => number;
}

/** The broker's address for people and logs: never with credentials. */
export function urlOf({ protocol, host, port }: Pick<BusOptions, 'protocol' | 'host' | 'port'>): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What the TLS layer wants to know; throws `BROKER_DOWN` naming the file that cannot be read. */
export async function readTls(tls: TlsFiles | undefined): Promise<Record<string, unknown>> {
  if (!tls) return {};
  const [ca, cert, key] = await Promise.all([
    pem('CA certificate', tls.ca),
    pem('client certificate', tls.cert),
    pem('client key', tls.key),
  ]);
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    ...(tls.servername ? { servername: tls.servername } : {}),
    rejectUnauthorized: tls.rejectUnauthorized,
    minVersion: 'TLSv1.2',
  };
}

async function pem(what: string, path: string): Promise<Buffer | undefined> {
  if (!path) return undefined;
  try {
    const content = await readSmallFile(path, MAX_PEM_BYTES);
    if (!content.includes('-----BEGIN ')) throw new Error('it is not a PEM file');
    return content;
  } catch (cause) {
    const reason = `${path}: ${fileErrorReason(cause)}`;
    throw new GatewayError('BROKER_DOWN', `the ${what} cannot be read: ${reason}`, {
      cause,
      field: TLS_FIELD,
    });
  }
}

/** CONNACK codes of MQTT 3.1.1 (1-5) and reason codes of MQTT 5 (128 and up) that an operator can act on. */
const BROKER_CODES: Record<number, string> = {
  1: 'does not speak this MQTT version',
  2: 'refuses the client id',
  3: 'says that its service is unavailable',
  4: 'refuses the user name or password',
  5: 'does not authorise this client (wrong user name or password, or no access)',
  132: 'does not speak this MQTT version',
  133: 'refuses the client id',
  134: 'refuses the user name or password',
  135: 'does not authorise this client',
  136: 'says that its service is unavailable',
  137: 'is busy',
  138: 'has banned this client',
  139: 'is shutting down',
  141: 'heard nothing from this client for too long',
  142: 'was told that another client with the same id has connected',
  149: 'was sent a packet that is too large for it',
  151: 'has no quota left for this client',
  159: 'was connected to too often',
};

const SYSTEM_CODES: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there: the broker is not running, or the port is wrong',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be looked up: is the network up?',
  ETIMEDOUT: 'the host did not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EPROTO: 'TLS failed: the port does not speak TLS, or not a version that is safe',
  ERR_SSL_WRONG_VERSION_NUMBER: 'TLS failed: the port does not speak TLS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS failed: the certificate was made for another host name',
  CERT_HAS_EXPIRED: 'TLS failed: the certificate has expired (or the clock of this machine is wrong)',
  CERT_NOT_YET_VALID: 'TLS failed: the certificate is not valid yet (or the clock of this machine is wrong)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS failed: the certificate is self-signed; name it as the CA file',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS failed: the certificate comes from a private CA; name its CA file',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS failed: the issuer of the certificate is unknown; name its CA file',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS failed: the issuer of the certificate is unknown; name its CA file',
};

const MESSAGES: Record<string, string> = {
  'connack timeout': 'no answer from the broker',
  'Keepalive timeout': 'the broker has gone silent',
};

/** What was refused, in the plain words of a page: never with the password in it, whatever a library wrote. */
export function whyNot(thrown: unknown, options: BusOptions): string {
  const code = codeOf(thrown);
  const message = messageOf(thrown);
  const known =
    typeof code === 'number'
      ? `the broker ${BROKER_CODES[code] ?? `refused with code ${code}`}`
      : (SYSTEM_CODES[code] ?? MESSAGES[message] ?? message);
  return withoutSecret(`${urlOf(options)}: ${known}`, options.password);
}

/** Whether the broker refused the MQTT version that was asked for. */
export function isVersionRefusal(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 1 || code === 132;
}

/** Whether the broker says that this client may not do that (MQTT 5 only: 3.1.1 has no word for it). */
export function isForbidden(thrown: unknown): boolean {
  return codeOf(thrown) === 135;
}

/** The refusal that every publish meets while there is no connection. */
export function brokerDown(reason: string): GatewayError {
  return new GatewayError('BROKER_DOWN', `the MQTT broker is not connected (${reason})`, {
    hint: 'see the broker settings',
    retryAfterS: 5,
  });
}

function codeOf(thrown: unknown): number | string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'number' || typeof code === 'string' ? code : '';
}

function withoutSecret(text: string, secret: string | undefined): string {
  return secret ? text.replaceAll(secret, '***') : text;
}
