import type { IncomingMessage } from 'node:http';

/**
 * RFC 9112, 3.2.2: who sends a whole address means the host in it, whatever his `Host` says. What is no address is of no
 * host of ours. From then on the request looks as every other one does.
 */
export function useTarget(req: IncomingMessage): void {
  const { url = '/' } = req;
  if (url.startsWith('/') || url === '*') return;
  const target = URL.canParse(url) ? new URL(url) : undefined;
  req.headers.host = target?.host ?? '';
  req.url = target ? `${target.pathname}${target.search}` : '/';
}
