import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { GatewayError } from '../errors.js';

/**
 * Whether an address is on a list of addresses and networks (`10.0.0.0/8`). IPv4 is the same however it is written, and
 * text that is no address is on no list. Throws `INVALID_INPUT` for an entry that is neither.
 */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) add(list, entry);
  return (address) => {
    const plain = plainAddress(address);
    if (isIPv4(plain)) return list.check(plain, 'ipv4');
    return isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

/** Without the zone, and without the prefix of an IPv4 address in IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function add(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : Number(bits);
  if (version === 0 || prefix > most) {
    throw new GatewayError(
      'INVALID_INPUT',
      `"${entry}" is neither an address nor a network such as 10.0.0.0/8`,
    );
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}
