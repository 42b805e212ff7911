import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { isLocalName, isLoopback, isPrivateAddress } from '../../access/private-address.js';
import { GatewayError } from '../../shared/errors.js';
import { webMessage } from '../messages.js';

/** What an HTML form of any site can send without asking. */
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Whether a `Host` is one of the gateway. A page that got its name resolved to our address (DNS rebinding) needs a name
 * of its own, so addresses are always good.
 * @param names further ones, from the configuration.
 */
export function ownHosts(names: readonly string[]): (host: string) => boolean {
  const own = hostname().toLowerCase();
  const known = new Set(['localhost', own, `${own}.local`, ...names.map((name) => name.toLowerCase())]);
  const good = new Set<string>();
  return (host) => {
    if (good.has(host)) return true;
    const name = nameOf(host);
    if (!known.has(name) && isIP(name) === 0) return false;
    if (good.size < 100) good.add(host);
    return true;
  };
}

/** Throws `MISDIRECTED` for a `Host` that is not one of the gateway. */
export function checkHost(isOurs: (host: string) => boolean, host = ''): void {
  if (isOurs(host)) return;
  throw new GatewayError('MISDIRECTED', webMessage('wrong-host'), {
    hint: 'Use its address, or add the name to "hostnames" in the configuration.',
  });
}

/** Without the port, the brackets of IPv6 and the dot of the root. */
function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(host);
  return bracketed?.[1] ?? host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/**
 * Refuses a change that another site's page asks for: `Origin`, else `Referer`, must name the host that was asked. Every
 * browser of today sends `Origin` with every change, so without either it is a program, which has no cookie that it did
 * not mean to send. For old browsers, a form with a cookie and without either is refused; JSON is not, for that would
 * have needed our leave first. Throws `FORBIDDEN`.
 */
export function checkOrigin(headers: IncomingHttpHeaders, { hasCookie }: { hasCookie: boolean }): void {
  const { origin, referer, host = '' } = headers;
  const from = origin ?? referer;
  const isOurs = from === undefined ? isProgram(headers, hasCookie) : hostOf(from) === host.toLowerCase();
  if (isOurs) return;
  if (from !== undefined) {
    throw new GatewayError('FORBIDDEN', webMessage('foreign-page'));
  }
  throw new GatewayError('FORBIDDEN', 'a form with a session needs the header Origin, as browsers send it', {
    hint: 'From a program send JSON, or use an API key.',
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

export interface LocalRules {
  /** The gateway listens for this machine alone. */
  isLoopbackOnly: boolean;
  /** Whether this is the address of a proxy that writes `X-Forwarded-For`. */
  isProxy: (address: string) => boolean;
}

/**
 * Whether a request certainly comes from the own network, for `trusted-lan`. A proxy makes every client look like itself,
 * and need not say so: a request from this machine counts only when nobody else can reach the gateway, and one for a
 * public name or address never does.
 */
export function localCheck({ isLoopbackOnly, isProxy }: LocalRules): (req: IncomingMessage) => boolean {
  return (req) => {
    if (!isLocalName(nameOf(req.headers.host ?? ''))) return false;
    const peer = req.socket.remoteAddress ?? '';
    if (isProxy(peer)) {
      const client = clientAddress(req, isProxy);
      return isPrivateAddress(client) && !isLoopback(client) && !isProxy(client);
    }
    if (isForwarded(req.headers)) return false;
    return isLoopback(peer) ? isLoopbackOnly : isPrivateAddress(peer);
  };
}

/** The rightmost address of `X-Forwarded-For` that no trusted proxy has; the peer when it is none or names none. */
export function clientAddress({ headers, socket }: IncomingMessage, isProxy: LocalRules['isProxy']): string {
  const peer = socket.remoteAddress ?? '';
  if (!isProxy(peer)) return peer;
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim());
  return named.findLast((address) => address !== '' && !isProxy(address)) ?? peer;
}

/** Whether a request says of itself that it came through a proxy. */
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

/** Where to go after a login: a path of this gateway, whatever was asked for; `/` when it was anything else. */
export function safeNext(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, HERE)) return '/';
  const url = new URL(value, HERE);
  const path = `${url.pathname}${url.search}`;
  // `/.//elsewhere` is a path of ours until its dot is gone.
  return url.origin === HERE && !path.startsWith('//') ? path : '/';
}
