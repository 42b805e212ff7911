import { hostname } from 'node:os';
import { issueInWorker } from '../../adapters/x509/issue-host.js';
import { isPrivateAddress } from '../../http/guard/private-address.js';
import type { CertificateNames } from '../../shared/ports/certificates.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { LocalTls, TlsFiles } from '../../system/index.js';
import type { Config } from '../config.js';
import { localName, ownAddresses } from './own-names.js';

/** Limits the certificate's size to a few packets, because a machine with containers can have many addresses. */
const MAX_ADDRESSES = 40;
/** Suffixes that do not exist in the public DNS (RFC 6762, 8375, 9476) or that home routers use. */
const LOCAL_SUFFIXES = ['local', 'localhost', 'lan', 'home', 'home.arpa', 'internal', 'localdomain'];

interface TlsDeps {
  config: Pick<Config, 'dataDir' | 'hostnames'>;
  name: () => string;
  clock: Clock;
  log: Log;
  addresses?: () => readonly string[];
}

export function openLocalTls({ config, name, clock, log, addresses }: TlsDeps): Promise<LocalTls> {
  return LocalTls.open({
    clock,
    log,
    issue: issueInWorker,
    files: new TlsFiles(config.dataDir),
    wanted: () => certificateNames(config.hostnames, addresses?.() ?? ownAddresses()),
    caName: () => `Cartwright CA ${localName().replace(/\.local$/, '')} ${name()}`,
    permittedDns: [...LOCAL_SUFFIXES, ...machineNames(), ...config.hostnames],
  });
}

/** Returns the gateway's names and private addresses, except IPv6 link-local addresses, which URLs do not support. */
function certificateNames(hostnames: readonly string[], addresses: readonly string[]): CertificateNames {
  const dns = [localName(), ...machineNames(), 'localhost', ...hostnames];
  const usable = addresses.filter((address) => isPrivateAddress(address) && !/^fe80:/i.test(address));
  const ip = [...new Set(['127.0.0.1', '::1', ...usable.toSorted()])];
  return { dns: [...new Set(dns)], ip: ip.slice(0, MAX_ADDRESSES) };
}

function machineNames(): string[] {
  const own = hostname().toLowerCase();
  if (!/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(own)) return [];
  return own.includes('.') ? [own] : [own, `${own}.local`];
}
