import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorReason, readSmallFile } from '../../shared/files.js';
import type { InputScheduler } from '../../shared/input-scheduler.js';
import type { Message, Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { networkFault } from '../../shared/network-errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { brokerMessage } from './messages.js';

/** Maximum size of a PEM file, larger than a browser's complete CA bundle. */
const MAX_PEM_BYTES = 512 * 1024;

export const TLS_FIELD = '/mqtt/tls';

/** Paths of PEM files, or empty. Files are read for every connection, so renewed certificates take effect. */
interface TlsFiles {
  ca: string;
  cert: string;
  key: string;
  /** The name that the server's certificate must contain; if empty, `host`. */
  servername: string;
  rejectUnauthorized: boolean;
}

export interface BusOptions {
  host: string;
  port: number;
  protocol: 'mqtt' | 'mqtts';
  /** `auto` tries 5 and falls back to 4 (MQTT 3.1.1), because the embedded broker rejects 5. */
  protocolVersion: 4 | 5 | 'auto';
  /** Does not change across restarts, so that a new connection replaces a dead one. */
  clientId: string;
  username?: string;
  password?: string;
  /** Interval in seconds; default 5. A dead connection is detected within 1.5 times this interval. */
  keepaliveS?: number;
  connectTimeoutMs?: number;
  /** A connection ends if a message or subscription is not acknowledged within this time. Default: 10 s. */
  ackTimeoutMs?: number;
  tls?: TlsFiles;
  /** Last will, created for every connection; published with QoS 1 and retained. */
  will?: () => { topic: string; payload: string };
  embedded: boolean;
  clock: Clock;
  log: Log;
  random?: () => number;
  /** Default: this process's scheduler. */
  inputs?: InputScheduler;
}

export function brokerUrlOf({
  protocol,
  host,
  port,
}: Pick<BusOptions, 'protocol' | 'host' | 'port'>): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Rejects with `BROKER_DOWN` and the file's name if a file is unreadable. */
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

async function pem(name: string, path: string): Promise<Buffer | undefined> {
  if (!path) return undefined;
  try {
    const content = await readSmallFile(path, MAX_PEM_BYTES);
    if (!content.includes('-----BEGIN ')) throw new Error('not a PEM file');
    return content;
  } catch (cause) {
    const reason = sharedMessage('both', { first: path, second: fileErrorReason(cause) });
    throw new GatewayError('BROKER_DOWN', brokerMessage('file-unreadable', { name, reason }), {
      cause,
      field: TLS_FIELD,
    });
  }
}

/** CONNACK codes of MQTT 3.1.1 (1–5) and MQTT 5 reason codes (128 and up) that operators can act on. */
const BROKER_CODES = {
  1: 'refuses.version',
  2: 'refuses.client-id',
  3: 'refuses.unavailable',
  4: 'refuses.credentials',
  5: 'refuses.client-or-credentials',
  132: 'refuses.version',
  133: 'refuses.client-id',
  134: 'refuses.credentials',
  135: 'refuses.client',
  136: 'refuses.unavailable',
  137: 'refuses.busy',
  138: 'refuses.banned',
  139: 'refuses.shutting-down',
  141: 'refuses.silent-client',
  142: 'refuses.taken-over',
  149: 'refuses.packet-too-large',
  151: 'refuses.quota',
  159: 'refuses.rate',
} as const;

const CONNECTION_CODES: Readonly<Record<string, Message>> = {
  CLOSED: brokerMessage('closed'),
  CLOSED_EARLY: brokerMessage('closed-before-answer'),
  ENDED_BY_BROKER: brokerMessage('ended-by-broker'),
  SILENT: brokerMessage('silent'),
  PACKET_TOO_LARGE: brokerMessage('packet-too-large'),
  DEPTH_ZERO_SELF_SIGNED_CERT: brokerMessage('tls.self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: brokerMessage('tls.private-ca'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: brokerMessage('tls.unknown-issuer'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: brokerMessage('tls.unknown-issuer'),
};

const MESSAGES: Readonly<Record<string, Message>> = {
  'connack timeout': brokerMessage('no-answer'),
  'Keepalive timeout': brokerMessage('silent'),
};

/** Describes a failed connection or publish for the operator. Masks the password in library errors. */
export function failureMessage(thrown: unknown, options: BusOptions): Message {
  const code = codeOf(thrown);
  const message = messageOf(thrown);
  const reason =
    typeof code === 'number'
      ? reasonOf(code)
      : (CONNECTION_CODES[code] ??
        networkFault(thrown, options.host) ??
        MESSAGES[message] ??
        withoutSecret(message, options.password));
  return sharedMessage('both', {
    first: withoutSecret(brokerUrlOf(options), options.password),
    second: reason,
  });
}

export function connectionError(
  code: number | 'CLOSED' | 'CLOSED_EARLY' | 'ENDED_BY_BROKER' | 'PACKET_TOO_LARGE' | 'SILENT',
): Error {
  return Object.assign(new Error('the connection ended'), { code });
}

function reasonOf(code: number): Message {
  return Object.hasOwn(BROKER_CODES, code)
    ? brokerMessage(BROKER_CODES[code as keyof typeof BROKER_CODES])
    : brokerMessage('refuses.code', { code });
}

export function isVersionRejected(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 1 || code === 132;
}

/**
 * Returns true if the broker rejected a publish as forbidden. This requires MQTT 5: an MQTT 3.1.1 broker cannot
 * reject a publish.
 */
export function isForbidden(thrown: unknown): boolean {
  return codeOf(thrown) === 135;
}

export function brokerDown(reason: Text): GatewayError {
  return new GatewayError('BROKER_DOWN', brokerMessage('not-connected', { reason }), {
    hint: brokerMessage('settings-hint'),
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
