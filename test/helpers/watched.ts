import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer as it came over the line. */
export interface Answered {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** `content-type`; empty without one. */
  type: string;
  /** Undefined when it was not kept. */
  body: string | undefined;
}

/** A longer body is told without its text. */
const MAX_BODY = 2 * 1024 * 1024;

/** Keeps what is written to a request, and tells it when it is out. */
export function watch(req: IncomingMessage, res: ServerResponse, tell: (answer: Answered) => void): void {
  const { method = '', url = '' } = req;
  const chunks: (string | Uint8Array)[] = [];
  let length = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    length += chunk.length;
    // Not copied: a thousand unread responses share the bytes of a document.
    if (length <= MAX_BODY) chunks.push(chunk);
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
    if (isOfNode(req, res)) return;
    const isEncoded = /^content-encoding:/im.test(headOf(res));
    const body =
      length > MAX_BODY || isEncoded
        ? undefined
        : Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string))).toString();
    const type = /^content-type: *(.*)$/im.exec(headOf(res))?.[1]?.trim() ?? '';
    tell({ method, path: pathOf(url), status: res.statusCode, type, body });
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
