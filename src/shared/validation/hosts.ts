import { isIPv6 } from 'node:net';

/** Returns true if the text is a host name, an IPv4 address or an IPv6 address without brackets and zone ID. */
export function isHost(text: string): boolean {
  if (text.includes(':')) return isIPv6(text) && URL.canParse(`http://[${text}]`);
  return hostOf(`http://${text}`)?.hostname === text.toLowerCase();
}

/**
 * Returns true for an HTTP URL that names the host and the port as they are written: no username, no port 0 or
 * above 65535, no zone ID, and no spelling such as `0x7f000001` that `URL` turns into a different host.
 */
export function isHttpUrl(text: string): boolean {
  const authority = /^https?:\/\/([^/?#\\\s]+)/i.exec(text)?.[1];
  const url = hostOf(text);
  if (authority === undefined || !url || url.username !== '' || url.password !== '' || url.port === '0')
    return false;
  const written = authority.replace(/:\d*$/, '');
  return written.startsWith('[') ? isHost(written.slice(1, -1)) : url.hostname === written.toLowerCase();
}

function hostOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
