import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Loopback, the private ranges of RFC 1918, link-local, and their like in IPv6 (RFC 4193, RFC 4291). */
const NEAR = new BlockList();
NEAR.addSubnet('127.0.0.0', 8, 'ipv4');
NEAR.addSubnet('10.0.0.0', 8, 'ipv4');
NEAR.addSubnet('172.16.0.0', 12, 'ipv4');
NEAR.addSubnet('192.168.0.0', 16, 'ipv4');
NEAR.addSubnet('169.254.0.0', 16, 'ipv4');
NEAR.addAddress('::1', 'ipv6');
NEAR.addSubnet('fc00::', 7, 'ipv6');
NEAR.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address can only be one of this machine or of its own network. */
export function isNear(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return NEAR.check(plain, 'ipv4');
  return isIPv6(plain) && NEAR.check(plain, 'ipv6');
}
