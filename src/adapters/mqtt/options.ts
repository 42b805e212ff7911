import { GatewayError } from '../../shared/errors.js';
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
