import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { Express, Request } from 'express';
import { canonicalAddress } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import { remember } from '../../shared/remember.js';
import { webMessage } from '../messages.js';
import { isLocalName, isLoopback, isPrivateAddress } from './private-address.js';

/** Other sites' forms can send these media types without a CORS preflight. */
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Returns a function that checks whether a host name belongs to the gateway. IP addresses always pass, because DNS
 * rebinding requires a name.
 * @param names from the configuration.
 */
export function ownHosts(names: readonly string[]): (host: string) => boolean {
  const own = hostname().toLowerCase();
  const known = new Set(['localhost', own, `${own}.local`, ...names.map((name) => name.toLowerCase())]);
  return remember((host) => {
    const name = nameOf(host);
    return known.has(name) || isIP(name) !== 0;
  });
}

/** Throws `MISDIRECTED` if the `Host` header does not name the gateway. */
export function checkHost(isOurs: (host: string) => boolean, host = ''): void {
  if (isOurs(host)) return;
  throw new GatewayError('MISDIRECTED', webMessage('wrong-host'), {
    hint: 'Use the IP address, or add the host name to "hostnames" in the configuration.',
  });
}

/**
 * Returns the lower-case name or address in a `Host` header, without the port, IPv6 brackets and trailing dot.
 * Returns an empty string if a URL with this host would be invalid or name a different host, for example
 * because of port 99999 or a zone ID.
 */
function nameOf(host: string): string {
  if (!URL.canParse(`http://${host}`)) return '';
  const { host: parsed, hostname: name, port } = new URL(`http://${host}`);
  const bracketed = /^\[([0-9a-f:.]+)\](:\d*)?$/i.exec(host);
  if (port === '0') return '';
  if (bracketed) return name.slice(1, -1);
  return parsed === host.toLowerCase().replace(/:(80)?$/, '') ? name.replace(/\.$/, '') : '';
}

/**
 * Rejects state-changing requests from other sites' pages (CSRF) with `FORBIDDEN`: `Origin` or, if missing,
 * `Referer` must match `Host`. Current browsers send `Origin` with such requests, so a request without these
 * headers comes from a program. To protect users of old browsers, a form request that has a cookie but none
 * of these headers is rejected. JSON is accepted, because it requires a CORS preflight.
 */
export function checkOrigin(headers: IncomingHttpHeaders, { hasCookie }: { hasCookie: boolean }): void {
  const { origin, referer, host = '' } = headers;
  const from = origin ?? referer;
  const isOurs = from === undefined ? isProgram(headers, hasCookie) : hostOf(from) === host.toLowerCase();
  if (isOurs) return;
  if (from !== undefined) {
    throw new GatewayError('FORBIDDEN', webMessage('foreign-page'));
  }
  throw new GatewayError('FORBIDDEN', 'a form request with a session cookie requires the Origin header', {
    hint: 'Send JSON, or use an API key.',
  });
}

function isProgram(headers: IncomingHttpHeaders, hasCookie: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return false;
  return !hasCookie || !FORM_TYPES.test(headers['content-type'] ?? '');
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Returns the base URL that the caller used, for example `http://cart-1.local:3000`. */
export function baseUrlOf(req: Request): string {
  return `${req.protocol}://${req.headers.host ?? 'localhost'}`;
}

export interface LocalRules {
  /** True if the gateway listens only on the loopback interface. */
  isLoopbackOnly: boolean;
  /** Returns true for a trusted proxy, which sets `X-Forwarded-For`. */
  isProxy: (address: string) => boolean;
}

/**
 * Returns the `trusted-lan` check, which accepts only requests that certainly come from the local network: no
 * requests for a public name or from a public address, and requests from the loopback interface only if the gateway
 * listens on no other interface, because a local proxy may hide its clients' addresses.
 */
export function localCheck({ isLoopbackOnly, isProxy }: LocalRules): (req: IncomingMessage) => boolean {
  const isLocalHost = remember((host) => isLocalName(nameOf(host)));
  return (req) => {
    if (!isLocalHost(req.headers.host ?? '')) return false;
    const peer = req.socket.remoteAddress ?? '';
    if (isProxy(peer)) {
      const client = clientAddress(req, isProxy);
      return isPrivateAddress(client) && !isLoopback(client) && !isProxy(client);
    }
    if (isForwarded(req.headers)) return false;
    return isLoopback(peer) ? isLoopbackOnly : isPrivateAddress(peer);
  };
}

/**
 * Returns the rightmost untrusted address in `X-Forwarded-For` or, if every entry is trusted or missing, the peer's
 * address. Ignores entries to the left of text that is not an address, because it is unknown which program added
 * them.
 */
export function clientAddress({ headers, socket }: IncomingMessage, isProxy: LocalRules['isProxy']): string {
  const peer = socket.remoteAddress ?? '';
  if (!isProxy(peer)) return peer;
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const entry of named.toReversed()) {
    const text = entry.trim();
    if (text === '') continue;
    const address = canonicalAddress(text);
    if (address === undefined) return peer;
    if (!isProxy(address)) return address;
  }
  return peer;
}

/**
 * Sets Express's `req.ip` to `clientAddress`, and `req.protocol` and `req.secure` to the protocol that a trusted
 * proxy reports. `req.hostname` is always the name in `Host`, which the guard checks, because many proxies forward
 * the client's `X-Forwarded-Host` unchanged.
 */
export function trustProxies(app: Express, isProxy: LocalRules['isProxy']): void {
  app.set('trust proxy', isProxy);
  Object.defineProperty(app.request, 'ip', {
    get(this: IncomingMessage) {
      return clientAddress(this, isProxy);
    },
  });
  Object.defineProperty(app.request, 'hostname', {
    get(this: IncomingMessage) {
      return nameOf(this.headers.host ?? '');
    },
  });
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    'forwarded' in headers ||
    'via' in headers ||
    'x-forwarded-for' in headers ||
    'x-forwarded-host' in headers ||
    'x-forwarded-proto' in headers ||
    'x-real-ip' in headers
  );
}

const HERE = 'http://here.invalid';

/** Returns `value` if it is a path on this gateway, otherwise `/`. */
export function safeNext(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, HERE)) return '/';
  const url = new URL(value, HERE);
  const path = `${url.pathname}${url.search}`;
  // `/.//elsewhere` is normalised to `//elsewhere`, which is on another host.
  return url.origin === HERE && !path.startsWith('//') ? path : '/';
}
