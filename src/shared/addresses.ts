import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { GatewayError } from './errors.js';
import { remember } from './remember.js';

export const PRIVATE_NETWORKS: readonly string[] = [
  '127.0.0.0/8',
  '::1/128',
  // RFC 1918, RFC 3927 (link-local), RFC 4193 and RFC 4291 (IPv6).
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
];

/**
 * Matches addresses and networks (`10.0.0.0/8`); IPv4-mapped IPv6 addresses count as IPv4. Throws
 * `INVALID_INPUT` for an invalid entry.
 */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) add(list, entry);
  return remember((address) => {
    const plain = plainAddress(address);
    if (isIPv4(plain)) return list.check(plain, 'ipv4');
    return isIPv6(plain) && list.check(plain, 'ipv6');
  });
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function add(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? maxBits : Number(bits);
  if (version === 0 || prefix > maxBits) {
    throw new GatewayError(
      'INVALID_INPUT',
      `"${entry}" is neither an address nor a network such as 10.0.0.0/8`,
    );
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns the canonical form of an address that a proxy wrote, without a port, brackets or a zone ID, because
 * limits must not count one client as several. Returns undefined if `text` is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withoutPort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = plainAddress(bracketed ?? withoutPort ?? text);
  if (isIPv4(address)) return address;
  return isIPv6(address) ? plainAddress(new SocketAddress({ address, family: 'ipv6' }).address) : undefined;
}

/** Returns an IPv4 address or the /64 prefix of an IPv6 address; every site has at least a /64. */
export function ipPrefixOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = plain.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}
