import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ApiJudge } from './api-judge.js';

/** A longer body is judged by its status and type alone. */
const BODY_MOST = 2 * 1024 * 1024;

const judge = new ApiJudge();

/** Judges every answer of a server; the answer's function tells what the document does not say of them. */
export function judged(server: Server): () => string[] {
  const faults: string[] = [];
  server.prependListener('request', (req, res) => watch(req, res, (fault) => faults.push(fault)));
  return () => faults;
}

/** Judges every answer of every server of this process. */
export function judgeAll(onFault: (fault: string) => void): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    watch(request, response, onFault);
  });
}

/** Keeps what is written, and judges it when it is out. */
function watch(req: IncomingMessage, res: ServerResponse, onFault: (fault: string) => void): void {
  const { method = '', url = '' } = req;
  const chunks: Buffer[] = [];
  let length = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    length += chunk.length;
    if (length <= BODY_MOST) chunks.push(Buffer.from(chunk as string));
  };
  const { write, end } = res;
  res.write = (...args: unknown[]) => {
    keep(args[0]);
    return write.apply(res, args as Parameters<typeof write>);
  };
  res.end = (...args: unknown[]) => {
    keep(args[0]);
    return end.apply(res, args as Parameters<typeof end>);
  };
  res.on('finish', () => {
    const isEncoded = /^content-encoding:/im.test(headOf(res));
    const body = length > BODY_MOST || isEncoded ? undefined : Buffer.concat(chunks).toString();
    const type = /^content-type: *(.*)$/im.exec(headOf(res))?.[1]?.trim() ?? '';
    if (isOfNode(req, res)) return;
    const path = pathOf(url);
    const fault = judge.faultOf({ method, path, status: res.statusCode, type, body });
    if (fault) onFault(fault);
    for (const name in {}) onFault(`${method} ${url} gave every object the member "${name}"`);
  });
}

/** What Node answers before anybody of us is asked: there was no host, or something was expected that it does not know. */
function isOfNode({ headers }: IncomingMessage, { statusCode }: ServerResponse): boolean {
  return statusCode === 417 || (statusCode === 400 && headers.host === undefined);
}

/** A request may name a whole address; what is none is nowhere. */
function pathOf(url: string): string {
  if (url.startsWith('/')) return url.split('?')[0] ?? '';
  return URL.canParse(url) ? new URL(url).pathname : '*';
}

/** The head as it was sent: what is given to `writeHead` as a list is nowhere else. */
function headOf(res: ServerResponse): string {
  return (res as unknown as { _header: string | null })._header ?? '';
}
